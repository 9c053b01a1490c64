//! The hash of a question: it changes when an old answer would no longer answer it.
//!
//! Over the prompt, the choices and the key; not over feedback, hints, explanation or points, so correcting
//! those keeps answers. Stored with learners' progress.

use super::choices::Choice;
use crate::course::model::Text;
use std::fmt::Write as _;

/// What is hashed: fields with a separator that no text of one line contains.
pub(crate) struct Hashed(String);

impl Hashed {
    /// Only the prompt so far.
    pub(crate) fn new(prompt: &str) -> Self {
        let mut hashed = Self(String::new());
        hashed.add(&prompt.split_whitespace().collect::<Vec<_>>().join(" "));
        hashed
    }

    /// The hash: eight hex digits.
    pub(crate) fn digits(&self) -> String {
        format!("{:08x}", crc32c::crc32c(self.0.as_bytes()))
    }

    /// Adds a field.
    pub(crate) fn add(&mut self, field: &str) {
        self.0.push_str(field);
        self.0.push('\n');
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: f64) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{number}");
    }

    /// Adds a text without its looks.
    pub(crate) fn text(&mut self, text: &Text) {
        self.add(&text.plain());
    }

    /// Adds each choice and whether it is right.
    pub(crate) fn choices(&mut self, choices: &[Choice]) {
        for choice in choices {
            self.add(choice.id.as_str());
            self.text(&choice.text);
            self.add(if choice.correct { "+" } else { "-" });
        }
    }
}
