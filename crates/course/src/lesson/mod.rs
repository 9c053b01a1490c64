//! Lessons: markdown with a head in TOML, folded into pages and labs.

mod asked;
mod body;
mod card_ids;
mod content;
mod course;
mod head;
mod lab;
mod model;
mod programs;

pub(crate) use asked::join;
pub(crate) use body::{Body, read};
pub use content::Content;
pub(crate) use content::{Files, LazyContent};
pub use course::{Course, Lesson};
pub use head::range as head_range;
pub(crate) use head::{Head, start};
pub use model::{DeviceWish, Lab, LabBlocks, Note, Page, Pause, Solution};
pub(crate) use programs::Programs;
