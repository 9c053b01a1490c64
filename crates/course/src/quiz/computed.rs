//! The numbers that are drawn for a computed question, and its answers.
//!
//! A question with `draw` is a question in versions whose numbers and answers nobody had to write. The versions are the same
//! on every machine and at every time, so an attempt can go on anywhere, and `warpup check` proves each of them.

use super::braces;
use super::expression::{FUNCTIONS, value};
use super::kind::{COMMON, VERSION};
use super::kinds::TYPES;
use crate::diagnostics::{Report, Rule, few, nearest};
use crate::toml_walk::WithSpan;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The key that holds the numbers.
pub(super) const DRAW: &str = "draw";

/// The type of the questions that draw.
pub(super) const DRAWING: &str = "numeric";

/// Versions of a question, at most.
const MOST: usize = 12;

/// Numbers under one name, at most.
const MOST_NUMBERS: usize = 1000;

/// One drawn version.
#[derive(Debug)]
pub(super) struct Draw {
    /// The numbers by name, and the answer.
    names: BTreeMap<String, f64>,
    /// The numbers by name, as they are written.
    written: BTreeMap<String, String>,
    /// The answer as TOML, where it is computed.
    pub(super) answer: Option<String>,
    /// The value of each near miss as TOML, where it is computed.
    pub(super) near: Vec<Option<String>>,
}

/// The drawn versions of a question; nothing where it draws none, and an empty list where that is wrong.
pub(super) fn draws(
    value: &Spanned<DeValue<'_>>,
    file: &str,
    report: &mut Report,
) -> Option<Vec<Draw>> {
    let question = value.get_ref().as_table()?;
    let (key, drawn) = question.get_key_value(DRAW)?;
    let all = (!holds_keys(key.span(), drawn.get_ref(), file, report))
        .then(|| goes_with_draw(question, key.span(), report))
        .flatten()
        .and_then(|()| drawn_versions(question, key.span(), drawn.get_ref(), file, report));
    if let Some(first) = all.iter().flatten().next() {
        let names: Vec<&str> = first.names.keys().map(String::as_str).collect();
        braces::warn(value, &names, file, report);
    }
    Some(all.unwrap_or_default())
}

fn drawn_versions(
    question: &DeTable<'_>,
    span: Range<usize>,
    drawn: &DeValue<'_>,
    file: &str,
    report: &mut Report,
) -> Option<Vec<Draw>> {
    let Some(drawn) = drawn.as_table() else {
        report
            .error(Rule::DrawForm, span, "`draw` gives a name to numbers")
            .hint("write `draw = { million = [25, 60, 125] }`");
        return None;
    };
    let columns = columns(drawn, report)?;
    let total = columns.iter().map(|(_, it)| it.len()).product::<usize>();
    if total < 2 {
        report
            .error(Rule::DrawForm, span, "there is only one number to draw")
            .hint("write two numbers or more, such as `million = [25, 60, 125]`");
        return None;
    }
    if let Some((unused, _)) = columns.iter().find(|it| !uses(question, &it.0)) {
        let names: Vec<&str> = columns.iter().map(|it| it.0.as_str()).collect();
        let words = unfilled(question, &names, file);
        if let Some((at, meant)) = meant_by_answer(question, drawn, unused, &words) {
            let message =
                format!("the prompt and `answer` have `{meant}`, and `draw` has `{unused}`");
            report.error(Rule::UnusedName, at, message).did_you_mean_or(
                unused,
                [meant],
                format!("write `{meant}`"),
            );
            return None;
        }
        unused_name(span, unused, &words, report);
        return None;
    }
    let mut all = Vec::new();
    for index in spread(total) {
        all.push(draw(question, &columns, index, report)?);
    }
    Some(all)
}

