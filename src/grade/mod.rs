//! Grading: a question and an answer give a verdict; verdicts give a score; the gate is strict.
//!
//! Pure. Scores are whole numbers of hundredths of a point, so that the gate never compares floats.

pub mod answers_file;
mod attempt;
mod judge;
mod key;
mod number;
mod prove;
mod shuffle;
mod words;

pub use attempt::{Asked, Attempt, Given, Origin, order_of};
pub use key::key;
pub use prove::{Expect, LabProof, plan, prove};
pub use words::words;

use crate::course::{ChoiceId, LabId, PassRule, Question, QuestionKind, Text};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Hundredths in a point.
pub const HUNDREDTHS: u64 = 100;

/// What a learner answered.
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

/// How an answer was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Hundredths of a point earned.
    pub earned: u64,
    /// Hundredths of a point that could be earned.
    pub max: u64,
    /// What to say about this very answer: an option's feedback, a near miss, an answer of the wrong kind.
    pub feedback: Vec<Text>,
}

impl Verdict {
    /// Whether every point was earned.
    pub fn is_right(&self) -> bool {
        self.earned == self.max
    }
}

/// Why a typed answer could not be read at all. Not an attempt: the learner is asked again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nothing was answered.
    #[error("nothing is answered yet")]
    Empty,
    /// A number was asked for.
    #[error("`{0}` is no number: write something like 14.9 or 2e9")]
    NotANumber(String),
    /// The unit is not one that can be converted.
    #[error("`{unit}` does not fit: answer in {known}")]
    UnknownUnit {
        /// The unit as typed.
        unit: String,
        /// The units that fit, joined for reading.
        known: String,
    },
    /// The answer is of another kind than the question, or names a choice that it does not have.
    #[error("the answer does not belong to this question: {0}")]
    Foreign(String),
    /// Only a part was answered.
    #[error("not everything is answered yet: {0}")]
    Incomplete(String),
    /// The question asks for the learner's own words.
    #[error("this is answered in your own words, which are not graded")]
    NotGraded,
    /// A prediction has nothing to be compared with yet.
    #[error("run the lab `{0}` first: the prediction is compared with what it measures")]
    NotMeasured(LabId),
}

/// Judges an answer. For a prediction, `truth` is the metric of the run; without it nothing can be judged.
///
/// An answer that can be read, to a prediction without a truth, gives [`Unreadable::NotMeasured`]: it may
/// be committed and judged later.
pub fn grade(
    question: &Question,
    answer: &Answer,
    truth: Option<f64>,
) -> Result<Verdict, Unreadable> {
    let max = judge::worth(question.points);
    let judged = match &question.kind {
        QuestionKind::Single { options, .. } => judge::single(options, answer, max),
        QuestionKind::Multi {
            options,
            partial: false,
            ..
        } => judge::multi(options, answer, max),
        QuestionKind::Multi {
            options,
            partial: true,
            ..
        } => judge::multi_partial(options, answer, max),
        QuestionKind::Numeric(key) => judge::numeric(key, answer, max),
        QuestionKind::Text {
            accept, case, near, ..
        } => {
            let key = judge::TextKey {
                accept,
                case: *case,
                near,
            };
            judge::text(&key, answer, max)
        }
        QuestionKind::Order { items, also } => judge::order(items, also, answer, max),
        QuestionKind::Match { pairs } => judge::pairs(pairs, answer, max),
        QuestionKind::Predict { lab, form, .. } => judge::predict(lab, form, answer, truth, max),
        QuestionKind::Words { .. } => Err(Unreadable::NotGraded),
    }?;
    Ok(Verdict {
        earned: judged.earned,
        max,
        feedback: judged.feedback,
    })
}

/// Points earned out of points possible, in hundredths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Earned.
    pub earned: u64,
    /// Possible.
    pub max: u64,
}

impl Score {
    /// Whether the score is above the rule's share; exactly the share is not above it.
    pub fn passes(self, rule: PassRule) -> bool {
        self.max > 0 && 100 * self.earned > u64::from(rule.above_percent) * self.max
    }
}

/// The fewest whole points out of `max` whole points that pass.
pub fn needed(max: u64, rule: PassRule) -> u64 {
    max * u64::from(rule.above_percent) / 100 + 1
}

#[cfg(test)]
mod tests;
