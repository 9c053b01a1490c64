//! Quizzes: a file of questions, and one module for each kind of question.

mod choices;
mod file;
mod hash;
mod kind;
pub mod kinds;
mod lint;
mod model;
mod question;
mod reading;

pub use choices::Choice;
pub(crate) use file::{ReadQuiz, read};
pub use kinds::QuestionKind;
pub(crate) use lint::lint;
pub use model::{Question, Quiz};
pub(crate) use question::Places;
