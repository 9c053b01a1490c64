//! What is wrong with a course file, and where.

use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The course works, but its author would want to know.
    Warning,
    /// Something is missing from the course because of it.
    Error,
}

/// One thing that is wrong with a course file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, relative to the course folder.
    pub file: String,
    /// The bytes it is about.
    pub span: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
}
