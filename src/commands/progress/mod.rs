//! `warpup progress show|reset|import|export|repair`.

mod json;
mod reset;
mod transfer;

use super::console::{Console, Format};
use super::context::{CommandContext, with_learner};
use super::course_argument::CourseArgument;
use super::failure::{Exit, Result};
use super::map::state;
use crate::cli::ProgressCommand;
use json::ProgressJson;
use reset::reset;
use warpup_course::Lesson;
use warpup_progress::{AttemptRecord, LessonProgress, OwnWork};
use warpup_text::utc;

/// Shows what is done, or does something with it.
pub(super) fn execute(
    command: Option<ProgressCommand>,
    asked: CourseArgument<'_>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    with_learner(asked, console, |context| match command {
        None => show(context, Format::Text),
        Some(ProgressCommand::Show { json }) => show(context, json.into()),
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

/// Shows what is done in each lesson.
fn show(context: &mut CommandContext<'_, '_>, format: Format) -> Result<Exit> {
    match format {
        Format::Text => show_text(context)?,
        Format::Json => {
            let progress = ProgressJson::of(context.course, &context.learner.progress);
            context.console.json(&progress)?;
        }
    }
    Ok(Exit::Fine)
}

fn show_text(context: &mut CommandContext<'_, '_>) -> Result<()> {
    let (course, progress) = (context.course, &context.learner.progress);
    let console = &mut *context.console;
    let of = |lesson: &&Lesson| progress.lesson(&lesson.id).is_done();
    let done = course.lessons.iter().filter(of).count();
    let all = course.lessons.len();
    console.line(&format!("{}: {done} of {all} lessons done", course.title))?;
    if let Some((lesson, page)) = progress.place() {
        console.line(&format!("You left off at {lesson}#{page}."))?;
    }
    for lesson in &course.lessons {
        let progress = progress.lesson(&lesson.id);
        console.line(&format!("\n{:<6} {}", state(progress), lesson.title))?;
        let details = details(lesson, progress).into_iter();
        console.lines(details.map(|it| format!("       {it}")))?;
    }
    Ok(())
}

fn details(lesson: &Lesson, progress: &LessonProgress) -> Vec<String> {
    let mut lines = vec![format!("id {}", lesson.id)];
    if !lesson.labs.is_empty() {
        let passed = lesson
            .labs
            .iter()
            .filter(|it| progress.lab(&it.id).has_passed());
        let (passed, all) = (passed.count(), lesson.labs.len());
        lines.push(format!("labs passed: {passed} of {all}"));
    }
    if let (Some(best), Some(latest)) = (progress.best(), progress.latest()) {
        lines.push(format!("quiz: best {}", attempt_in_words(best)));
        if latest != best {
            lines.push(format!("      latest {}", attempt_in_words(latest)));
        }
        lines.push(format!("attempts: {}", progress.attempts.len()));
    }
    if let Some(latest) = progress.handed_in.last() {
        let at = utc::minute(latest.at_ms);
        lines.push(format!(
            "quiz: handed in, {at} UTC; your instructor grades it"
        ));
    }
    if let Some(open) = &progress.open {
        let answers = open.answers.len();
        lines.push(format!("quiz left open after {answers} answers"));
    }
    lines
}

fn attempt_in_words(attempt: &AttemptRecord) -> String {
    let not = if attempt.passed { "" } else { "not " };
    let (score, at) = (attempt.score, utc::minute(attempt.at_ms));
    format!("{score} points, {not}passed, {at} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample::{self, attempted};
    use warpup_course::{LessonId, PageId};
    use warpup_progress::Event;

    #[test]
    fn an_untouched_course_is_all_new() {
        let (text, _) = sample::with_context("", |context| show(context, Format::Text));
        insta::assert_snapshot!(text, @r"
        CUDA, understood: 0 of 1 lessons done

        new    What a copy costs
               id copies
               labs passed: 0 of 2
        ");
    }

    #[test]
    fn the_best_and_the_latest_attempt_are_shown() {
        let (text, _) = sample::with_context("", |context| {
            let read = Event::Read {
                lesson: LessonId::new("copies"),
                page: PageId::new("the-bus"),
            };
            context.learner.note(read, 1);
            context.learner.note(attempted(350), 951_782_400_000);
            context.learner.note(attempted(100), 951_782_500_000);
            show(context, Format::Text)
        });
        insta::assert_snapshot!(text, @r"
        CUDA, understood: 1 of 1 lessons done
        You left off at copies#the-bus.

        done   What a copy costs
               id copies
               labs passed: 0 of 2
               quiz: best 3.5 of 4 points, passed, 2000-02-29 00:00 UTC
                     latest 1 of 4 points, not passed, 2000-02-29 00:01 UTC
               attempts: 2
        ");
    }

    #[test]
    fn programs_get_the_same_as_json() {
        let (text, _) = sample::with_context("", |context| {
            context.learner.note(attempted(350), 951_782_400_000);
            show(context, Format::Json)
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
