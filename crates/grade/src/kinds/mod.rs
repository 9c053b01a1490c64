//! Grading, one file for each kind of question.

mod grade_kind;
mod matching;
mod multi;
mod numeric;
mod order;
mod predict;
mod single;
mod text;
mod words;

pub(super) use grade_kind::{Claim, ExpectedVerdict, GradeKind};

use warpup_course::QuestionKind;

/// A kind of question, as grading sees it.
pub(super) fn graded(kind: &QuestionKind) -> &dyn GradeKind {
    match kind {
        QuestionKind::Single(it) => it,
        QuestionKind::Multi(it) => it,
        QuestionKind::Numeric(it) => it,
        QuestionKind::Text(it) => it,
        QuestionKind::Order(it) => it,
        QuestionKind::Match(it) => it,
        QuestionKind::Predict(it) => it,
        QuestionKind::Words(it) => it,
    }
}
