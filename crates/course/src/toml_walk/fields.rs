//! Walking a TOML table by hand.
//!
//! Not `serde`: every unknown key has to name its nearest neighbour and every complaint has to point at
//! bytes, also when the rest of the file is broken. [`Fields`] is a table whose keys are known; each
//! reader below takes one value out of it and reports what is wrong with it.

use super::instead::instead;
use super::{keys, syntax};
use crate::diagnostics::{Report, Rule, nearest};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};
use toml::value::Datetime;

/// A value and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct WithSpan<T> {
    /// The value.
    pub value: T,
    /// Its bytes, as [`Report`] counts them.
    pub span: Range<usize>,
}

/// A table of which the allowed keys are known.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    table: &'a DeTable<'a>,
    /// Where to point when a key is missing: start and end of the table's head.
    head: (usize, usize),
    /// What it describes, for messages: `lesson`, `question`.
    what: &'a str,
}

/// A value that can be taken out of TOML.
pub trait Read<'a>: Sized {
    /// What it is called in messages, with its article.
    const WHAT: &'static str;

    /// How to write it.
    const HOW: &'static str;

    /// The value, if it is of this type and in range.
    fn read(value: &'a DeValue<'a>) -> Option<Self>;
}

impl<'a> Read<'a> for &'a str {
    const WHAT: &'static str = "a text in quotes";
    const HOW: &'static str = "put it in quotes: `\"…\"`";

    fn read(value: &'a DeValue<'a>) -> Option<Self> {
        value.as_str()
    }
}

impl Read<'_> for bool {
    const WHAT: &'static str = "`true` or `false`";
    const HOW: &'static str = "write `true` or `false`, without quotes";

    fn read(value: &DeValue<'_>) -> Option<Self> {
        value.as_bool()
    }
}

impl Read<'_> for u32 {
    const WHAT: &'static str = "a whole number";
    const HOW: &'static str = "write a number without quotes and without a point, such as `8`";

    fn read(value: &DeValue<'_>) -> Option<Self> {
        let number = value.as_integer()?;
        Self::from_str_radix(number.as_str(), number.radix()).ok()
    }
}

impl Read<'_> for f64 {
    const WHAT: &'static str = "a number";
    const HOW: &'static str =
        "write a number without quotes and without a unit, such as `24` or `0.5`";

    fn read(value: &DeValue<'_>) -> Option<Self> {
        let number = match value {
            DeValue::Integer(it) => i64::from_str_radix(it.as_str(), it.radix()).ok()? as Self,
            DeValue::Float(it) => it.as_str().parse().ok()?,
            DeValue::String(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => return None,
        };
        number.is_finite().then_some(number)
    }
}

impl Read<'_> for Datetime {
    const WHAT: &'static str = "a date and a time";
    const HOW: &'static str = "write it without quotes, such as `2026-12-01T18:00:00+01:00`";

    fn read(value: &DeValue<'_>) -> Option<Self> {
        match value {
            DeValue::Datetime(it) => Some(*it),
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => None,
        }
    }
}

impl<'a> Read<'a> for &'a DeArray<'a> {
    const WHAT: &'static str = "a list in `[ ]`";
    const HOW: &'static str = "put it in brackets, also if it has one entry: `[…]`";

    fn read(value: &'a DeValue<'a>) -> Option<Self> {
        value.as_array()
    }
}

impl<'a> Read<'a> for &'a DeTable<'a> {
    const WHAT: &'static str = "a table in `{ }`";
    const HOW: &'static str = "write it as `{ key = value }`";

    fn read(value: &'a DeValue<'a>) -> Option<Self> {
        value.as_table()
    }
}

/// Takes one value, or reports what it is instead.
pub fn read<'a, T: Read<'a>>(
    name: &str,
    value: &'a Spanned<DeValue<'a>>,
    report: &mut Report,
) -> Option<WithSpan<T>> {
    let found = T::read(value.get_ref());
    if found.is_none() {
        let kind = value.get_ref().type_str();
        report
            .error(
                Rule::WrongType,
                value.span(),
                format!("`{name}` should be {}, not this {kind}", T::WHAT),
            )
            .advise(instead(name, value.get_ref(), T::HOW));
    }
    Some(WithSpan {
        value: found?,
        span: value.span(),
    })
}

impl<'a> Fields<'a> {
    /// Looks at a table that describes a `what`; `head` is where to point when a key is missing.
    pub fn new(what: &'a str, table: &'a DeTable<'a>, head: Range<usize>) -> Self {
        Self {
            table,
            head: (head.start, head.end),
            what,
        }
    }

    /// The same for a value that has to be a table.
    pub fn of(what: &'a str, value: &'a Spanned<DeValue<'a>>, report: &mut Report) -> Option<Self> {
        let table = read::<&DeTable<'_>>(what, value, report)?;
        Some(Self::new(what, table.value, table.span))
    }

    /// Where to point when something is missing.
    pub(crate) fn head(&self) -> Range<usize> {
        self.head.0..self.head.1
    }

