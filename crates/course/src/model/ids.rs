//! The names that progress and links refer to, and the pass rule.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Declares a newtype for a name that progress or links hang on.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the name as written.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// The name of a course.
    CourseId
}
id! {
    /// The name of a lesson, stable across releases: progress is stored under it.
    LessonId
}
id! {
    /// The name of a page inside a lesson: a heading's `{#id}` or its slug.
    PageId
}
id! {
    /// The name of a lab inside a lesson.
    LabId
}
id! {
    /// The name of a question inside a quiz: attempts are stored under it.
    QuestionId
}
id! {
    /// The name of one option, item or pair inside a question.
    ChoiceId
}

/// What share of a quiz's points passes. The gate is strict: more than the share, not the share itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassRule {
    /// The share, in percent: 75 means more than 75 % is needed.
    pub above_percent: u32,
}

impl Default for PassRule {
    /// The rule of a course that says nothing.
    fn default() -> Self {
        Self { above_percent: 75 }
    }
}
