//! Lessons: markdown with a head in TOML, folded into pages and labs.

mod asked;
mod body;
mod content;
mod head;
mod lab;
mod model;

pub(crate) use asked::join;
pub(crate) use body::{Body, read};
pub use content::Content;
pub(crate) use content::{Files, LazyContent};
pub(crate) use head::{Head, start};
pub use model::{Course, DeviceWish, Lab, Lesson, Page};
