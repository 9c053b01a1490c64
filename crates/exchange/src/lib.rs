//! Courses in the formats of other tools, and their questions as quizzes.
//!
//! Pure: values go in and texts or bytes come out, or the other way round. What a format has no place for is never dropped in
//! silence: it is a [`Remark`]. Which file is read and written is for `commands` to say. Each module uses only those above it:
//!
//! - `remark`: what a reader or writer has to say;
//! - `markup`: texts and blocks as Markdown and as HTML, and HTML as Markdown;
//! - `draft`: a quiz of another tool, and the quiz file that it becomes;
//! - `gift`, `moodle`: formats of questions that are read;
//! - `printed_question`: a question as it is on paper, with its key apart;
//! - `archive`: several files as one;
//! - `qti`, `anki`: formats of questions that are written;
//! - `pack`: a course as one file;
//! - `options`: what a text for readers shows;
//! - `page`, `github`, `notebook`: lessons as HTML, as ordinary Markdown, and as a notebook;
//! - `class_page`: what a class has done, as HTML.

pub mod anki;
mod archive;
pub mod class_page;
mod draft;
pub mod gift;
pub mod github;
pub(crate) mod markup;
pub mod moodle;
pub mod notebook;
mod options;
pub mod pack;
pub mod page;
mod printed_question;
pub mod qti;
mod remark;
#[cfg(test)]
mod tests;

pub use draft::ImportedQuiz;
pub use options::{Keys, Output, Outputs};
pub use remark::{Remark, Remarks};
