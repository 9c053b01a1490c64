//! What to try about text that is not TOML. The parser says what it expected; an author wants to know what to write.

mod escapes;
mod inner_quote;
mod line;
mod outline;
mod value;

use crate::diagnostics::{Report, Rule};
pub(super) use escapes::check as check_escapes;
use inner_quote::{inner_marks, inner_quote, mark_inside};
use line::Line;
use outline::{Outline, line_end};
use std::ops::Range;
use value::CURLY;
pub(crate) use value::as_share;

/// Longer lines are not repeated in a help.
const MAX_SHOWN: usize = 120;

/// Reports the first syntax error of a text; `more` others may follow from it.
pub(super) fn report(
    text: &str,
    message: &str,
    span: Range<usize>,
    more: usize,
    report: &mut Report,
) {
    let message = message.trim_end().replace('\n', ", ");
    let Found { place, advice } = found(&message, &span, text);
    let place = place.unwrap_or(span);
    let mut said = report.error(Rule::NotToml, place, format!("this is not TOML: {message}"));
    let Advice { mut hint, edit } = advice.unwrap_or_else(|| {
        Advice::hint(
            "each line is `key = value`: texts are in quotes, lists in `[ ]`, tables in `{ }`",
        )
    });
    if let Some((old, new)) = edit {
        said = said.fixed_by(&old, new);
    }
    if more > 0 {
        let mistakes = if more == 1 { "mistake" } else { "mistakes" };
        hint = format!("{hint}; {more} more {mistakes} below may follow from this one");
    }
    said.hint(hint);
}

/// What to write, and the edit where there is exactly one.
struct Advice {
    hint: String,
    edit: Option<(String, String)>,
}

impl Advice {
    fn hint(hint: impl Into<String>) -> Self {
        Self {
            hint: hint.into(),
            edit: None,
        }
    }

    fn edit(hint: String, old: &str, new: String) -> Self {
        Self {
            hint,
            edit: Some((old.to_owned(), new)),
        }
    }
}

/// What is to be said about an error, and a better place for it.
struct Found {
    place: Option<Range<usize>>,
    advice: Option<Advice>,
}

/// What to do about an error.
fn found(message: &str, span: &Range<usize>, text: &str) -> Found {
    let outline = Outline::of(text);
    let line = Line::at(span.start, text, &outline);
    if let Some(found) =
        inner_marks(&line, span.start, text, &outline).or_else(|| not_closed(&outline, &line, text))
    {
        return found;
    }
    if let Some(found) =
        curly(&outline, &line, text).or_else(|| assignment(&line, &outline, message, text))
    {
        return found;
    }
    if message.starts_with("missing comma between") {
        return inner_quote(&line, span.start, text)
            .unwrap_or_else(|| missing_comma(&line, span.start, text));
    }
    let hint = |hint: &str| Found {
        place: None,
        advice: Some(Advice::hint(hint)),
    };
    if message.starts_with("invalid basic string") {
        return hint(
            "close the text with `\"` on the same line; a text of several lines is between `\"\"\"` and `\"\"\"`",
        );
    } else if message.starts_with("missing escaped value") || message.starts_with("too few unicode")
    {
        return hint(
            "write `\\\\` for a backslash, or put the text in single quotes, in which a backslash is a letter",
        );
    } else if message.starts_with("duplicate key") {
        return hint(if text.contains("[[question") {
            "remove one of the two; the next question begins with a line `[[question]]` of its own"
        } else {
            "remove one of the two: a key is there once, and a list holds several, as in `[\"a\", \"b\"]`"
        });
    } else if message.starts_with("unclosed array table") || message.starts_with("unclosed table") {
        let name = line.text.trim().trim_matches(['[', ']']);
        return hint(&format!(
            "write `[[{name}]]`, with two brackets on each side"
        ));
    } else if message.starts_with("extra comma") && line.value.starts_with("{\"") {
        let inside = line.value.trim_matches(['{', '}']);
        return hint(&format!(
            "a list is between `[` and `]`: `{} = [{inside}]`",
            line.key
        ));
    } else if message.starts_with("extra comma") && !line.value.starts_with('{') {
        return hint("remove one of the two commas");
    }
    if let Some(entry) = bare_entry(span.start, text, &line, &outline) {
        return entry;
    }
    if message.starts_with("unexpected key or value")
        && line.value.starts_with(['"', '\''])
        && !line.value.ends_with([',', ';'])
    {
        return hint(mark_inside(line.value));
    }
    if line.key.is_empty() {
        return hint("write `key = value`, or `[[question]]` alone on its line");
    }
    if message.starts_with("invalid literal string") && outline.open_line.is_some() {
        return hint("close the text with the quotation mark that it begins with");
    }
    if line.value_span.start >= line.span.end && line.text.contains('=') {
        return hint(&line.without_value(text));
    }
    let advice = value::advice(line.key, line.value);
    Found {
        place: advice.as_ref().map(|_| line.value_span.clone()),
        advice,
    }
}

