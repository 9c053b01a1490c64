//! What is wrong with a course file, and where.
//!
//! A diagnostic keeps bytes; line, column and picture are made only when it is shown, so that reading a
//! course costs nothing for them.

use super::place::{Point, SourceLine};
use super::rule::Rule;
use std::ops::Range;
use warpup_text::shown::Shown;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The course works, but its author would want to know.
    Warning,
    /// Something is missing from the course because of it.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that is wrong with a course file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which rule it breaks.
    pub rule: Rule,
    /// The file, relative to the course folder.
    pub file: String,
    /// The bytes it is about.
    pub span: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
    /// The edit that corrects it, where there is exactly one.
    pub fix: Option<Fix>,
}

/// An edit of the file that a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The bytes in which the old text is.
    pub span: Range<usize>,
    /// The text to be replaced, or all that is in the span. Empty: the new one goes to the start of the span.
    pub old: Option<String>,
    /// What comes in its place.
    pub new: String,
}

impl Diagnostic {
    /// The line and column where it starts, both from 1; columns count characters.
    ///
    /// `text` is the text of [`Diagnostic::file`]; another text gives another place, but no panic.
    pub fn position(&self, text: &str) -> (usize, usize) {
        let place = SourceLine::of(&self.span, text);
        (place.number, place.column())
    }

    /// Where it starts and ends. The text is as in [`Diagnostic::position`].
    pub fn ends(&self, text: &str) -> (Point, Point) {
        (
            Point::at(self.span.start, text),
            Point::at(self.span.end.max(self.span.start), text),
        )
    }

    /// The message on one line with its place, safe to print: for what is part of another message.
    pub fn headline(&self, text: &str) -> String {
        let (line, column) = self.position(text);
        format!(
            "{}:{line}:{column}: {}[{}]: {}",
            Shown::one_line(&self.file),
            self.severity.word(),
            self.rule.name(),
            Shown::one_line(&self.message),
        )
    }
}
