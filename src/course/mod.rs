//! Course files: text goes in, a [`Course`] and its [`Diagnostic`]s come out.
//!
//! Nothing here reads a file, a clock or the terminal, so every rule about what a lesson may contain is
//! tested with string literals. Parsing never fails: it returns what it could read and says what it
//! could not, with file, line and column.

mod diagnostic;
mod model;
pub mod plain;
pub mod wrap;

pub use diagnostic::{Diagnostic, Severity};
pub use model::*;

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The texts of a course folder, by path relative to it (`lessons/course.toml`, `quizzes/….toml`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Path to text.
    pub files: BTreeMap<String, Cow<'static, str>>,
}

/// Reads a whole course.
pub fn parse(_sources: &Sources) -> (Course, Vec<Diagnostic>) {
    unimplemented!()
}
