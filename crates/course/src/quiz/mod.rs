//! Quizzes: a file of questions, and one module for each kind of question.

mod braces;
mod choices;
mod draw;
mod expression;
mod file;
mod headers;
mod kind;
pub mod kinds;
mod model;
mod pool;
mod question;
mod reading;
mod versions;
mod without_key;
mod written;

pub use choices::Choice;
pub(crate) use file::{ReadQuiz, lint, read, read_translated};
pub use kinds::{Answer, QuestionKind};
pub use model::{Question, Quiz};
pub(crate) use question::Places;
pub use without_key::WithoutKey;
pub use written::{WrittenQuestion, written};
