//! Words in braces that are no name, in the texts of a question whose numbers are drawn or given by its versions.

use crate::diagnostics::{Report, Rule, nearest};
use crate::toml_walk::{FileOffsets, WithSpan};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// Warns about each word in braces that is no name: learners would read it as it is typed.
pub(super) fn warn(value: &Spanned<DeValue<'_>>, names: &[&str], file: &str, report: &mut Report) {
    match value.get_ref() {
        DeValue::String(text) => {
            let text = WithSpan {
                value: text.as_ref(),
                span: value.span(),
            };
            for (span, name) in doubled(&text, names, file) {
                let message =
                    format!("the value of `{name}` stands here, in one pair of braces more");
                report
                    .warning(Rule::UnfilledName, span, message)
                    .replaced_by(format!("{{{name}}}"))
                    .hint(format!("write one pair of braces: `{{{name}}}`"));
            }
            for (span, name, format) in formatted(&text, names, file) {
                let digits = format.strip_prefix(":.");
                let digits = digits.and_then(|it| it.strip_suffix('f'));
                let rounded = match digits.and_then(|it| it.parse::<u8>().ok()) {
                    Some(digits) if names.contains(&"answer") => {
                        format!("`{{round({name}, {digits})}}`")
                    }
                    Some(_) | None => format!("`{{{name}}}`"),
                };
                let message = format!(
                    "braces take no format as in Python, so learners read `{{{name}{format}}}`"
                );
                report
                    .warning(Rule::UnfilledName, span, message)
                    .hint(format!(
                        "write {rounded}: of a number, six digits are shown at most"
                    ));
            }
            for word in unknown(&text, names, file) {
                let written = word.value;
                let message = format!(
                    "`{written}` is not a name of this question, so learners read `{{{written}}}`"
                );
                report
                    .warning(Rule::UnfilledName, word.span, message)
                    .known(written, names);
            }
        }
        DeValue::Array(list) => {
            for value in list {
                warn(value, names, file, report);
            }
        }
        DeValue::Table(table) => {
            for (_, value) in table {
                warn(value, names, file, report);
            }
        }
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => {}
    }
}

/// The words in braces that are no name, and where each is in the file.
pub(super) fn unknown<'t>(
    text: &WithSpan<&'t str>,
    names: &[&str],
    file: &str,
) -> Vec<WithSpan<&'t str>> {
    let spot = FileOffsets::of(text, file);
    let words = words(text.value).filter(|(at, word)| {
        // In code, `{x}` is mostly Python's; there, only what is nearly a name is a mistake.
        let is_code = text
            .value
            .get(..*at)
            .unwrap_or_default()
            .matches('`')
            .count()
            % 2
            == 1;
        !names.contains(word) && (!is_code || nearest(word, names.iter().copied()).is_some())
    });
    let place = |at: usize, word: &str| -> Range<usize> { spot.span(&(at..at + word.len())) };
    let words = words.map(|(at, word)| WithSpan {
        value: word,
        span: place(at, word),
    });
    words.collect()
}

/// Names in two pairs of braces, as templates of other tools have them, and where each is in the file.
fn doubled<'n>(
    text: &WithSpan<&str>,
    names: &[&'n str],
    file: &str,
) -> Vec<(Range<usize>, &'n str)> {
    let spot = FileOffsets::of(text, file);
    let places = text.value.match_indices("{{").filter_map(|(at, _)| {
        let inside = text.value.get(at + 2..)?.trim_start();
        names.iter().find_map(|name| {
            let behind = inside.strip_prefix(name)?.trim_start().strip_prefix("}}")?;
            let end = text.value.len() - behind.len();
            Some((spot.span(&(at..end)), *name))
        })
    });
    places.collect()
}

/// Names in braces with a format behind them, as in an f-string of Python; where each is in the file, and the format.
fn formatted<'t, 'n>(
    text: &WithSpan<&'t str>,
    names: &[&'n str],
    file: &str,
) -> Vec<(Range<usize>, &'n str, &'t str)> {
    let spot = FileOffsets::of(text, file);
    let places = text.value.match_indices('{').filter_map(|(at, _)| {
        let (inside, _) = text.value.get(at + 1..)?.split_once('}')?;
        let (name, format) = inside.split_at_checked(inside.find([':', '!'])?)?;
        let name = names.iter().find(|it| **it == name.trim())?;
        let before = text.value.get(..at)?;
        // In code, it is Python's.
        let is_code = before.matches('`').count() % 2 == 1;
        (!is_code).then(|| (spot.span(&(at..at + inside.len() + 2)), *name, format))
    });
    places.collect()
}

/// What is in braces and has the form of a name, and its first byte.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('{').filter_map(|(at, _)| {
        let (inside, _) = text.get(at + 1..)?.split_once('}')?;
        let is_name = inside.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && inside
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || it == '_');
        is_name.then_some((at + 1, inside))
    })
}
