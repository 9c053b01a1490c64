//! Why an answer could not be read.

use crate::course::LabId;

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
