//! What a class has done: the progress that several learners handed in, as rows.
//!
//! Pure. The files are the learners' own, and nothing in them proves who gave an answer: attempts are self-reported.

mod claim;
mod fold;
mod handed_in;
mod questions;
mod regrade;
mod worth;

pub(crate) use claim::Basis;
pub(crate) use fold::{ClassReport, LearnerRows, LessonRow};
pub(crate) use questions::{QuestionRow, RowOf};

#[cfg(test)]
mod tests;
