//! Lessons: markdown with a head in TOML, folded into pages and labs.

mod body;
mod card_ids;
mod content;
mod course;
mod cross_references;
mod head;
mod lab;
mod model;
mod outline;
mod programs;
pub mod repairs;

pub(crate) use body::{Body, ReadWith, read};
pub use content::Content;
pub(crate) use content::{Files, LazyContent};
pub use course::{Course, Lesson};
pub(crate) use cross_references::join;
pub use head::range as head_range;
pub(crate) use head::{Head, start};
pub use model::{DeviceWish, Lab, LabBlocks, Note, OtherWay, Page, Pause, Solution};
pub use outline::{LabOutline, Outline, PageOutline, QuizOutline};
pub(crate) use programs::Programs;
