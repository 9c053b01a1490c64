//! A quiz as another tool's file has it, and what warpup's quiz file of it is.
//!
//! A draft may lack what a quiz needs. [`Draft::into_quiz`] adds what follows from the rest, and leaves out each question that
//! `warpup check` would refuse.

mod finish;
mod line;
mod model;
mod prove;
mod table;

pub use finish::ImportedQuiz;
pub(super) use model::{AnswerForm, Draft, DraftNearMiss, DraftOption, DraftQuestion, MAX_READ};
