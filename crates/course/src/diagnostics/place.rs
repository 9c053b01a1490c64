//! The line of a text that a span begins on, taken apart where the span begins and ends.

use std::ops::Range;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Bytes in front of it.
    pub byte: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1; columns count characters.
    pub column: usize,
}

impl Point {
    /// The place of a byte; one that is not in the text is at its nearest character.
    pub fn at(byte: usize, text: &str) -> Self {
        let byte = floor(text, byte);
        let place = SourceLine::of(&(byte..byte), text);
        Self {
            byte,
            line: place.number,
            column: place.column(),
        }
    }
}

/// The line a span begins on, cut at the span's ends.
#[derive(Debug)]
pub(super) struct SourceLine<'a> {
    /// From 1.
    pub(super) number: usize,
    /// In front of the span.
    pub(super) before: &'a str,
    /// The span, as far as it is on this line.
    pub(super) inside: &'a str,
    /// Behind the span.
    pub(super) after: &'a str,
}

impl<'a> SourceLine<'a> {
    /// The place of a span; one that is not in the text is at its nearest character.
    pub(super) fn of(span: &Range<usize>, text: &'a str) -> Self {
        let start = floor(text, span.start);
        let end = floor(text, span.end).max(start);
        let head = text.get(..start).unwrap_or_default();
        let line_start = head.rfind('\n').map_or(0, |it| it + 1);
        let rest = text.get(start..).unwrap_or_default();
        let line_end = start + rest.find('\n').unwrap_or(rest.len());
        let cut = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        Self {
            number: head.matches('\n').count() + 1,
            before: cut(line_start, start),
            inside: cut(start, end.min(line_end)).trim_end_matches('\r'),
            after: cut(end.min(line_end), line_end).trim_end_matches('\r'),
        }
    }

    /// The column it begins in, from 1; columns count characters.
    pub(super) fn column(&self) -> usize {
        self.before.chars().count() + 1
    }
}

/// The nearest character boundary at or before a byte.
pub(super) fn floor(text: &str, byte: usize) -> usize {
    text.floor_char_boundary(byte.min(text.len()))
}
