//! `warpup progress show|reset|import|export|repair`.

mod json;
mod reset;
mod text;
mod transfer;

use super::console::Console;
use super::context::{CommandContext, with_learner};
use super::course_argument::CourseArgument;
use super::failure::{Exit, Result};
use crate::cli::ProgressCommand;
use json::ProgressJson;
use reset::reset;
use warpup_progress::OwnWork;

/// Shows what is done, or does something with it.
pub(super) fn execute(
    command: Option<ProgressCommand>,
    asked: CourseArgument<'_>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    with_learner(asked, console, |context| match command {
        Some(ProgressCommand::Show { json: true, .. }) => show_json(context),
        None | Some(ProgressCommand::Show { lesson: None, .. }) => text::all(context),
        Some(ProgressCommand::Show {
            lesson: Some(lesson),
            ..
        }) => text::one(context, &lesson),
        Some(ProgressCommand::Reset(args)) => reset(context, &args),
        Some(ProgressCommand::Import { path }) => transfer::import(context, path.as_deref()),
        Some(ProgressCommand::Export {
            file,
            without_programs,
            without_words,
        }) => {
            let own_work = OwnWork {
                programs: !without_programs,
                words: !without_words,
            };
            transfer::export(context, file.as_deref(), own_work)
        }
        Some(ProgressCommand::Repair) => transfer::repair(context),
    })
}

/// Shows what is done in each lesson for programs.
fn show_json(context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    let progress = ProgressJson::of(context.course, &context.learner.progress);
    context.console.json(&progress)?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample::{self, attempted};

    #[test]
    fn programs_get_the_same_as_json() {
        let (text, _) = sample::with_context("", |context| {
            context.learner.note(attempted(350), 951_782_400_000);
            show_json(context)
        });
        insta::assert_snapshot!(text, @r#"
        {
          "course": "warpup",
          "lessons": [
            {
              "lesson": "copies",
              "title": "What a copy costs",
              "done": true,
              "first_try": true,
              "labs_passed": [],
              "labs": 2,
              "attempts": [
                {
                  "attempt": "attempt-350",
                  "at_ms": 951782400000,
                  "earned": 3.5,
                  "max": 4.0,
                  "above_percent": 75,
                  "passed": true,
                  "took_ms": 1000,
                  "missed": []
                }
              ],
              "handed_in": []
            }
          ]
        }
        "#);
    }
}
