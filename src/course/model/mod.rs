//! What lessons and quizzes are made of: names, text, blocks and the pass rule.

mod block;
mod ids;
mod pass;
mod text;

pub use block::{Align, Block, BlockKind, Callout, Container, FIGURE_COLUMNS, MAX_DEPTH, Marker};
pub use ids::{ChoiceId, CourseId, LabId, LessonId, PageId, QuestionId};
pub use pass::PassRule;
pub use text::{Piece, Text};
