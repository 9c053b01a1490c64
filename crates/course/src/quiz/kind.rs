//! What every kind of question has to say about itself, beside reading it from TOML.

use super::choices::Choice;
use crate::diagnostics::Report;
use crate::model::{QuestionId, Text};
use std::fmt::Write as _;
use std::ops::Range;

/// The keys that every type has.
pub(super) const COMMON: [&str; 9] = [
    "id", "type", "prompt", "points", "short", "always", "hints", "explain", "see",
];

/// The key that holds the versions of a question, for the types that have any.
pub(super) const VERSION: &str = "version";

/// A kind of question.
pub(crate) trait Kind {
    /// Adds the choices and the key to the question's hash. Answers of learners are stored with the hash, so what
    /// is added must never change: every answer given so far would be asked again.
    fn hash(&self, hashed: &mut Hashed);

    /// Warns about a question that gives itself away or teaches nothing on a miss; `place` is where to point.
    fn lint(&self, _id: &QuestionId, _place: Range<usize>, _report: &mut Report) {}
}

/// What a question's hash is over: fields with a separator that no text of one line contains.
///
/// The prompt, the choices and the key; not feedback, hints, explanation or points, so correcting those keeps
/// answers valid.
pub(crate) struct Hashed {
    fields: String,
    /// Whether words in the author's language are part of it. A translation has others, and the same key.
    has_words: bool,
}

impl Hashed {
    /// Only the prompt so far.
    pub(crate) fn new(prompt: &str) -> Self {
        let mut hashed = Self {
            fields: String::new(),
            has_words: true,
        };
        hashed.add(&prompt.split_whitespace().collect::<Vec<_>>().join(" "));
        hashed
    }

    /// Only of what is the same in all languages, and nothing so far.
    pub(crate) fn without_words() -> Self {
        Self {
            fields: String::new(),
            has_words: false,
        }
    }

    /// The hash: eight hex digits.
    pub(crate) fn digits(&self) -> String {
        format!("{:08x}", crc32c::crc32c(self.fields.as_bytes()))
    }

    /// Adds a field.
    pub(crate) fn add(&mut self, field: &str) {
        self.fields.push_str(field);
        self.fields.push('\n');
    }

    /// Adds words in the author's language.
    pub(crate) fn words(&mut self, words: &str) {
        if self.has_words {
            self.add(words);
        }
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: f64) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.fields, "{number}");
    }

    /// Adds a text without its looks.
    pub(crate) fn text(&mut self, text: &Text) {
        self.words(&text.plain());
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