    /// Reports each key that is not among the known ones.
    pub fn check_keys(&self, known: &[&str], report: &mut Report) {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let span = key.span();
                let said = report.error(Rule::UnknownKey, span, self.unknown(name));
                let free = |it: &&&str| !self.table.contains_key(**it);
                if let Some(meant) = known
                    .iter()
                    .filter(free)
                    .find(|it| keys::is_meant(name, it))
                {
                    said.fixed_by(name, *meant).hint(format!("write `{meant}`"));
                } else if let Some(help) = keys::elsewhere(self.what, name, self.table) {
                    said.hint(help);
                } else {
                    said.known(name, known);
                }
            }
        }
    }

    fn unknown(&self, key: &str) -> String {
        let article = if self.what.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "an"
        } else {
            "a"
        };
        format!("unknown key `{key}` in {article} {}", self.what)
    }

    /// Reports that a key is not there: at a key that is probably meant to be this one, if there is one.
    pub(crate) fn missing(&self, key: &str, report: &mut Report) {
        let mut keys = self.table.keys();
        let meant = keys.find(|it| {
            let written = it.get_ref().as_ref();
            nearest(written, [key]).is_some() || keys::is_meant(written, key)
        });
        if let Some(written) = meant {
            let name = written.get_ref().as_ref();
            report
                .error(Rule::UnknownKey, written.span(), self.unknown(name))
                .did_you_mean(name, [key]);
            return;
        }
        let message = format!("the {} has no `{key}`", self.what);
        report.error(Rule::MissingKey, self.head(), message).hint(
            keys::other_type(self.what, key, self.table)
                .unwrap_or_else(|| format!("write `{}`", keys::example(key))),
        );
    }

    /// Each key with its value, in the order of the keys' names.
    pub fn entries(&self) -> impl Iterator<Item = (WithSpan<&'a str>, &'a Spanned<DeValue<'a>>)> {
        self.table.iter().map(|(key, value)| {
            let key = WithSpan {
                value: key.get_ref().as_ref(),
                span: key.span(),
            };
            (key, value)
        })
    }

    /// The span of a key itself, if it is there.
    pub(crate) fn key_span(&self, key: &str) -> Option<Range<usize>> {
        self.table.get_key_value(key).map(|(key, _)| key.span())
    }

    /// The raw value of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    /// A value that may be missing.
    pub(crate) fn optional<T: Read<'a>>(
        &self,
        key: &str,
        report: &mut Report,
    ) -> Option<WithSpan<T>> {
        read(key, self.get(key)?, report)
    }

    /// A value that has to be there.
    pub(crate) fn required<T: Read<'a>>(
        &self,
        key: &str,
        report: &mut Report,
    ) -> Option<WithSpan<T>> {
        let Some(value) = self.get(key) else {
            self.missing(key, report);
            return None;
        };
        read(key, value, report)
    }

    /// A text that has to be there and say something.
    pub fn text(&self, key: &str, report: &mut Report) -> Option<WithSpan<&'a str>> {
        let text = self.required::<&str>(key, report)?;
        if text.value.trim().is_empty() {
            report
                .error(Rule::EmptyText, text.span, format!("`{key}` is empty"))
                .hint("write the text between the quotes");
            return None;
        }
        Some(text)
    }

    /// A list of texts that has to be there. What is not a text is reported and left out.
    pub(crate) fn required_texts(
        &self,
        key: &str,
        report: &mut Report,
    ) -> Option<WithSpan<Vec<WithSpan<&'a str>>>> {
        let list = self.required::<&DeArray<'_>>(key, report)?;
        let texts = list.value.iter().filter_map(|it| read(key, it, report));
        Some(WithSpan {
            value: texts.collect(),
            span: list.span,
        })
    }

    /// A list of texts; empty when it is missing. What is not a text is reported and left out.
    pub fn texts(&self, key: &str, report: &mut Report) -> Vec<WithSpan<&'a str>> {
        self.list(key, report)
            .iter()
            .filter_map(|it| read(key, it, report))
            .collect()
    }

    /// A list of anything; empty when it is missing.
    pub fn list(&self, key: &str, report: &mut Report) -> &'a [Spanned<DeValue<'a>>] {
        self.optional::<&DeArray<'_>>(key, report)
            .map_or(&[], |it| it.value)
    }
}

/// Reads a document. The first syntax error is reported; the table holds what could still be read.
///
/// The spans of all syntax errors come back, too, so that a part which holds one can be left out.
pub fn document<'a>(
    text: &'a str,
    report: &mut Report,
) -> (Spanned<DeTable<'a>>, Vec<Range<usize>>) {
    let (table, mut errors) = DeTable::parse_recoverable(text);
    errors.sort_by_key(|it| it.span().map_or(0, |it| it.start));
    let spans = errors.iter().map(|it| it.span().unwrap_or(0..0)).collect();
    if let Some(first) = errors.first() {
        // The others mostly follow from it: a bracket that is not closed makes an error of every line.
        let span = first.span().unwrap_or(0..0);
        syntax::report(text, first.message(), span, errors.len() - 1, report);
    } else {
        syntax::check_escapes(text, report);
    }
    (table, spans)
}
