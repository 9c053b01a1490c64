//! The kinds of questions. A new one is a file here, a variant, a line in each of the lists below, and a file in
//! `grade/kinds`.

pub mod keyless;
mod matching;
mod multi;
mod numeric;
mod order;
mod predict;
mod single;
mod text;
mod words;

pub use keyless::Keyless;
pub use matching::{Matching, Pair};
pub use multi::MultipleChoice;
pub use numeric::{NearMiss, Numeric, Tolerance};
pub use order::Ordering;
pub use predict::{Bin, PredictForm, Prediction};
pub use single::SingleChoice;
pub use text::ShortText;
pub use words::OwnWords;

use super::kind::Kind;
use super::reading::{Keys, Reading};
use crate::model::ChoiceId;
use crate::toml_walk::Fields;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What can be answered and what is right.
#[derive(Clone, Debug, PartialEq)]
pub enum QuestionKind {
    /// One of several options.
    Single(SingleChoice),
    /// Any number of several options.
    Multi(MultipleChoice),
    /// A number, with a unit where it has one.
    Numeric(Numeric),
    /// A short text.
    Text(ShortText),
    /// Items to bring into order.
    Order(Ordering),
    /// Pairs to find.
    Match(Matching),
    /// A prediction about a lab, asked before the lab can run.
    Predict(Prediction),
    /// An explanation in the learner's own words, which nobody grades.
    Words(OwnWords),
    /// A question of a quiz without keys, which the learner's instructor grades.
    Keyless(Keyless),
}

/// What a learner answered: a variant for each way of answering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// An option of a single choice, or a bin of a prediction.
    Single(ChoiceId),
    /// The chosen options of a multiple choice.
    Multi(BTreeSet<ChoiceId>),
    /// A number with or without a unit, as typed; also a predicted number.
    Number(String),
    /// A text, as typed.
    Text(String),
    /// Items in the learner's order.
    Order(Vec<ChoiceId>),
    /// For each left side, the pair whose right side was put beside it.
    Match(BTreeMap<ChoiceId, ChoiceId>),
}

impl QuestionKind {
    /// What the kind says about itself.
    pub(crate) fn kind(&self) -> &dyn Kind {
        match self {
            Self::Single(it) => it,
            Self::Multi(it) => it,
            Self::Numeric(it) => it,
            Self::Text(it) => it,
            Self::Order(it) => it,
            Self::Match(it) => it,
            Self::Predict(it) => it,
            Self::Words(it) => it,
            Self::Keyless(it) => it,
        }
    }

    /// What a learner chooses from, with the texts.
    pub(crate) fn choices(&self) -> Vec<(ChoiceId, String)> {
        match self {
            Self::Single(it) => it
                .options
                .iter()
                .map(|it| (it.id.clone(), it.text.plain()))
                .collect(),
            Self::Multi(it) => it
                .options
                .iter()
                .map(|it| (it.id.clone(), it.text.plain()))
                .collect(),
            Self::Order(it) => it
                .items
                .iter()
                .map(|it| (it.id.clone(), it.text.plain()))
                .collect(),
            Self::Match(it) => it
                .pairs
                .iter()
                .map(|it| {
                    (
                        it.id.clone(),
                        format!("{} = {}", it.left.plain(), it.right.plain()),
                    )
                })
                .collect(),
            Self::Predict(it) => match &it.form {
                PredictForm::Bins(bins) => bins
                    .iter()
                    .map(|it| (it.id.clone(), it.text.plain()))
                    .collect(),
                PredictForm::Number { .. } => Vec::new(),
            },
            Self::Keyless(it) => it
                .offers()
                .map(|it| (it.id.clone(), it.text.plain()))
                .collect(),
            Self::Numeric(_) | Self::Text(_) | Self::Words(_) => Vec::new(),
        }
    }
}

/// Whether questions of a type count towards the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    /// They do.
    Always,
    /// Only where the author says so.
    IfSaid,
    /// They are not graded.
    Never,
}

