//! Where a piece of markdown is in its file.

use super::fields::WithSpan;
use std::ops::Range;

/// Turns bytes of a text into bytes of the file that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileOffsets {
    /// The text is in the file unchanged, from this byte.
    From(usize),
    /// The text was written with escapes, so only the whole of it has a place.
    Whole(Range<usize>),
}

impl FileOffsets {
    /// The spot of a TOML text. Texts without escapes are in the file unchanged.
    pub(crate) fn of(text: &WithSpan<&str>, file: &str) -> Self {
        let raw = file.get(text.span.clone()).unwrap_or_default();
        match raw.find(text.value) {
            Some(start) => Self::From(text.span.start + start),
            None => Self::Whole(text.span.clone()),
        }
    }

    /// The bytes of the file for these bytes of the text.
    pub(crate) fn span(&self, range: &Range<usize>) -> Range<usize> {
        match self {
            Self::From(start) => start + range.start..start + range.end,
            Self::Whole(span) => span.clone(),
        }
    }

    /// The spot of the same text with one byte put in front.
    pub(crate) fn one_before(&self) -> Self {
        match self {
            Self::From(start) => Self::From(start.saturating_sub(1)),
            Self::Whole(span) => Self::Whole(span.clone()),
        }
    }
}
