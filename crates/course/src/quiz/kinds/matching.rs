//! `type = "match"`: pairs to find.

use crate::diagnostics::Rule;
use crate::model::{ChoiceId, Text};
use crate::quiz::choices::{Named, Texts};
use crate::quiz::kind::{Hashed, Kind};
use crate::quiz::reading::Reading;
use crate::toml_walk::Fields;

/// The keys besides the common ones.
pub(super) const KEYS: [&str; 2] = ["pairs", "partial"];

/// The largest weight of a pair.
const MAX_WEIGHT: u32 = 100;

/// Pairs to find; the file has them paired.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// Left side, right side; a right text may occur once only.
    pub pairs: Vec<Pair>,
    /// Whether right pairs earn their share of the points where others are wrong.
    pub partial: bool,
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
    /// Its share of the points, relative to the other pairs.
    pub weight: u32,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Matching {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut lefts = Texts::default();
    let mut rights = Texts::default();
    let partial = reading.flag(fields, "partial").unwrap_or(false);
    let known = ["id", "left", "right", "feedback", "weight"];
    for named in Named::list(fields, "pairs", "pair", &known, reading) {
        let left = named.line("left", reading);
        let right = named.line("right", reading);
        let feedback = named.feedback(reading);
        let weight = weight(&named.fields, partial, reading);
        if let (Some((left, left_span)), Some((right, right_span))) = (left, right) {
            lefts.check(&left, left_span, reading);
            rights.check(&right, right_span, reading);
            pairs.push(Pair {
                id: named.id,
                left,
                right,
                feedback,
                weight,
            });
        }
    }
    Matching { pairs, partial }
}

/// The weight of a pair.
fn weight(fields: &Fields<'_>, partial: bool, reading: &mut Reading<'_, '_>) -> u32 {
    let Some(weight) = fields.optional::<u32>("weight", reading.report) else {
        return 1;
    };
    let wrong = if !(1..=MAX_WEIGHT).contains(&weight.value) {
        Some((
            format!("a weight is between 1 and {MAX_WEIGHT}"),
            "write `weight = 2` for a pair that counts twice",
        ))
    } else if !partial {
        Some((
            "without `partial`, no pair has a weight of its own".to_owned(),
            "write `partial = true` into the question, or leave `weight` out",
        ))
    } else {
        None
    };
    if let Some((message, hint)) = wrong {
        reading
            .error(Rule::WeightForm, weight.span, message)
            .hint(hint);
    }
    weight.value
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
