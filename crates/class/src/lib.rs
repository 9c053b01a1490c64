//! What a class has done: the progress that several learners handed in, as rows.
//!
//! Pure. The files are the learners' own, and nothing in them proves who gave an answer: attempts are self-reported.

mod answer_score;
mod attempt_claim;
mod class_file;
mod comment_file;
mod dates;
mod effort;
mod firsts;
mod flags;
mod fold;
mod handed_in;
mod item;
mod learner_records;
mod mistake;
mod pages;
mod questions;
mod regrade;
mod results;
mod rows;
mod stuck;
pub mod words;

pub use attempt_claim::Basis;
pub use class_file::ClassFile;
pub use comment_file::comments;
pub use flags::Flag;
pub use fold::{ClassFold, ClassReport};
pub use learner_records::LearnerRecords;
pub use mistake::Mistake;
pub use pages::PageRow;
pub use questions::{QuestionRow, RowOf};
pub use rows::{Enrollment, LearnerRows, LessonRow, Status};
pub use stuck::StuckAt;

#[cfg(test)]
mod tests;
