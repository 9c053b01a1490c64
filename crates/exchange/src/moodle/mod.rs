//! Moodle XML, in which Moodle and other tools keep questions with all their settings.

mod fields;
mod questions;
mod tree;
mod write;

use super::draft::{Draft, ImportedQuiz, MAX_READ};
use super::remark::Remark;
pub use tree::MAX_BYTES;
pub use write::write;

/// The quiz of a Moodle XML file. An error says where the file is no XML, or what it is instead.
pub fn read(text: &str, title: &str) -> Result<ImportedQuiz, Remark> {
    let mut draft = Draft::default();
    let mut category = None;
    let mut seen = 0;
    tree::for_each_question(text, |question| {
        seen += 1;
        if seen > MAX_READ {
            draft.unread += 1;
            return;
        }
        questions::read(&question, &mut category, &mut draft);
    })?;
    Ok(draft.into_quiz(title))
}

#[cfg(test)]
mod tests;
