//! What lessons and quizzes are made of: names, text, blocks and the pass rule.

mod block;
mod front_end;
mod ids;
mod policy;
mod text;

pub use block::{Align, Block, BlockKind, Callout, Container, FIGURE_COLUMNS, MAX_DEPTH, Marker};
pub use front_end::FrontEnd;
pub use ids::{ChoiceId, CourseId, LabId, LessonId, PageId, PassRule, QuestionId};
pub use policy::{CoursePolicy, LimitedBy, Rules};
pub use text::{Piece, Text};
