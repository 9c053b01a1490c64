//! Names of choices that say nothing, for a question without its key.
//!
//! Names and places of choices may give a key away: `right`, or the first one, or the same name on both sides of a pair.
//! So choices are counted, in the order of their texts where learners see them in any order.

use super::choices::Choice;
use crate::model::ChoiceId;

/// What the choices of a question without its key are called in the question with its key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChoiceNames {
    /// Each name beside the one with the key; of pairs those of the right sides.
    choices: Vec<(ChoiceId, ChoiceId)>,
    /// The same of the left sides of pairs.
    lefts: Vec<(ChoiceId, ChoiceId)>,
}

impl ChoiceNames {
    /// Counts choices in their order.
    pub(crate) fn counted(choices: &mut [Choice]) -> Self {
        // A number alone would be a place on the screen where answers are typed, and some letters ask for something else.
        let names = (1..).zip(choices).map(|(number, choice)| {
            let name = ChoiceId::new(format!("c{number}"));
            let whole = std::mem::replace(&mut choice.id, name.clone());
            (name, whole)
        });
        Self {
            choices: names.collect(),
            lefts: Vec::new(),
        }
    }

    /// Counts choices whose order says nothing, in the order of their texts.
    pub(crate) fn sorted(choices: &mut [Choice]) -> Self {
        choices.sort_by_cached_key(|it| (it.pin_last, it.text.plain()));
        Self::counted(choices)
    }

    /// Counts options, whose order says nothing where they are shuffled.
    pub(crate) fn of_options(options: &mut [Choice], shuffle: bool) -> Self {
        if shuffle {
            Self::sorted(options)
        } else {
            Self::counted(options)
        }
    }

    /// The same, with the names of the left sides of pairs.
    pub(crate) fn beside(self, lefts: Self) -> Self {
        Self {
            lefts: lefts.choices,
            ..self
        }
    }

    /// What a choice, or the right side of a pair, is called in the question with its key.
    pub fn choice(&self, id: &ChoiceId) -> Option<&ChoiceId> {
        whole(&self.choices, id)
    }

    /// What the left side of a pair is called there.
    pub fn left(&self, id: &ChoiceId) -> Option<&ChoiceId> {
        whole(&self.lefts, id)
    }
}

fn whole<'a>(names: &'a [(ChoiceId, ChoiceId)], id: &ChoiceId) -> Option<&'a ChoiceId> {
    let found = names.iter().find(|it| it.0 == *id);
    found.map(|it| &it.1)
}
