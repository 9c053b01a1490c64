//! A question as a quiz without keys asks it, and what an answer to that means in the question with its key.

use super::choice_names::ChoiceNames;
use super::kind::HashInput;
use super::kinds::{Answer, QuestionKind};

/// A question without its key.
#[derive(Clone, Debug, PartialEq)]
pub struct WithoutKey {
    /// What is asked.
    pub kind: QuestionKind,
    /// What its choices are called in the question with its key.
    pub names: ChoiceNames,
}

impl WithoutKey {
    /// The question without its key; nothing if it has none that a file could give away.
    pub fn of(kind: &QuestionKind) -> Option<Self> {
        let mut kind = kind.clone();
        let names = kind.kind_mut().take_key()?;
        Some(Self { kind, names })
    }

    /// The hash of the question without its key.
    pub(super) fn hash(&self, prompt: &str) -> String {
        let mut hashed = HashInput::new(prompt);
        hashed.kind(self.kind.kind());
        hashed.digits()
    }

    /// What an answer to this is in the question with its key; nothing if it names a choice that this does not have.
    pub fn in_whole(&self, answer: &Answer) -> Option<Answer> {
        let name = |id| self.names.choice(id).cloned();
        Some(match answer {
            Answer::Single(id) => Answer::Single(name(id)?),
            Answer::Multi(ids) => Answer::Multi(ids.iter().map(name).collect::<Option<_>>()?),
            Answer::Number(_) | Answer::Text(_) => answer.clone(),
            Answer::Order(ids) => Answer::Order(ids.iter().map(name).collect::<Option<_>>()?),
            Answer::Match(pairs) => {
                let pairs = pairs.iter();
                let pairs =
                    pairs.map(|(left, id)| Some((self.names.left(left)?.clone(), name(id)?)));
                Answer::Match(pairs.collect::<Option<_>>()?)
            }
        })
    }
}