/// The numbers of each name, each with its text. Nothing if one of them is wrong; what follows from that says nothing new.
fn columns(drawn: &DeTable<'_>, report: &mut Report) -> Option<Vec<Column>> {
    let mut columns = Vec::new();
    for (key, value) in drawn {
        let name = key.get_ref().as_ref();
        let is_name = name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
            && name
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || it == '_');
        if !is_name || name == "answer" || FUNCTIONS.iter().any(|it| it.0 == name) {
            let message = format!("`{name}` cannot be the name of a drawn number");
            report
                .error(Rule::DrawForm, key.span(), message)
                .hint("write letters, digits and `_`, and not the name of a function");
            return None;
        }
        let numbers = numbers(value);
        if numbers.is_empty() || numbers.len() > MOST_NUMBERS {
            let message = format!("`{name}` is not a list of numbers");
            report
                .error(Rule::DrawForm, value.span(), message)
                .hint(instead_of(name, value.get_ref()));
            return None;
        }
        columns.push((name.to_owned(), numbers));
    }
    Some(columns)
}

/// What to write in place of something that is not a list of numbers.
fn instead_of(name: &str, value: &DeValue<'_>) -> String {
    let list = value.as_array().into_iter().flatten();
    let texts: Vec<&str> = list.filter_map(|it| it.get_ref().as_str()).collect();
    let are_numbers = texts.iter().all(|it| it.trim().parse::<f64>().is_ok());
    match texts.first() {
        Some(_) if are_numbers => format!(
            "write the numbers without quotes: `{name} = [{}]`",
            few(texts.iter().map(|it| it.trim()))
        ),
        Some(first) => format!(
            "only numbers are drawn; for words, leave `draw` out, and write a `[[question.version]]` for each, with `{name} = \"{first}\"`, its numbers and its `answer`"
        ),
        None => "write `[25, 60, 125]`, or `{ from = 10, to = 200, step = 10 }`".to_owned(),
    }
}

/// Reports a line `[question.draw]` in the middle of a question: what is below it belongs to the table, and was meant for the
/// question.
fn holds_keys(span: Range<usize>, drawn: &DeValue<'_>, file: &str, report: &mut Report) -> bool {
    let is_line = file.get(..span.start).is_some_and(|it| it.ends_with('.'));
    let keys = drawn.as_table().into_iter().flatten();
    let mut keys: Vec<_> = keys
        .map(|it| it.0)
        .filter(|it| is_key(it.get_ref()))
        .collect();
    keys.sort_by_key(|it| it.span().start);
    let Some(first) = keys.first().filter(|_| is_line) else {
        return false;
    };
    let message = format!("`{}` below this line belongs to `draw`", first.get_ref());
    report.error(Rule::DrawForm, span, message).hint(
        "a line `[question.draw]` begins a table to which all lines below it belong: write `draw = { … }` in place of it, or put it at the end of the question",
    );
    true
}

/// Whether a name is a key of the questions that draw, other than those that may well be names of numbers.
fn is_key(name: &str) -> bool {
    let of_type = TYPES.iter().filter(|it| it.word == DRAWING);
    let mut keys = of_type.flat_map(|it| it.keys).chain(&COMMON);
    keys.any(|it| *it == name) && name != "points"
}

/// A name, and its numbers with their texts.
type Column = (String, Vec<(f64, String)>);

/// The numbers of a list, or of `{ from, to, step }`.
fn numbers(value: &Spanned<DeValue<'_>>) -> Vec<(f64, String)> {
    match value.get_ref() {
        DeValue::Array(list) => {
            let numbers = list.iter().map(|it| number(it.get_ref()));
            numbers.collect::<Option<_>>().unwrap_or_default()
        }
        DeValue::Table(table) => {
            let of = |key: &str| Some(number(table.get(key)?.get_ref())?.0);
            let step = if table.contains_key("step") {
                of("step")
            } else {
                Some(1.0)
            };
            let is_known = |key: &str| ["from", "to", "step"].contains(&key);
            let (Some(from), Some(to), Some(step)) = (of("from"), of("to"), step) else {
                return Vec::new();
            };
            if step <= 0.0 || !table.keys().all(|it| is_known(it.get_ref())) {
                return Vec::new();
            }
            // Half a step more, so that the last one is not lost to rounding.
            let all = (0..=MOST_NUMBERS).map(|at| from + at as f64 * step);
            let all = all.take_while(|it| *it < to + step / 2.0);
            // What is computed with is what learners read.
            let all = all.map(shown);
            all.filter_map(|it| Some((it.parse().ok()?, it))).collect()
        }
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => Vec::new(),
    }
}

