//! The line of an error: its key and its value.

use super::outline::{Outline, line_end};
use super::value::in_toml;
use std::ops::Range;

/// The line that an error is on.
pub(super) struct Line<'a> {
    /// Its bytes.
    pub(super) span: Range<usize>,
    pub(super) text: &'a str,
    /// The nearest key in front of the error.
    pub(super) key: &'a str,
    /// Its value, up to the end of the line or of its entry.
    pub(super) value: &'a str,
    /// The bytes of the value.
    pub(super) value_span: Range<usize>,
}

impl<'a> Line<'a> {
    pub(super) fn at(byte: usize, text: &'a str, outline: &Outline) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let end = line_end(text, start);
        let line = text.get(start..end).unwrap_or_default().trim_end();
        let equals = line.match_indices('=').map(|it| start + it.0);
        let equals: Vec<usize> = equals.filter(|it| !outline.is_in_text(*it)).collect();
        let sign = equals.iter().rfind(|it| **it < byte).or(equals.first());
        let sign = sign.copied();
        let key = text.get(start..sign.unwrap_or(start)).unwrap_or_default();
        let key = key.trim_end().rsplit([' ', ',', '{', '[', '\t']).next();
        let from = sign.map_or(end, |it| it + 1);
        let to = value_end(text, from..start + line.len(), outline);
        let raw = text.get(from..to).unwrap_or_default();
        let from = from + raw.len() - raw.trim_start().len();
        Self {
            span: start..start + line.len(),
            text: line,
            key: key.unwrap_or_default(),
            value: raw.trim(),
            value_span: from..from + raw.trim().len(),
        }
    }

    /// What to write where the line has no value.
    pub(super) fn without_value(&self, text: &str) -> String {
        let key = self.key;
        match self.items_below(text) {
            Some(items) => format!(
                "a list is between brackets, and its texts are in quotes: `{key} = {items}`"
            ),
            None => format!("write a value behind `{key} =`, on the same line"),
        }
    }

    /// The items of a list as YAML has it, which begins below this line, as a list of TOML: the first of them.
    pub(super) fn items_below(&self, text: &str) -> Option<String> {
        let below = text.get(self.span.end..)?.lines().skip(1);
        let items = below.map_while(|it| it.trim().strip_prefix("- "));
        let mut items = items.map(|it| in_toml("text", it.trim()));
        let first = items.next()?;
        let more = if items.next().is_some() { ", …" } else { "" };
        Some(format!("[{first}{more}]"))
    }
}

/// Where the value ends that begins at the start of these bytes, which are the rest of its line.
fn value_end(text: &str, rest: Range<usize>, outline: &Outline) -> usize {
    let is_within = outline.is_in_brackets(rest.start);
    let letters = text.get(rest.clone()).unwrap_or_default().char_indices();
    let mut letters = letters.map(|(at, it)| (rest.start + at, it));
    let end = letters.find(|(at, it)| {
        let ends = match it {
            // A value that begins with `#` has been left without quotes.
            '#' => !text
                .get(rest.start..*at)
                .unwrap_or_default()
                .trim()
                .is_empty(),
            ',' => {
                let next = text.get(at + 1..).and_then(|it| it.chars().next());
                is_within && !next.is_some_and(|it| it.is_ascii_digit())
            }
            ']' | '}' => is_within,
            _ => false,
        };
        ends && !outline.is_in_text(*at)
    });
    end.map_or(rest.end, |it| it.0)
}
