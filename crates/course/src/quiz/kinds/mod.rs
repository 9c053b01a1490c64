//! The kinds of questions. A new one is a file here, a variant, a line in each of the lists below, and a file in
//! `grade/kinds`.

mod matching;
mod multi;
mod numeric;
mod order;
mod pattern;
mod predict;
mod single;
mod text;
mod words;

pub use matching::{MatchKey, Matching};
pub use multi::{MultipleChoice, MultipleKey};
pub use numeric::{NearMiss, Numeric, NumericKey, Tolerance};
pub use order::{OrderKey, Ordering};
pub use predict::{Bin, PredictForm, Prediction};
pub use single::SingleChoice;
pub use text::{ShortText, TextKey};
pub use words::OwnWords;

use super::file_value::FileValue;
use super::kind::Kind;
use super::reading::Reading;
use crate::model::ChoiceId;
use crate::toml_walk::Fields;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What can be answered, and what is right if the quiz says so.
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
        }
    }

    /// The same, to be changed.
    pub(crate) fn kind_mut(&mut self) -> &mut dyn Kind {
        match self {
            Self::Single(it) => it,
            Self::Multi(it) => it,
            Self::Numeric(it) => it,
            Self::Text(it) => it,
            Self::Order(it) => it,
            Self::Match(it) => it,
            Self::Predict(it) => it,
            Self::Words(it) => it,
        }
    }

    /// Its `type` in a quiz file.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }

    /// What a learner chooses from, with the texts.
    pub(crate) fn choices(&self) -> Vec<(ChoiceId, String)> {
        self.kind().choices()
    }

    /// What a quiz file without keys says of it, beside what all kinds have.
    pub fn offered(&self) -> Vec<(&'static str, FileValue)> {
        self.kind().offered()
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
    /// Those of them that a quiz without keys has, too.
    pub(crate) offered: &'static [&'static str],
    /// Whether such questions count.
    pub(crate) counts: Counts,
    /// Reads what belongs to the type. What it gives is whole only if nothing was reported meanwhile.
    pub(crate) read: fn(&Fields<'_>, &mut Reading<'_, '_>) -> Option<QuestionKind>,
}

/// The types of questions.
pub(crate) const TYPES: [Type; 8] = [
    Type {
        word: single::WORD,
        keys: &single::KEYS,
        offered: &single::KEYS,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Single(single::read(fields, reading))),
    },
    Type {
        word: multi::WORD,
        keys: &multi::KEYS,
        offered: &multi::OFFERED,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Multi(multi::read(fields, reading))),
    },
    Type {
        word: numeric::WORD,
        keys: &numeric::KEYS,
        offered: &numeric::OFFERED,
        counts: Counts::Always,
        read: |fields, reading| numeric::read(fields, reading).map(QuestionKind::Numeric),
    },
    Type {
        word: text::WORD,
        keys: &text::KEYS,
        offered: &[],
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Text(text::read(fields, reading))),
    },
    Type {
        word: order::WORD,
        keys: &order::KEYS,
        offered: &order::OFFERED,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Order(order::read(fields, reading))),
    },
    Type {
        word: matching::WORD,
        keys: &matching::KEYS,
        offered: &matching::OFFERED,
        counts: Counts::Always,
        read: |fields, reading| Some(QuestionKind::Match(matching::read(fields, reading))),
    },
    Type {
        word: predict::WORD,
        keys: &predict::KEYS,
        offered: &predict::KEYS,
        counts: Counts::IfSaid,
        read: |fields, reading| predict::read(fields, reading).map(QuestionKind::Predict),
    },
    Type {
        word: words::WORD,
        keys: &words::KEYS,
        offered: &words::KEYS,
        counts: Counts::Never,
        read: |fields, reading| Some(QuestionKind::Words(words::read(fields, reading))),
    },
];

impl Type {
    /// The type of this name.
    pub(crate) fn of(word: &str) -> Option<&'static Self> {
        TYPES.iter().find(|it| it.word == word)
    }

    /// The keys that only grading uses.
    pub(crate) fn for_grading(&self) -> impl Iterator<Item = &'static str> {
        let keys = self.keys.iter().copied();
        keys.filter(|it| !self.offered.contains(it))
    }
}
