//! GIFT, the text format in which Moodle and many other tools exchange questions.
//!
//! What it means is what Moodle's reader (`question/format/gift/format.php`) makes of it.

mod answers;
mod escape;
mod questions;
mod read;
mod reading;
mod write;

pub use read::read;
pub(crate) use reading::PARTS;
pub use write::write;

#[cfg(test)]
mod tests;
