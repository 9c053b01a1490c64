//! A question in several versions: the same question with other numbers, of which an attempt asks one.
//!
//! Versions are written as tables in the question. Each becomes a question of its own before anything is read, so that
//! nothing else has to know how it was written.

use super::braces;
use super::computed::{DRAW, Draw};
use super::kind::{COMMON, VERSION};
use super::kinds::{Counts, TYPES};
use crate::diagnostics::{Report, Rule};
use crate::model::QuestionId;
use crate::toml_walk::{Fields, WithSpan, read};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is the same in all versions, so that each attempt has the same points.
const FIXED: [&str; 6] = ["id", "type", "points", "short", "always", "see"];

/// The questions that a table describes: one, or one for each version.
#[derive(Debug)]
pub(super) struct Versions<'a> {
    /// The tables of the questions.
    pub(super) tables: Vec<Spanned<DeValue<'a>>>,
    /// The name of the question that they are versions of; `None` where there are no versions.
    pub(super) of: Option<QuestionId>,
}

/// Divides a question into its versions. What cannot be divided is reported and has no table.
pub(super) fn versions<'a>(
    value: &'a Spanned<DeValue<'a>>,
    draws: Option<&'a [Draw]>,
    file: &str,
    report: &mut Report,
) -> Versions<'a> {
    let whole = || Versions {
        tables: vec![value.clone()],
        of: None,
    };
    let Some(table) = value.get_ref().as_table() else {
        return whole();
    };
    if let Some(draws) = draws {
        let all = (1..).zip(draws);
        return Versions {
            tables: all.map(|(at, it)| drawn(value, table, it, at)).collect(),
            of: word(table, "id").map(QuestionId::new),
        };
    }
    if !table.contains_key(VERSION) {
        return whole();
    }
    Versions {
        tables: divided(value, table, file, report).unwrap_or_default(),
        of: word(table, "id").map(QuestionId::new),
    }
}

/// The version of a question with these numbers.
fn drawn<'a>(
    value: &Spanned<DeValue<'a>>,
    table: &DeTable<'a>,
    draw: &'a Draw,
    number: usize,
) -> Spanned<DeValue<'a>> {
    let mut table = table.clone();
    table.remove(DRAW);
    if let Some(answer) = table.get_mut("answer") {
        replace(answer, draw.answer.as_deref());
    }
    if let Some(DeValue::Array(near)) = table.get_mut("near").map(Spanned::get_mut) {
        for (miss, value) in near.iter_mut().zip(&draw.near) {
            if let DeValue::Table(miss) = miss.get_mut()
                && let Some(written) = miss.get_mut("value")
            {
                replace(written, value.as_deref());
            }
        }
    }
    for (_, value) in &mut table {
        fill(value.get_mut(), &mut |text| draw.fill(text));
    }
    count(&mut table, number);
    Spanned::new(value.span(), DeValue::Table(table))
}

/// Puts a computed number, as TOML, in the place of its expression.
fn replace<'a>(written: &mut Spanned<DeValue<'a>>, computed: Option<&'a str>) {
    if let Some(Ok(computed)) = computed.map(DeValue::parse) {
        *written.get_mut() = computed.into_inner();
    }
}

/// Gives every version but the first a name of its own.
fn count(table: &mut DeTable<'_>, number: usize) {
    if number > 1
        && let Some(id) = table.get_mut("id")
        && let Some(name) = id.get_ref().as_str()
    {
        *id.get_mut() = DeValue::String(Cow::Owned(format!("{name}-{number}")));
    }
}

fn divided<'a>(
    value: &'a Spanned<DeValue<'a>>,
    table: &'a DeTable<'a>,
    file: &str,
    report: &mut Report,
) -> Option<Vec<Spanned<DeValue<'a>>>> {
    let fields = Fields::new("question", table, value.span());
    let key = fields.key_span(VERSION)?;
    let of_type = TYPES.iter().find(|it| Some(it.word) == word(table, "type"));
    if let Some(of_type) = of_type
        && of_type.counts != Counts::Always
    {
        let message = format!("a {} question has no versions", of_type.word);
        report
            .error(Rule::VersionsNotAllowed, key, message)
            .hint("only questions that always count are drawn for an attempt");
        return None;
    }
    let list = fields.list(VERSION, report);
    let read_table = |it| read::<&DeTable<'_>>(VERSION, it, report);
    let list: Vec<WithSpan<&DeTable<'_>>> = list.iter().filter_map(read_table).collect();
    let [first, _, ..] = list.as_slice() else {
        report
            .error(Rule::OneVersion, key, "a question has two versions or more")
            .hint("write another `[[question.version]]`, or put these keys into the question");
        return None;
    };
    let known = known(of_type.map_or(&[], |it| it.keys));
    let names = names(first.value, &known);
    let mut used = BTreeSet::new();
    let mut filled = BTreeSet::new();
    let mut tables = Vec::new();
    for (number, version) in (1..).zip(&list) {
        let texts = texts(version, &names, &known, report)?;
        filled.extend(texts.keys().cloned());
        let mut table = table.clone();
        table.remove(VERSION);
        for (key, value) in version.value {
            if known.contains(&key.get_ref().as_ref()) {
                table.insert(key.clone(), value.clone());
            }
        }
        for (_, value) in &mut table {
            fill(value.get_mut(), &mut |text| named(text, &texts, &mut used));
        }
        count(&mut table, number);
        tables.push(Spanned::new(value.span(), DeValue::Table(table)));
    }
    for (key, _) in first.value {
        let name = key.get_ref().as_ref();
        if names.contains(name) && !used.contains(name) {
            let message = format!("no text of the question has `{{{name}}}`");
            report
                .error(Rule::UnusedName, key.span(), message)
                .known(name, &known);
            return None;
        }
    }
    let filled: Vec<&str> = filled.iter().map(String::as_str).collect();
    braces::warn(value, &filled, file, report);
    Some(tables)
}