/// A text or a bracket in front of the error, or on its line, that is never closed.
fn not_closed(outline: &Outline, line: &Line<'_>, text: &str) -> Option<Found> {
    if let Some(open) = &outline.open_text
        && open.start < line.span.end
    {
        return Some(Found {
            place: Some(open.start..open.start + 3),
            advice: Some(Advice::hint(
                "the text that begins here is never closed: write the same three quotation marks behind it",
            )),
        });
    }
    if let Some(open) = &outline.open_line
        && open.start < line.span.start
    {
        return Some(Found {
            place: Some(open.clone()),
            advice: Some(Advice::hint(
                "close the text with `\"` on the same line; a text of several lines is between `\"\"\"` and `\"\"\"`",
            )),
        });
    }
    let (start, until) = outline.open_bracket?;
    let is_cause =
        start < line.span.end && until <= line.span.end.max(start + 1) || until == text.len();
    if !is_cause || outline.open_line.is_some() {
        return None;
    }
    let (close, what) = match text.get(start..=start) {
        Some("{") => ('}', "table"),
        _ => (']', "list"),
    };
    let next = text.get(until..line_end(text, until)).unwrap_or_default();
    let next: String = next.chars().take(40).collect();
    let in_front = match next.trim() {
        "" => String::new(),
        next => format!(", in front of `{next}`"),
    };
    Some(Found {
        place: Some(start..start + 1),
        advice: Some(Advice::hint(format!(
            "write the `{close}` that ends the {what} which begins here{in_front}"
        ))),
    })
}

/// Quotation marks of a word processor in place of straight ones.
fn curly(outline: &Outline, line: &Line<'_>, text: &str) -> Option<Found> {
    let is_open = outline
        .open_line
        .as_ref()
        .is_some_and(|it| line.span.contains(&it.start));
    let is_it = |at: usize, letter: char| {
        CURLY.contains(&letter) && (is_open || !outline.is_in_text(line.span.start + at))
    };
    let mut marks = line.text.char_indices().filter(|it| is_it(it.0, it.1));
    let (first, _) = marks.next()?;
    let straight: String = line
        .text
        .char_indices()
        .map(|(at, it)| if is_it(at, it) { '"' } else { it })
        .collect();
    let straight = straight.trim().to_owned();
    let shown = if straight.len() > MAX_SHOWN {
        "`\"…\"`".to_owned()
    } else {
        format!("`{straight}`")
    };
    let hint = format!("texts are in straight quotes: {shown}");
    let old = line.text.trim();
    let is_even = straight.matches('"').count().is_multiple_of(2) && !straight.contains("\"\"");
    // One edit corrects the line, where that is all.
    let is_all = is_even && text.get(line.span.clone()).is_some();
    Some(if is_all {
        Found {
            place: Some(
                line.span.start + line.text.len() - line.text.trim_start().len()..line.span.end,
            ),
            advice: Some(Advice::edit(hint, old, straight)),
        }
    } else {
        let at = line.span.start + first;
        Found {
            place: Some(
                at..at
                    + text
                        .get(at..)
                        .and_then(|it| it.chars().next())
                        .map_or(1, char::len_utf8),
            ),
            advice: Some(Advice::hint(hint)),
        }
    })
}

