//! JSON Schemas (draft 2020-12) of the TOML in course files, for editors.
//!
//! They know keys, types and ranges. What files say about each other, only [`super::parse()`] finds. The readers do not use
//! them: a test asks each reader for its keys and holds them against these.

/// The schema of `lessons/course.toml`.
pub const COURSE: &str = include_str!("course.json");

/// The schema of a lesson's head.
pub const LESSON: &str = include_str!("lesson.json");

/// The schema of a quiz file.
pub const QUIZ: &str = include_str!("quiz.json");