/// The keys that a version may have of its own instead of the question's.
fn known(of_type: &'static [&'static str]) -> Vec<&'static str> {
    let all = COMMON.iter().chain(of_type).copied();
    all.filter(|it| !FIXED.contains(it) && *it != VERSION)
        .collect()
}

/// The names that a version gives to its numbers.
fn names<'t>(version: &'t DeTable<'_>, known: &[&str]) -> BTreeSet<&'t str> {
    let keys = version.keys().map(|it| it.get_ref().as_ref());
    keys.filter(|it| !known.contains(it)).collect()
}

/// What each name of a version is replaced by. Nothing if the version does not give what the first one gives.
fn texts(
    version: &WithSpan<&DeTable<'_>>,
    names: &BTreeSet<&str>,
    known: &[&str],
    report: &mut Report,
) -> Option<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for (key, value) in version.value {
        let name = key.get_ref().as_ref();
        if FIXED.contains(&name) {
            let message = format!("`{name}` is the same in all versions");
            report
                .error(Rule::FixedInVersions, key.span(), message)
                .hint("write it above the first `[[question.version]]`: all lines below that belong to the version");
            return None;
        }
        let is_name = !known.contains(&name);
        if is_name && !names.contains(name) {
            let message = format!("the first version has no `{name}`");
            report
                .error(Rule::UnknownName, key.span(), message)
                .known(name, &names.iter().copied().collect::<Vec<_>>());
            return None;
        }
        match (text_of(value.get_ref()), is_name) {
            (Some(text), _) => drop(texts.insert(name.to_owned(), text)),
            (None, true) => {
                let message = format!("`{name}` should be a number or a text in quotes");
                report
                    .error(Rule::WrongType, value.span(), message)
                    .hint("put it in quotes, or correct the name of a key that it replaces");
                return None;
            }
            // A list of options, for example, replaces the question's, and no text.
            (None, false) => {}
        }
    }
    if let Some(missing) = names.iter().find(|it| !texts.contains_key(**it)) {
        let message = format!("this version has no `{missing}`");
        report
            .error(Rule::MissingKey, version.span.clone(), message)
            .hint("all versions have the same names: write it here, too");
        return None;
    }
    Some(texts)
}

/// A number or a text as it is written.
fn text_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(it) => Some(it.to_string()),
        DeValue::Integer(it) => Some(it.as_str().to_owned()),
        DeValue::Float(it) => Some(it.as_str().to_owned()),
        DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// A text with each name in braces replaced; nothing where it has none.
fn named(
    text: &str,
    texts: &BTreeMap<String, String>,
    used: &mut BTreeSet<String>,
) -> Option<String> {
    let mut filled = None;
    for (name, by) in texts {
        let name_in_text = format!("{{{name}}}");
        let before = filled.as_deref().unwrap_or(text);
        if before.contains(&name_in_text) {
            used.insert(name.clone());
            filled = Some(before.replace(&name_in_text, by));
        }
    }
    filled
}

/// Replaces what is in braces in all texts of a value.
fn fill(value: &mut DeValue<'_>, filled: &mut impl FnMut(&str) -> Option<String>) {
    match value {
        DeValue::String(text) => {
            if let Some(filled) = filled(text) {
                *text = Cow::Owned(filled);
            }
        }
        DeValue::Array(list) => {
            for value in list.iter_mut() {
                fill(value.get_mut(), filled);
            }
        }
        DeValue::Table(table) => {
            for (_, value) in table.iter_mut() {
                fill(value.get_mut(), filled);
            }
        }
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => {}
    }
}

fn word<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t str> {
    table.get(key)?.get_ref().as_str()
}
