//! A question of a quiz without keys (`keys = false`): what is asked and how it is answered, and not what is right.
//!
//! The file is that of a question with a key, less what only grading uses; what is still there of that is not read. Its
//! learners hand in, and their instructor grades.

use crate::diagnostics::Rule;
use crate::model::{ChoiceId, Text};
use crate::quiz::choices::{self, Choice};
use crate::quiz::kind::{Hashed, Kind};
use crate::quiz::reading::Reading;
use crate::toml_walk::Fields;
use std::ops::Range;

use super::{matching, numeric};

/// The keys besides the common ones, as far as they are read.
pub(super) const OPTIONS: [&str; 2] = ["options", "shuffle"];
pub(super) const NUMBER: [&str; 2] = ["unit", "accepted"];
pub(super) const ITEMS: [&str; 1] = ["items"];
pub(super) const PAIRS: [&str; 1] = ["pairs"];

/// A question without a key: how it is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Keyless {
    /// One of several options.
    Single(Offers),
    /// Any number of several options.
    Multi(Offers),
    /// A number.
    Numeric {
        /// The unit that it is asked in, if it has one.
        unit: Option<String>,
        /// Other units in which learners may answer.
        accepted: Vec<String>,
    },
    /// A short text.
    Text,
    /// Items to bring into order, in an order that says nothing.
    Order(Vec<Offer>),
    /// Left and right sides to pair; which are side by side says nothing.
    Match {
        /// The left sides, shown in order.
        lefts: Vec<Offer>,
        /// The right sides, shuffled.
        rights: Vec<Offer>,
    },
}

impl Keyless {
    /// What there is to choose, move or pair; of pairs the right sides.
    pub fn offers(&self) -> impl Iterator<Item = &Offer> {
        let offers: &[Offer] = match self {
            Self::Single(it) | Self::Multi(it) => &it.options,
            Self::Order(offers) | Self::Match { rights: offers, .. } => offers,
            Self::Numeric { .. } | Self::Text => &[],
        };
        offers.iter()
    }
}

/// Options to choose from.
#[derive(Clone, Debug, PartialEq)]
pub struct Offers {
    /// The options.
    pub options: Vec<Offer>,
    /// Whether the order changes with each attempt.
    pub shuffle: bool,
}

/// Something to choose, move or pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// What it says; inline markdown.
    pub text: Text,
    /// Whether it stays last when options are shuffled.
    pub pin_last: bool,
}

pub(super) fn single(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Keyless {
    Keyless::Single(offers(fields, reading))
}

pub(super) fn multi(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Keyless {
    Keyless::Multi(offers(fields, reading))
}

pub(super) fn number(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Keyless {
    let unit = numeric::unit(fields, reading);
    let accepted = numeric::accepted(fields, unit.as_deref(), reading);
    Keyless::Numeric { unit, accepted }
}

pub(super) fn order(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Keyless {
    let items = choices::items(fields, reading).into_iter();
    Keyless::Order(items.map(offer).collect())
}

pub(super) fn pairs(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Keyless {
    let pairs = matching::read(fields, reading).pairs;
    let has_feedback = pairs.iter().any(|it| it.feedback.is_some());
    warn_of("feedback", has_feedback.then(|| fields.head()), reading);
    let side = |id: &ChoiceId, text: &Text| Offer {
        id: id.clone(),
        text: text.clone(),
        pin_last: false,
    };
    Keyless::Match {
        lefts: pairs.iter().map(|it| side(&it.id, &it.left)).collect(),
        rights: pairs.iter().map(|it| side(&it.id, &it.right)).collect(),
    }
}

fn offers(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Offers {
    let options = choices::any_options(fields, reading);
    let tells = [
        ("correct", options.iter().any(|it| it.correct)),
        ("feedback", options.iter().any(|it| it.feedback.is_some())),
    ];
    for (key, is_there) in tells {
        warn_of(key, is_there.then(|| fields.head()), reading);
    }
    Offers {
        options: options.into_iter().map(offer).collect(),
        shuffle: reading.flag(fields, "shuffle").unwrap_or(true),
    }
}

fn offer(choice: Choice) -> Offer {
    Offer {
        id: choice.id,
        text: choice.text,
        pin_last: choice.pin_last,
    }
}

/// Warns about a key that only grading uses, if it is somewhere.
pub(crate) fn warn_of(key: &str, at: Option<Range<usize>>, reading: &mut Reading<'_, '_>) {
    let Some(at) = at else { return };
    let message = format!(
        "the quiz says `keys = false`, so `{key}` of this question is not used, and learners can read it"
    );
    reading
        .report
        .warning(Rule::KeyNotUsed, at, message)
        .hint("remove it, as `warpup pack --no-keys` does; or remove `keys = false`, and warpup grades the quiz");
}

impl Kind for Keyless {
    fn hash(&self, hashed: &mut Hashed) {
        hashed.add("without key");
        match self {
            Self::Single(it) => {
                hashed.add("single");
                hash(&it.options, hashed);
            }
            Self::Multi(it) => {
                hashed.add("multi");
                hash(&it.options, hashed);
            }
            Self::Numeric { unit, .. } => {
                hashed.add("numeric");
                hashed.add(unit.as_deref().unwrap_or_default());
            }
            Self::Text => hashed.add("text"),
            Self::Order(items) => {
                hashed.add("order");
                hash(items, hashed);
            }
            Self::Match { lefts, rights } => {
                hashed.add("match");
                hash(lefts, hashed);
                hash(rights, hashed);
            }
        }
    }
}

fn hash(offers: &[Offer], hashed: &mut Hashed) {
    for offer in offers {
        hashed.add(offer.id.as_str());
        hashed.text(&offer.text);
    }
}
