//! Moodle XML, in which Moodle and other tools keep questions with all their settings.

mod fields;
mod questions;
mod tree;

use super::draft::{Draft, Imported};
use super::remark::Remark;
pub use tree::MAX_BYTES;

/// The quiz of a Moodle XML file. An error says where the file is no XML, or what it is instead.
pub fn read(text: &str, title: &str) -> Result<Imported, Remark> {
    let mut draft = Draft::default();
    let mut category = None;
    tree::for_each_question(text, |question| {
        questions::read(&question, &mut category, &mut draft);
    })?;
    Ok(draft.into_quiz(title))
}

#[cfg(test)]
mod tests;
