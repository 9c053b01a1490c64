//! `type = "match"`: pairs to find.

use crate::course::model::{ChoiceId, Text};
use crate::course::quiz::choices::{Named, Texts};
use crate::course::quiz::kind::{Hashed, Kind};
use crate::course::quiz::reading::Reading;
use crate::course::toml_walk::Fields;

/// The keys besides the common ones.
pub(super) const KEYS: [&str; 1] = ["pairs"];

/// Pairs to find; the file has them paired.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// Left side, right side; a right text may occur once only.
    pub pairs: Vec<Pair>,
}

/// A pair of a match question.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// The left side, shown in order.
    pub left: Text,
    /// The right side, shuffled.
    pub right: Text,
    /// What is said when this left side got another right side.
    pub feedback: Option<Text>,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Matching {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut lefts = Texts::default();
    let mut rights = Texts::default();
    let known = ["id", "left", "right", "feedback"];
    for named in Named::list(fields, "pairs", "pair", &known, reading) {
        let left = named.line("left", reading);
        let right = named.line("right", reading);
        let feedback = named.feedback(reading);
        if let (Some((left, left_span)), Some((right, right_span))) = (left, right) {
            lefts.check(&left, left_span, reading);
            rights.check(&right, right_span, reading);
            pairs.push(Pair {
                id: named.id,
                left,
                right,
                feedback,
            });
        }
    }
    Matching { pairs }
}

impl Kind for Matching {
    fn hash(&self, hashed: &mut Hashed) {
        hashed.add("match");
        for pair in &self.pairs {
            hashed.add(pair.id.as_str());
            hashed.text(&pair.left);
            hashed.text(&pair.right);
        }
    }
}
