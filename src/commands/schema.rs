//! `warpup schema`: the JSON Schema of a course file.

use super::console::Console;
use super::failure::{Exit, Result};
use crate::cli::SchemaOf;
use warpup_course::schema;
use warpup_text::shown::Shown;

/// Prints a schema.
pub(super) fn execute(of: SchemaOf, console: &mut Console<'_>) -> Result<Exit> {
    let text = match of {
        SchemaOf::Course => schema::COURSE,
        SchemaOf::Lesson => schema::LESSON,
        SchemaOf::Quiz => schema::QUIZ,
    };
    console.text(&Shown::json(text))?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample;

    #[test]
    fn each_schema_is_printed_as_json() {
        for (of, title) in [
            (SchemaOf::Course, "lessons/course.toml of a warpup course"),
            (
                SchemaOf::Lesson,
                "The head of a warpup lesson, between two lines `+++`",
            ),
            (SchemaOf::Quiz, "A quiz of a warpup course"),
        ] {
            let (text, exit) = sample::console("", |console| execute(of, console));
            let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!((schema["title"].as_str(), exit), (Some(title), Exit::Fine));
        }
    }
}
