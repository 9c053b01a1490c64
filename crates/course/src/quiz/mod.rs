//! Quizzes: a file of questions, and one module for each kind of question.

mod braces;
mod choice_names;
mod choices;
mod computed;
mod expression;
mod file;
mod file_value;
mod headers;
mod kind;
pub mod kinds;
mod model;
mod page_names;
mod pool;
mod question;
mod reading;
mod sheet;
mod source_texts;
mod stable_shuffle;
mod versions;
mod without_key;

pub use choice_names::ChoiceNames;
pub use choices::{Choice, OptionsKey};
pub(crate) use file::{ReadQuiz, lint, read, read_translated};
pub use file_value::FileValue;
pub use kinds::{Answer, QuestionKind};
pub use model::{Question, Quiz};
pub(crate) use page_names::PageNames;
pub(crate) use question::Places;
pub use sheet::Sheet;
pub use source_texts::{WrittenQuestion, written};
pub use stable_shuffle::fnv1a;
pub use without_key::WithoutKey;
