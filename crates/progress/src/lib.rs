//! What a learner has done, as a fold over a set of records.
//!
//! Pure. The fold does not depend on the order of the records and counts each id once, so logs of
//! several processes and machines merge by union. Nothing is ever un-done by a later record except by
//! a [`Event::Reset`], which hides older records of its scope.

mod event;
mod facts;
mod failure_reason;
mod feedback;
mod figures;
mod fold;
mod lesson;
mod own_work;
mod reading_position;
mod way_on;

pub use event::{Event, Labs, QuestionSelection, Record};
pub use failure_reason::FailureReason;
pub use feedback::{Comment, CommentSubject, Feedback, GradedQuiz, Remark, RemarkPlace};
pub use figures::{RanOn, RunRecord, kept};
pub use fold::{LAST_MS, Progress};
pub use lesson::{
    AnswerRecord, AttemptRecord, Explanation, HandedInRecord, LabProgress, LessonProgress,
    OpenAttempt,
};
pub use own_work::{OwnWork, OwnWorkCount};
pub use reading_position::ReadingPosition;
pub use way_on::WayOn;

#[cfg(test)]
mod tests;
