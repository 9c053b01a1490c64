//! What to try about text that is not TOML. The parser says what it expected; an author wants to know what to write.

use crate::diagnostics::{Report, Rule};
use std::ops::Range;

/// Reports the first syntax error of a text; `more` others may follow from it.
pub(super) fn report(
    text: &str,
    message: &str,
    span: Range<usize>,
    more: usize,
    report: &mut Report,
) {
    let line = Line::at(span.start, text);
    let message = message.trim_end().replace('\n', ", ");
    let (advice, place) = advice(&message, &line, span.start, text);
    let place = place.unwrap_or(span);
    let mut said = report.error(Rule::NotToml, place, format!("this is not TOML: {message}"));
    let mut hint = match advice {
        Some(Advice { hint, edit: None }) => hint,
        Some(Advice {
            hint,
            edit: Some((old, new)),
        }) => {
            said = said.fixed_by(&old, new);
            hint
        }
        None => "each line is `key = value`: texts are in quotes, lists in `[ ]`, tables in `{ }`"
            .to_owned(),
    };
    if more > 0 {
        hint = format!("{hint}; {more} more mistakes below may follow from this one");
    }
    said.hint(hint);
}

/// What to write, and the edit where there is exactly one.
struct Advice {
    hint: String,
    edit: Option<(String, String)>,
}

/// The line that an error is on.
struct Line<'a> {
    /// Its first byte.
    start: usize,
    text: &'a str,
    /// What is in front of the first `=`.
    key: &'a str,
    /// What is behind it.
    value: &'a str,
}

impl<'a> Line<'a> {
    fn at(byte: usize, text: &'a str) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let text = text.get(start..).unwrap_or_default();
        let text = text.lines().next().unwrap_or_default();
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        Self {
            start,
            text,
            key: key.trim(),
            value: value.trim(),
        }
    }
}

/// What to do about an error, and a better place for it.
fn advice(
    message: &str,
    line: &Line<'_>,
    at: usize,
    text: &str,
) -> (Option<Advice>, Option<Range<usize>>) {
    let hint = |hint: &str| {
        Some(Advice {
            hint: hint.to_owned(),
            edit: None,
        })
    };
    let (key, value) = (line.key, line.value);
    let advice = if message.starts_with("string values must be quoted") {
        return (Some(unquoted(key, value)), None);
    } else if message.starts_with("invalid boolean") {
        let lower = value.to_lowercase();
        ["true", "false"].contains(&lower.as_str()).then(|| Advice {
            hint: format!("write `{lower}` in lower-case letters"),
            edit: Some((value.to_owned(), lower.clone())),
        })
    } else if message.starts_with("invalid multi-line") {
        let opened = text.rfind("\"\"\"").or_else(|| text.rfind("'''"));
        return (
            hint(
                "the text that begins here is never closed: write the same three quotation marks behind it",
            ),
            opened.map(|it| it..it + 3),
        );
    } else if message.starts_with("invalid basic string") {
        hint(
            "close the text with `\"` on the same line; a text of several lines is between `\"\"\"` and `\"\"\"`",
        )
    } else if message.starts_with("missing escaped value") || message.starts_with("too few unicode")
    {
        hint(
            "write `\\\\` for a backslash, or put the text in single quotes, in which a backslash is a letter",
        )
    } else if message.starts_with("duplicate key") {
        hint("remove one of the two, or begin the next part with `[[question]]`")
    } else if message.starts_with("missing comma between") {
        return missing_comma(line, at, text);
    } else if message.starts_with("unclosed array table") || message.starts_with("unclosed table") {
        let name = line.text.trim().trim_matches(['[', ']']);
        hint(&format!(
            "write `[[{name}]]`, with two brackets on each side"
        ))
    } else if message.starts_with("unclosed array") {
        hint("write the `]` that ends the list")
    } else if message.starts_with("unclosed inline table") {
        hint("write the `}` that ends the table")
    } else if message.starts_with("key with no value") {
        Some(no_value(line))
    } else if message.starts_with("unexpected key or value") {
        Some(behind_value(value))
    } else if message.starts_with("unexpected leading zero") {
        let number = value.trim_start_matches('0');
        hint(&format!(
            "write the number without the zero: `{key} = {number}`"
        ))
    } else if message.starts_with("invalid mantissa") {
        hint(&format!(
            "write a digit in front of the point: `{key} = 0{value}`"
        ))
    } else if message.starts_with("extra comma") {
        hint("remove one of the two commas")
    } else {
        None
    };
    (advice, None)
}

