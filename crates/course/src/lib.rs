//! Course files: text goes in, a [`Course`] and its [`Diagnostic`]s come out.
//!
//! Nothing here reads a file, a clock or the terminal, so every rule about what a lesson may contain is
//! tested with string literals. Parsing never fails: it returns what it could read and says what it
//! could not, with file, line and column. `docs/course-format.md` is the format. Each module uses only
//! those above it:
//!
//! - `language`, `sources`: languages, and the texts of a course;
//! - `model`: names, text and blocks;
//! - `diagnostics`: what is wrong with a file, and "did you mean";
//! - `toml_walk`, `markdown`: the two languages that course files are written in;
//! - `merge_marks`: what Git leaves in a file that it could not merge;
//! - `memory`: amounts of memory;
//! - `program_text`: which parts of a program are code;
//! - `program_habits`: lines that come with a program from elsewhere and are not Python;
//! - `units`: units of measure and their conversion;
//! - `quiz`: a quiz file, its questions, and one file for each kind of question;
//! - `lesson`: a lesson file, its pages and labs;
//! - `due`, `policy`: deadlines, and what a course asks of machines;
//! - `manifest`, `check`, `unread`, `unused`: the course file, what files say about each other, files that are not read or that
//!   nothing names;
//! - `translations`, `parse`: what a translation has that its original does not, all files together;
//! - `index`: the heads and outlines of all lessons, from which a course opens at once;
//! - `reading`: how long a lesson takes to read;
//! - `editions`: what changed between two editions of a course;
//! - `template`, `schema`: the text of new files, and JSON Schemas of their TOML;
//! - `glossary`: the words that a course explains;
//! - `folds`: which blocks of a page are in folded parts;
//! - `wrap`, `plain`: blocks as plain text.

pub mod block_prefix;
mod check;
pub mod collapsible;
mod diagnostics;
mod due;
pub mod editions;
pub mod glossary;
mod index;
mod language;
mod lesson;
mod manifest;
mod markdown;
mod memory;
mod merge_marks;
mod model;
mod parse;
pub mod plain;
mod policy;
pub mod program_habits;
mod program_text;
mod quiz;
pub mod reading_time;
mod run_metric;
pub mod schema;
mod sources;
pub mod template;
pub mod toml_walk;
mod translations;
pub mod units;
mod unread;
mod unused;
pub mod wrap;

#[cfg(any(test, feature = "sample"))]
pub mod sample;

pub use diagnostics::{Diagnostic, Edit, Fix, Point, Report, Rule, Severity, corrected, nearest};
pub use due::{DueTable, HOW_DUE, due_ms};
pub use index::Index;
pub use language::Language;
pub use lesson::{
    Content, Course, DeviceWish, Lab, LabBlocks, LabOutline, Lesson, Note, OtherWay, Outline, Page,
    PageOutline, Pause, QuizOutline, Solution, head_range, repairs,
};
pub use model::{
    Align, Block, BlockKind, Callout, ChoiceId, Container, CourseId, CoursePolicy, FIGURE_COLUMNS,
    FrontEnd, LabId, LessonId, LimitedBy, MAX_DEPTH, Marker, PageId, PassRule, Piece, QuestionId,
    Rules, Text,
};
pub use parse::{in_translations, open, open_indexed, parse};
pub use quiz::{
    Answer, Choice, ChoiceNames, FileValue, OptionsKey, Question, QuestionKind, Quiz, Sheet,
    WithoutKey, WrittenQuestion, fnv1a, kinds, written,
};
pub use run_metric::RunMetric;
pub use sources::{MAX_FILE, PARTS, Sources, is_of_course, is_translated};
