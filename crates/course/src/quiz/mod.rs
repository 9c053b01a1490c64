//! Quizzes: a file of questions, and one module for each kind of question.

mod braces;
mod choice_names;
mod choices;
mod draw;
mod expression;
mod file;
mod file_value;
mod headers;
mod kind;
pub mod kinds;
mod mixed;
mod model;
mod pool;
mod question;
mod reading;
mod sheet;
mod versions;
mod without_key;
mod written;

pub use choice_names::ChoiceNames;
pub use choices::{Choice, OptionsKey};
pub(crate) use file::{ReadQuiz, lint, read, read_translated};
pub use file_value::FileValue;
pub use kinds::{Answer, QuestionKind};
pub use mixed::fnv1a;
pub use model::{Question, Quiz};
pub(crate) use question::Places;
pub use sheet::Sheet;
pub use without_key::WithoutKey;
pub use written::{WrittenQuestion, written};
