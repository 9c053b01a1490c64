//! `warpup` without a terminal: the course map as text.

use super::console::Console;
use super::context::{CommandContext, with_learner_in};
use super::course_argument::CourseArgument;
use super::courses::{self, Readers};
use super::failure::{Exit, Failure, Result};
use super::learner::Learner;
use warpup_course::{Course, Lesson};
use warpup_progress::{Progress, WayOn};
use warpup_text::zone::Zone;

/// Prints the lessons and how to go on without a screen.
pub(super) fn execute(
    asked: CourseArgument<'_>,
    readers: Readers,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let opened = courses::open(asked)?.shown_to(readers);
    with_learner_in(&opened, asked.dir, console, print)
}

fn print(context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    context.learner.look_for_feedback();
    let (course, progress) = (context.course, &context.learner.progress);
    let console = &mut *context.console;
    console.line(&course.title)?;
    console.line(&format!("{}\n", course.summary))?;
    console.lines(lessons(course, context.learner))?;
    let way = WayOn::of(course.lessons.iter(), progress);
    if let Some(way) = way {
        console.line(&format!("\nNext: {way}."))?;
    }
    let next = way.map(WayOn::lesson).or(course.lessons.first());
    let next = next.map_or("LESSON", |it| it.id.as_str());
    let warpup = &console.warpup;
    let said = format!(
        "\nThis is not a terminal to draw in. Everything works line by line, too:\n\
         \u{20}   {warpup} --plain\n    {warpup} read {next}\n    {warpup} run {next}/LAB\n    {warpup} quiz {next}"
    );
    console.line(&said)?;
    Ok(Exit::Fine)
}

/// A line for each lesson: its number, how far it is, its title, its id and how long it takes.
fn lessons<'a>(course: &'a Course, learner: &'a Learner) -> impl Iterator<Item = String> + 'a {
    let minutes = minutes(course, &learner.progress);
    (1..).zip(&course.lessons).map(move |(number, lesson)| {
        let state = state(learner, lesson);
        let (title, id, minutes) = (&lesson.title, &lesson.id, minutes(lesson));
        format!("{number:>3}. {state:<6} {title} ({id}, {minutes})")
    })
}

/// How long each lesson takes and, of one that is not finished, its deadline, in the time zone of the reader.
pub(super) fn minutes<'a>(
    course: &'a Course,
    progress: &'a Progress,
) -> impl Fn(&Lesson) -> String + 'a {
    let zone = (!course.due_ms.is_empty()).then(Zone::system);
    move |lesson| {
        let minutes = format!("{} min", lesson.minutes);
        let due = course.due_ms.get(&lesson.id);
        let due = due.filter(|_| !progress.lesson(&lesson.id).is_finished());
        match due.zip(zone.as_ref()) {
            Some((due, zone)) => format!("{minutes}, due {}", zone.minute(*due)),
            None => minutes,
        }
    }
}

/// The next lesson; the first where all are done.
fn next_lesson(context: &CommandContext<'_, '_>) -> Option<String> {
    let course = context.course;
    let way = WayOn::of(course.lessons.iter(), &context.learner.progress);
    let next = way.map(WayOn::lesson).or(course.lessons.first());
    next.map(|it| it.id.to_string())
}

/// Lists the lessons, and names the next one: `warpup COMMAND LESSON`.
pub(super) fn all_lessons(command: &str, context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    context.learner.look_for_feedback();
    let lessons = lessons(context.course, context.learner);
    context.console.lines(lessons)?;
    if let Some(next) = next_lesson(context) {
        let said = format!("\nNext: `{} {command} {next}`.", context.console.warpup);
        context.console.line(&said)?;
    }
    Ok(Exit::Fine)
}

/// Lists the lessons for somebody who named none, and asks for one: `warpup COMMAND LESSON`.
pub(super) fn which_lesson(command: &str, context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    context.learner.look_for_feedback();
    for line in lessons(context.course, context.learner) {
        context.console.remark(&line)?;
    }
    let next = next_lesson(context).unwrap_or_else(|| "LESSON".to_owned());
    let warpup = &context.console.warpup;
    Err(Failure::arguments_but(
        "which lesson?",
        format!("the next one is `{warpup} {command} {next}`"),
    ))
}

/// One word for how far a lesson is.
pub(super) fn state(learner: &Learner, lesson: &Lesson) -> &'static str {
    let progress = learner.progress.lesson(&lesson.id);
    if progress.is_done() {
        "done"
    } else if learner.feedback.graded(&lesson.id, progress).is_some() {
        "graded"
    } else if progress.is_handed_in() {
        "handed in"
    } else if progress.is_begun() {
        "begun"
    } else {
        "new"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample;

    #[test]
    fn who_names_no_lesson_gets_the_list_and_the_next_one() {
        let (text, exit) = sample::with_context("", |context| which_lesson("quiz", context));
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @"
          1. new    What a copy costs (copies, 20 min)
        error: which lesson?
        hint: the next one is `warpup quiz copies`
        ");
    }

    #[test]
    fn the_map_says_what_is_done_and_how_to_go_on() {
        let (text, exit) = sample::with_context("", print);
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(text, @"
        CUDA, understood
        What a copy costs.

          1. new    What a copy costs (copies, 20 min)

        Next: What a copy costs, 20 min.

        This is not a terminal to draw in. Everything works line by line, too:
            warpup --plain
            warpup read copies
            warpup run copies/LAB
            warpup quiz copies
        ");
    }
}