/// A number, and how it is written.
fn number(value: &DeValue<'_>) -> Option<(f64, String)> {
    let (text, number) = match value {
        DeValue::Integer(it) => {
            let number = i64::from_str_radix(it.as_str(), it.radix()).ok()?;
            (it.as_str(), number as f64)
        }
        DeValue::Float(it) => (it.as_str(), it.as_str().parse().ok()?),
        DeValue::String(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => return None,
    };
    Some((number, text.to_owned()))
}

/// Some of so many combinations, spread over all of them. Neighbours differ in each name.
fn spread(total: usize) -> impl Iterator<Item = usize> {
    let divides = |step: usize| {
        let (mut a, mut b) = (total, step);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    // Near the golden section, where multiples are spread best.
    let first = (total * 618 / 1000).max(1);
    let step = (first..=total + 1).find(|it| divides(*it)).unwrap_or(1);
    (0..total.min(MOST)).map(move |at| at * step % total)
}

/// The version with this number, and what it computes.
fn draw(
    question: &DeTable<'_>,
    columns: &[Column],
    index: usize,
    report: &mut Report,
) -> Option<Draw> {
    let mut rest = index;
    let mut drawn = Draw {
        names: BTreeMap::new(),
        written: BTreeMap::new(),
        answer: None,
        near: Vec::new(),
    };
    for (name, numbers) in columns {
        let (value, text) = numbers.get(rest % numbers.len())?;
        rest /= numbers.len();
        drawn.names.insert(name.clone(), *value);
        drawn.written.insert(name.clone(), text.clone());
    }
    if let Some(answer) = question.get("answer") {
        let computed = computed(answer, &drawn, report)?.number();
        let number = computed.or_else(|| Some(number(answer.get_ref())?.0));
        drawn.answer = computed.map(|it| format!("{it:?}"));
        drawn
            .names
            .extend(number.map(|it| ("answer".to_owned(), it)));
    }
    let near = question.get("near").and_then(|it| it.get_ref().as_array());
    for miss in near.into_iter().flatten() {
        let value = miss.get_ref().as_table().and_then(|it| it.get("value"));
        let value = match value {
            Some(value) => computed(value, &drawn, report)?.number(),
            None => None,
        };
        drawn.near.push(value.map(|it| format!("{it:?}")));
    }
    Some(drawn)
}

/// What an answer or a near miss is with the drawn numbers.
#[derive(Clone, Copy, Debug)]
enum ComputedValue {
    /// What is written: a number.
    Stays,
    /// The value of an expression.
    As(f64),
}

impl ComputedValue {
    fn number(self) -> Option<f64> {
        match self {
            Self::Stays => None,
            Self::As(number) => Some(number),
        }
    }
}

/// The value of an expression in quotes. Nothing if it cannot be computed.
fn computed(
    written: &Spanned<DeValue<'_>>,
    drawn: &Draw,
    report: &mut Report,
) -> Option<ComputedValue> {
    let Some(text) = written.get_ref().as_str() else {
        return Some(ComputedValue::Stays);
    };
    match value(text, &drawn.names) {
        // Not 4.800000000000001, which nobody types.
        Ok(value) => {
            let rounded = format!("{value:.12e}").parse().unwrap_or(value);
            Some(ComputedValue::As(rounded))
        }
        Err(why) => {
            let with: Vec<String> = drawn
                .written
                .iter()
                .map(|it| format!("{} = {}", it.0, it.1))
                .collect();
            let message = format!(
                "`{text}` cannot be computed with {}: {why}",
                with.join(", ")
            );
            report
                .error(Rule::Expression, written.span(), message)
                .hint("write arithmetic as in Python, with the names of `draw`, such as \"million * 16\"");
            None
        }
    }
}

impl Draw {
    /// A text with the value of each `{expression}` in its place, if it uses a name.
    pub(super) fn fill(&self, text: &str) -> Option<String> {
        let mut filled = String::new();
        let mut rest = text;
        let mut is_changed = false;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inside, behind)) = after.split_once('}') else {
                break;
            };
            filled.push_str(before);
            match self.inside(inside) {
                Some(by) => {
                    filled.push_str(&by);
                    is_changed = true;
                    rest = behind;
                }
                None => {
                    filled.push('{');
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        is_changed.then_some(filled)
    }

    /// What is written for the text between two braces.
    fn inside(&self, text: &str) -> Option<String> {
        if let Some(written) = self.written.get(text) {
            return Some(written.clone());
        }
        let has_name = words(text).any(|it| self.names.contains_key(it));
        let value = value(text, &self.names).ok().filter(|_| has_name)?;
        Some(shown(value))
    }
}

/// The words in braces in the prompt that differ from all of these names.
fn unfilled<'q>(question: &'q DeTable<'_>, names: &[&str], file: &str) -> Vec<WithSpan<&'q str>> {
    let prompt = question.get("prompt").and_then(|it| {
        let value = it.get_ref().as_str()?;
        let span = it.span();
        Some(WithSpan { value, span })
    });
    let words = prompt.map(|it| braces::unknown(&it, names, file));
    words.unwrap_or_default()
}

/// The word that prompt and `answer` have for this name of `draw`, and where the name is: it is `draw` that differs.
fn meant_by_answer<'q>(
    question: &DeTable<'_>,
    drawn: &DeTable<'_>,
    unused: &str,
    unfilled: &[WithSpan<&'q str>],
) -> Option<(Range<usize>, &'q str)> {
    let answer = question.get("answer")?.get_ref().as_str()?;
    let is_in_answer = |name: &str| words(answer).any(|it| it == name);
    let meant = unfilled
        .iter()
        .find(|it| is_in_answer(it.value) && nearest(it.value, [unused]).is_some())?;
    let key = drawn.keys().find(|it| it.get_ref().as_ref() == unused)?;
    (!is_in_answer(unused)).then(|| (key.span(), meant.value))
}

/// Reports a name that the prompt does not have: at a word in its braces that may be meant to be this one, if there is one.
fn unused_name(span: Range<usize>, unused: &str, words: &[WithSpan<&str>], report: &mut Report) {
    let message = format!("the prompt has no `{{{unused}}}`");
    let near = words
        .iter()
        .find(|it| nearest(it.value, [unused]).is_some());
    match near.or(words.first()) {
        Some(word) => {
            let meant = format!("did you mean `{unused}`?");
            report
                .error(Rule::UnusedName, word.span.clone(), message)
                .did_you_mean_or(word.value, [unused], meant);
        }
        None => report
            .error(Rule::UnusedName, span, message)
            .hint("learners have to see the number: write it into the prompt"),
    }
}

/// Whether the prompt has a name in braces: learners have to see the numbers.
fn uses(question: &DeTable<'_>, name: &str) -> bool {
    let prompt = question.get("prompt").and_then(|it| it.get_ref().as_str());
    let braces = prompt.unwrap_or_default().split('{').skip(1);
    let mut inside = braces.filter_map(|it| Some(it.split_once('}')?.0));
    inside.any(|it| words(it).any(|word| word == name))
}

/// What may be names in an expression.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_')
}

/// A number with at most six digits that matter: `400`, `476.837`.
fn shown(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{value}");
    }
    let rounded = format!("{value:.5e}").parse::<f64>();
    rounded.map_or_else(|_| format!("{value}"), |it| format!("{it}"))
}

/// Refuses what does not go with `draw`.
fn goes_with_draw(question: &DeTable<'_>, span: Range<usize>, report: &mut Report) -> Option<()> {
    let word = question.get("type").and_then(|it| it.get_ref().as_str());
    let (message, hint) = if word != Some(DRAWING) {
        (
            "only a numeric question draws numbers",
            "write the versions yourself, as `[[question.version]]`",
        )
    } else if question.contains_key(VERSION) {
        (
            "a question has either `draw` or versions",
            "leave one of them out",
        )
    } else {
        return Some(());
    };
    report.error(Rule::DrawForm, span, message).hint(hint);
    None
}
