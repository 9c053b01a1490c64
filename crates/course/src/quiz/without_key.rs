//! A question as a quiz without keys asks it, and what an answer to that means in the question with its key.
//!
//! Names and places of choices may give a key away: `right`, or the first one, or the same name on both sides of a pair.
//! So choices are counted, in the order of their texts where learners see them in any order.

use super::kind::{Hashed, Kind};
use super::kinds::keyless::{Keyless, Offer, Offers};
use super::kinds::{Answer, QuestionKind};
use crate::model::{ChoiceId, Text};

/// A question without its key.
#[derive(Clone, Debug, PartialEq)]
pub struct WithoutKey {
    /// What is asked.
    pub kind: Keyless,
    /// What the choices are called here, and in the question with its key; of pairs the right sides.
    pub names: Vec<(ChoiceId, ChoiceId)>,
    /// The same of the left sides of pairs.
    pub lefts: Vec<(ChoiceId, ChoiceId)>,
}

impl WithoutKey {
    /// The question without its key; nothing if it has none that a file could give away: a prediction is compared with a
    /// run, and nobody grades what is answered in the learner's own words.
    pub fn of(kind: &QuestionKind) -> Option<Self> {
        Some(match kind {
            QuestionKind::Single(it) => {
                let options = it.options.iter().map(|it| (&it.id, &it.text, it.pin_last));
                let (options, names) = numbered(options.collect(), it.shuffle);
                let shuffle = it.shuffle;
                Self::named(Keyless::Single(Offers { options, shuffle }), names)
            }
            QuestionKind::Multi(it) => {
                let options = it.options.iter().map(|it| (&it.id, &it.text, it.pin_last));
                let (options, names) = numbered(options.collect(), it.shuffle);
                let shuffle = it.shuffle;
                Self::named(Keyless::Multi(Offers { options, shuffle }), names)
            }
            QuestionKind::Numeric(it) => {
                let (unit, accepted) = (it.unit.clone(), it.accepted.clone());
                Self::named(Keyless::Numeric { unit, accepted }, Vec::new())
            }
            QuestionKind::Text(_) => Self::named(Keyless::Text, Vec::new()),
            QuestionKind::Order(it) => {
                let items = it.items.iter().map(|it| (&it.id, &it.text, false));
                let (items, names) = numbered(items.collect(), true);
                Self::named(Keyless::Order(items), names)
            }
            QuestionKind::Match(it) => {
                let lefts = it.pairs.iter().map(|it| (&it.id, &it.left, false));
                let rights = it.pairs.iter().map(|it| (&it.id, &it.right, false));
                let (lefts, of_lefts) = numbered(lefts.collect(), false);
                let (rights, names) = numbered(rights.collect(), true);
                Self {
                    kind: Keyless::Match { lefts, rights },
                    names,
                    lefts: of_lefts,
                }
            }
            QuestionKind::Predict(_) | QuestionKind::Words(_) | QuestionKind::Keyless(_) => {
                return None;
            }
        })
    }

    fn named(kind: Keyless, names: Vec<(ChoiceId, ChoiceId)>) -> Self {
        Self {
            kind,
            names,
            lefts: Vec::new(),
        }
    }

    /// The hash of the question without its key.
    pub(super) fn hash(&self, prompt: &str) -> String {
        let mut hashed = Hashed::new(prompt);
        self.kind.hash(&mut hashed);
        hashed.digits()
    }

    /// What an answer to this is in the question with its key; nothing if it names a choice that this does not have.
    pub fn in_whole(&self, answer: &Answer) -> Option<Answer> {
        let name = |id: &ChoiceId| whole(&self.names, id);
        Some(match answer {
            Answer::Single(id) => Answer::Single(name(id)?),
            Answer::Multi(ids) => Answer::Multi(ids.iter().map(name).collect::<Option<_>>()?),
            Answer::Number(_) | Answer::Text(_) => answer.clone(),
            Answer::Order(ids) => Answer::Order(ids.iter().map(name).collect::<Option<_>>()?),
            Answer::Match(pairs) => {
                let pairs = pairs.iter();
                let pairs = pairs.map(|(left, id)| Some((whole(&self.lefts, left)?, name(id)?)));
                Answer::Match(pairs.collect::<Option<_>>()?)
            }
        })
    }
}

fn whole(names: &[(ChoiceId, ChoiceId)], id: &ChoiceId) -> Option<ChoiceId> {
    let found = names.iter().find(|it| it.0 == *id);
    found.map(|it| it.1.clone())
}

/// Choices with new names, and what each was called; where their order says nothing, in the order of their texts.
fn numbered(
    mut choices: Vec<(&ChoiceId, &Text, bool)>,
    is_mixed: bool,
) -> (Vec<Offer>, Vec<(ChoiceId, ChoiceId)>) {
    if is_mixed {
        choices.sort_by_cached_key(|(_, text, pin_last)| (*pin_last, text.plain()));
    }
    // A number alone would be a place on the screen where answers are typed, and some letters ask for something else.
    let numbered = (1..).zip(choices);
    let numbered = numbered.map(|(number, (id, text, pin_last))| {
        let offer = Offer {
            id: ChoiceId::new(format!("c{number}")),
            text: text.clone(),
            pin_last,
        };
        (offer.clone(), (offer.id, id.clone()))
    });
    numbered.unzip()
}
