//! Quotation marks inside of a text that they end.

use super::{Advice, Found, Line, Outline};

/// What to do about a quotation mark that is a part of its text.
const INNER_QUOTE: &str = "a quotation mark inside of a text ends it: write `\\\"`, or put the text between `\"\"\"` and `\"\"\"`";

/// What to do about an apostrophe that is a part of its text.
const APOSTROPHE: &str = "an apostrophe inside of a text between `'` and `'` ends it: put the text between `\"` and `\"`";

/// What to do about the mark that begins a value and is inside of it, too.
pub(super) fn mark_inside(value: &str) -> &'static str {
    if value.starts_with('\'') {
        APOSTROPHE
    } else {
        INNER_QUOTE
    }
}

/// Three quotation marks, such as those of a docstring, inside of a text that is between three of them.
pub(super) fn inner_marks(
    line: &Line<'_>,
    at: usize,
    text: &str,
    outline: &Outline,
) -> Option<Found> {
    let outer = outline.long_text_before(at, text)?;
    let marks = text.get(outer.end.checked_sub(3)?..outer.end)?;
    let rest = text.get(at..line.span.end)?;
    let other = if marks == "\"\"\"" { "'''" } else { "\"\"\"" };
    if !rest.starts_with(char::is_alphanumeric) || !rest.contains(marks) {
        return None;
    }
    let number = text.get(..outer.start)?.matches('\n').count() + 1;
    Some(Found {
        place: Some(outer.end - 3..outer.end),
        advice: Some(Advice::hint(format!(
            "`{marks}` ends the text that begins in line {number}: write `{other}` inside of it, or put the whole text between `{other}`"
        ))),
    })
}

/// Such a mark in a text of a list or a table, where `end` is behind it: then comes neither a key nor another value.
pub(super) fn inner_quote(line: &Line<'_>, end: usize, text: &str) -> Option<Found> {
    let above = text.get(line.span.start..end)?.trim_end();
    let rest = text.get(end..line.span.end)?.trim_start();
    let is_key = |it: char| it.is_alphanumeric() || ['-', '_', '.'].contains(&it);
    let behind = rest.trim_start_matches(is_key);
    let begins_a_key = behind.len() < rest.len() && behind.trim_start().starts_with('=');
    let begins_a_value = rest.starts_with(['"', '\'', '[', '{', ']', '}', '#']);
    let mark = above.chars().next_back().filter(|it| "\"'".contains(*it))?;
    if begins_a_key || begins_a_value || !behind.contains(mark) {
        return None;
    }
    let quote = line.span.start + above.len() - 1;
    Some(Found {
        place: Some(quote..quote + 1),
        advice: Some(Advice::hint(mark_inside(above.get(above.len() - 1..)?))),
    })
}
