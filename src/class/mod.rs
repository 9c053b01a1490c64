//! What a class has done: the progress that several learners handed in, as rows.
//!
//! Pure. The files are the learners' own, and nothing in them proves who gave an answer: attempts are self-reported.

mod claim;
mod class_file;
mod dates;
mod effort;
mod firsts;
mod flags;
mod fold;
mod handed_in;
mod item;
mod questions;
mod regrade;
mod rows;
mod stuck;
mod worth;

pub(crate) use claim::Basis;
pub(crate) use class_file::ClassFile;
pub(crate) use dates::strange_dates;
pub(crate) use flags::Flag;
pub(crate) use fold::{ClassFold, ClassReport, in_short};
pub(crate) use questions::{QuestionRow, RowOf};
pub(crate) use regrade::claims;
pub(crate) use rows::{Enrolled, LearnerRows, LessonRow, Status};
pub(crate) use stuck::StuckAt;

#[cfg(test)]
mod tests;