/// A value of the key `type` in a quiz file.
pub(crate) struct Type {
    /// The value.
    pub(crate) word: &'static str,
    /// The keys that a question of this type has besides the common ones.
    pub(crate) keys: &'static [&'static str],
    /// Whether such questions count.
    pub(crate) counts: Counts,
    /// Reads what belongs to the type. What it gives is whole only if nothing was reported meanwhile.
    pub(crate) read: fn(&Fields<'_>, &mut Reading<'_, '_>) -> Option<QuestionKind>,
}

/// The types of questions.
pub(crate) const TYPES: [Type; 8] = [
    Type {
        word: "single",
        keys: &single::KEYS,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Single(single::read(fields, reading))),
    },
    Type {
        word: "multi",
        keys: &multi::KEYS,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Multi(multi::read(fields, reading))),
    },
    Type {
        word: "numeric",
        keys: &numeric::KEYS,
        counts: Counts::Always,
        read: |fields, reading| numeric::read(fields, reading).map(QuestionKind::Numeric),
    },
    Type {
        word: "text",
        keys: &text::KEYS,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Text(text::read(fields, reading))),
    },
    Type {
        word: "order",
        keys: &order::KEYS,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Order(order::read(fields, reading))),
    },
    Type {
        word: "match",
        keys: &matching::KEYS,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Match(matching::read(fields, reading))),
    },
    Type {
        word: "predict",
        keys: &predict::KEYS,
        counts: Counts::IfSaid,
        read: |fields, reading| predict::read(fields, reading).map(QuestionKind::Predict),
    },
    Type {
        word: "words",
        keys: &words::KEYS,
        counts: Counts::Never,
        read: |fields, reading| Some(QuestionKind::Words(words::read(fields, reading))),
    },
];

/// The same types in a quiz without keys, in the same order. Predictions and what is answered in the learner's own words have no
/// key.
const KEYLESS: [Type; 8] = {
    let [_, _, _, _, _, _, predict, words] = TYPES;
    [
        Type {
            word: "single",
            keys: &keyless::OPTIONS,
            counts: Counts::Always,
            read: |fields, reading| Some(QuestionKind::Keyless(keyless::single(fields, reading))),
        },
        Type {
            word: "multi",
            keys: &keyless::OPTIONS,
            counts: Counts::Always,
            read: |fields, reading| Some(QuestionKind::Keyless(keyless::multi(fields, reading))),
        },
        Type {
            word: "numeric",
            keys: &keyless::NUMBER,
            counts: Counts::Always,
            read: |fields, reading| Some(QuestionKind::Keyless(keyless::number(fields, reading))),
        },
        Type {
            word: "text",
            keys: &[],
            counts: Counts::Always,
            read: |_, _| Some(QuestionKind::Keyless(Keyless::Text)),
        },
        Type {
            word: "order",
            keys: &keyless::ITEMS,
            counts: Counts::Always,
            read: |fields, reading| Some(QuestionKind::Keyless(keyless::order(fields, reading))),
        },
        Type {
            word: "match",
            keys: &keyless::PAIRS,
            counts: Counts::Always,
            read: |fields, reading| Some(QuestionKind::Keyless(keyless::pairs(fields, reading))),
        },
        predict,
        words,
    ]
};

impl Type {
    /// The type of this name, as a quiz of this kind has it.
    pub(crate) fn of(word: &str, keys: Keys) -> Option<&'static Self> {
        let types = match keys {
            Keys::Here => &TYPES,
            Keys::Withheld => &KEYLESS,
        };
        types.iter().find(|it| it.word == word)
    }

    /// The keys of the type in a quiz with keys that this one has not: what only grading uses.
    pub(crate) fn for_grading(&self) -> impl Iterator<Item = &'static str> {
        let whole = TYPES.iter().find(|it| it.word == self.word);
        let keys = whole.map_or(&[][..], |it| it.keys).iter().copied();
        keys.filter(|it| !self.keys.contains(it))
    }
}
