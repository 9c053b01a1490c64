//! What every kind of question has to say about itself, beside reading it from TOML.

use super::hash::Hashed;
use crate::course::diagnostics::Report;
use crate::course::model::QuestionId;
use std::ops::Range;

/// A kind of question.
pub(crate) trait Kind {
    /// Adds the choices and the key to the question's hash. Answers of learners are stored with the hash, so what
    /// is added must never change: every answer given so far would be asked again.
    fn hash(&self, hashed: &mut Hashed);

    /// Warns about a question that gives itself away or teaches nothing on a miss; `place` is where to point.
    fn lint(&self, _id: &QuestionId, _place: Range<usize>, _report: &mut Report) {}
}
