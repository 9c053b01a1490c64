//! Lessons: markdown with a head in TOML, folded into pages and labs.

mod body;
mod head;
mod lab;
mod model;

pub(crate) use body::{ReadLesson, read};
pub use model::{Course, DeviceWish, Lab, Lesson, Page};