/// A value that is neither a text in quotes nor anything else.
fn unquoted(key: &str, value: &str) -> Advice {
    if value.is_empty() {
        return Advice {
            hint: format!("write a value behind `{key} =`, on the same line"),
            edit: None,
        };
    }
    let is_number = value.starts_with(|it: char| it.is_ascii_digit());
    if is_number && let Some((number, rest)) = value.split_once(char::is_whitespace) {
        let number = number.to_owned();
        return Advice {
            hint: format!(
                "write the number alone, `{key} = {number}`, or put a text in quotes: `{key} = \"{value}\"`"
            ),
            edit: (key == "minutes" && !rest.contains('#')).then(|| (value.to_owned(), number)),
        };
    }
    // Curly quotation marks of a word processor, or none at all; lists and tables are for their author to look at.
    let bare = value.trim_matches(['“', '”', '„', '‘', '’', '«', '»']);
    let is_plain = !bare.contains(['"', '\\', '#', '[', ']', '{', '}', '=', ',']);
    let quoted = format!("\"{bare}\"");
    let why = if bare == value {
        "texts are in quotes"
    } else {
        "texts are in straight quotes"
    };
    Advice {
        hint: format!("{why}: `{key} = {quoted}`"),
        edit: is_plain.then(|| (value.to_owned(), quoted)),
    }
}

/// The place of a missing comma is behind what it follows, which `end` is in front of.
fn missing_comma(
    line: &Line<'_>,
    end: usize,
    text: &str,
) -> (Option<Advice>, Option<Range<usize>>) {
    let above = text.get(..end).unwrap_or_default().trim_end();
    let last = above.chars().next_back().map_or(0, char::len_utf8);
    let place = above.len() - last..above.len();
    let is_key = |it: char| it.is_alphanumeric() || ['-', '_', '.'].contains(&it);
    let begins_a_key = line.text.contains('=') && line.key.chars().all(is_key);
    let hint = if begins_a_key && end >= line.start && above.len() < line.start {
        "write the `]` or `}` that ends what is above, or a comma"
    } else {
        "write a comma behind each entry of a list or a table"
    };
    let hint = hint.to_owned();
    (Some(Advice { hint, edit: None }), Some(place))
}

/// A line without `=`.
fn no_value(line: &Line<'_>) -> Advice {
    let text = line.text.trim();
    let hint = if text.starts_with("//") || text.starts_with("<!--") {
        "a comment begins with `#`".to_owned()
    } else if let Some((key, value)) = text.split_once(':') {
        format!(
            "write `=` in place of `:`, as in `{} = {}`",
            key.trim(),
            value.trim()
        )
    } else if text.starts_with("- ") {
        "a list is between brackets: `key = [\"one\", \"two\"]`".to_owned()
    } else {
        "write `key = value`".to_owned()
    };
    Advice { hint, edit: None }
}

/// Something behind a value that is whole.
fn behind_value(value: &str) -> Advice {
    let is_number = value.starts_with(|it: char| it.is_ascii_digit() || it == '-');
    let hint = if is_number && value.contains(',') {
        let (point, none) = (value.replace(',', "."), value.replace(',', "_"));
        format!("write a decimal point, `{point}`, or `{none}` for thousands")
    } else if value.starts_with(['"', '\'']) {
        "a quotation mark inside of a text ends it: write `\\\"`, or put the text between `\"\"\"` and `\"\"\"`".to_owned()
    } else {
        "write one key with its value on each line".to_owned()
    };
    Advice { hint, edit: None }
}
