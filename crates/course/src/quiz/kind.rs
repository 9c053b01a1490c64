//! What every kind of question has to say about itself, beside reading it from TOML.

use super::choice_names::ChoiceNames;
use super::choices::{Choice, OptionsKey};
use super::file_value::FileValue;
use super::sheet::Sheet;
use crate::diagnostics::Report;
use crate::model::{ChoiceId, QuestionId, Text};
use std::fmt::Write as _;
use std::ops::Range;

/// The keys that every type has.
pub(super) const COMMON: [&str; 9] = [
    "id", "type", "prompt", "points", "short", "always", "hints", "explain", "see",
];

/// The key that holds the versions of a question, for the types that have any.
pub(super) const VERSION: &str = "version";

/// A kind of question: what is offered, and what is right if the quiz says so.
pub(crate) trait Kind {
    /// Its `type` in a quiz file.
    fn word(&self) -> &'static str;

    /// Adds the choices and the key to the question's hash. Answers of learners are stored with the hash, so what
    /// is added must never change, neither with a key nor without: every answer given so far would be asked again.
    fn hash(&self, hashed: &mut HashInput);

    /// Warns about a question that gives itself away or teaches nothing on a miss; `place` is where to point.
    fn lint(&self, _id: &QuestionId, _place: Range<usize>, _report: &mut Report) {}

    /// Whether its key is withheld. A prediction is compared with a run, and nobody grades what is answered in the
    /// learner's own words: these have none that could be.
    fn is_keyless(&self) -> bool {
        false
    }

    /// Takes the key out, and gives the choices names and places that say nothing of it; nothing where there is no key.
    fn take_key(&mut self) -> Option<ChoiceNames> {
        None
    }

    /// What a learner chooses from, with the texts.
    fn choices(&self) -> Vec<(ChoiceId, String)> {
        Vec::new()
    }

    /// What a quiz file without keys says of it, beside what all kinds have.
    fn offered(&self) -> Vec<(&'static str, FileValue)> {
        Vec::new()
    }

    /// The question on paper. `question` is what an order that says nothing depends on.
    fn sheet(&self, question: &QuestionId) -> Sheet;
}

/// What a question's hash is over: fields with a separator that no text of one line contains.
///
/// The prompt, the choices and the key; not feedback, hints, explanation or points, so correcting those keeps
/// answers valid.
pub(crate) struct HashInput {
    fields: String,
    /// Whether words in the author's language are part of it. A translation has others, and the same key.
    has_words: bool,
}

impl HashInput {
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

    /// Adds the type, the choices and the key.
    pub(crate) fn kind(&mut self, kind: &dyn Kind) {
        if kind.is_keyless() {
            self.add("without key");
        }
        self.add(kind.word());
        kind.hash(self);
    }

    /// Adds options, and which are right.
    pub(crate) fn options(&mut self, options: &[Choice], key: Option<&OptionsKey>) {
        self.choices(options, |id| key.map(|it| it.is_right(id)));
    }

    /// Adds each choice, and whether it is right where there is a key.
    pub(crate) fn choices(
        &mut self,
        choices: &[Choice],
        is_right: impl Fn(&ChoiceId) -> Option<bool>,
    ) {
        for choice in choices {
            self.add(choice.id.as_str());
            self.text(&choice.text);
            match is_right(&choice.id) {
                Some(true) => self.add("+"),
                Some(false) => self.add("-"),
                None => {}
            }
        }
    }
}