/// A key and its value with another sign than `=` between them, or with none; a line that is neither.
fn assignment(line: &Line<'_>, outline: &Outline, message: &str, whole: &str) -> Option<Found> {
    let found = |hint: String| {
        Some(Found {
            place: None,
            advice: Some(Advice::hint(hint)),
        })
    };
    let text = line.text.trim();
    if whole.trim_start().starts_with('{') {
        return found("this is JSON, and course files are TOML: write `key = value` on lines of their own, without braces around all".to_owned());
    }
    if is_gift(text) {
        return found("this is a question in GIFT, a format of Moodle: put it into a file of its own and run `warpup import gift FILE`, or write it as `[[question]]`".to_owned());
    }
    if message.starts_with("missing assignment")
        || outline.is_in_brackets(line.value_span.start.min(line.span.end))
            && line.text.contains(": ")
            && message.starts_with("invalid unquoted key")
    {
        let entry = text.split([',', '{', '}']).find(|it| it.contains(':'))?;
        let (key, value) = entry.split_once(':')?;
        let key = key.trim().trim_matches('"');
        let value = value::in_toml(key, value.trim());
        return found(format!(
            "write `=` in place of `:`, as in `{key} = {value}`"
        ));
    }
    if ["//", "<!--", "--", "/*", ";", "*"]
        .iter()
        .any(|it| text.starts_with(it))
    {
        return found("a comment begins with `#`".to_owned());
    }
    let is_key = |it: char| it.is_alphanumeric() || ['-', '_', '.'].contains(&it);
    let key = text.split(|it| !is_key(it)).next().unwrap_or_default();
    let rest = text.strip_prefix(key).unwrap_or_default().trim_start();
    let is_whole = !key.is_empty() && !outline.is_in_brackets(line.span.start);
    if key.starts_with("question") && (rest.is_empty() || rest == "]]") || text == "[question]]" {
        return found(format!(
            "write `[[{key}]]`, with two brackets on each side",
            key = if key.is_empty() { "question" } else { key }
        ));
    }
    for sign in ["==", ":=", "=>", "->", "<-", ":", "–", "—", "-"] {
        if let Some(value) = rest.strip_prefix(sign)
            && is_whole
        {
            let value = value.trim_start_matches(['=', ' ']);
            let value = match (value, line.items_below(whole)) {
                ("", Some(items)) => items,
                ("" | "|" | ">" | "|-" | ">-", None) => "\"…\"".to_owned(),
                (value, _) => value::in_toml(key, value),
            };
            return found(format!(
                "write `=` in place of `{sign}`, as in `{key} = {value}`"
            ));
        }
    }
    if !message.starts_with("key with no value") && !message.starts_with("invalid key-value pair") {
        return None;
    }
    if text.starts_with("- ") {
        return found("a list is between brackets: `key = [\"one\", \"two\"]`".to_owned());
    }
    if is_whole && rest.starts_with(['"', '\'', '[', '{']) {
        return found(format!("write `=` behind the key: `{key} = {rest}`"));
    }
    found("write `key = value`; a text of several lines is between `\"\"\"` and `\"\"\"`, and a comment begins with `#`".to_owned())
}

/// Whether a line is a question in the format of Moodle, such as `::name:: What? {=this ~that}`.
fn is_gift(line: &str) -> bool {
    let has_name = line.strip_prefix("::").is_some_and(|it| it.contains("::"));
    let (before, answers) = line.split_once('{').unwrap_or_default();
    let answers = answers.trim_start();
    let has_answers = answers.starts_with(['=', '~']) && answers.contains('}');
    has_name || has_answers && before.contains('?')
}

/// A word of a list that is not in quotes.
fn bare_entry(at: usize, text: &str, line: &Line<'_>, outline: &Outline) -> Option<Found> {
    if !line.value.starts_with('[') || !outline.is_in_brackets(at) {
        return None;
    }
    let rest = text.get(at..line.span.end)?;
    let word = rest.split([',', ']', '}']).next()?.trim();
    let begins = word.chars().next()?;
    if !(begins.is_alphabetic() || begins == '.') || word.contains(['"', '=']) {
        return None;
    }
    Some(Found {
        place: Some(at..at + word.len()),
        advice: Some(Advice::hint(format!(
            "texts are in quotes, each of them: `\"{word}\"`"
        ))),
    })
}

/// The place of a missing comma is behind what it follows, which `end` is in front of.
fn missing_comma(line: &Line<'_>, end: usize, text: &str) -> Found {
    let above = text.get(..end).unwrap_or_default().trim_end();
    let last = above.chars().next_back().map_or(0, char::len_utf8);
    let is_key = |it: char| it.is_alphanumeric() || ['-', '_', '.'].contains(&it);
    let key = line.text.split_once('=').map_or("", |it| it.0.trim());
    let begins_a_key = !key.is_empty() && key.chars().all(is_key);
    let hint = if begins_a_key && end >= line.span.start && above.len() < line.span.start {
        "write the `]` or `}` that ends what is above, or a comma"
    } else {
        "write a comma behind each entry of a list or a table"
    };
    Found {
        place: Some(above.len() - last..above.len()),
        advice: Some(Advice::hint(hint)),
    }
}
