//! `warpup --plain`: the whole course line by line, for screen readers, terminals that can only print, and
//! scripts.
//!
//! Words go in, lines come out, and nothing is ever drawn over. What is done here is kept as the screens keep
//! it, so one can change between the two at any page.

mod command;
mod lab;
mod lesson;
mod program;

use super::console::{Console, Prompt};
use super::context::{CommandContext, with_learner_in};
use super::course_argument::CourseArgument;
use super::courses::{self, Readers};
use super::failure::{Exit, Result};
use super::map::{minutes, state};
use super::runner::Runner;
use super::{open, workers};
use lab::{Devices, LabCommands};
use lesson::{LessonExit, Opening};
use warpup_course::{FrontEnd, Lesson};
use warpup_lab::units::count;
use warpup_progress::WayOn;

/// Shows the course until the learner or the input ends it.
pub(super) fn execute(
    asked: CourseArgument<'_>,
    readers: Readers,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let asked = asked.in_front_end(FrontEnd::Plain);
    let opened = courses::open(asked)?.shown_to(readers);
    with_learner_in(&opened, asked.dir, console, on_this_machine)
}

fn on_this_machine(context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    let workers =
        workers::as_set(context.console)?.within(workers::most_of(&context.course.policy));
    let all = open::devices(&workers);
    let runner = Runner::start(workers.clone())?;
    let mut run_lab = |request| runner.run(request);
    course(
        context,
        Devices {
            run_lab: &mut run_lab,
            can_run_on: &|device| workers::can_run_on(device, &workers),
            all,
        },
    )
}

fn course(context: &mut CommandContext<'_, '_>, devices: Devices<'_>) -> Result<Exit> {
    let mut labs = LabCommands::new(devices);
    context.console.prompt = Prompt::Course;
    context.learner.look_for_feedback();
    context.console.line(&context.course.title)?;
    context.console.wrapped("", "", &context.course.summary)?;
    while let Some((lesson, opening)) = choose(context)? {
        if lesson::read(context, &mut labs, lesson, opening)? == LessonExit::Quit {
            break;
        }
    }
    context.console.line("Until next time.")?;
    Ok(Exit::Fine)
}

/// Lists the lessons and asks for one. Nothing for somebody who leaves.
fn choose<'a>(context: &mut CommandContext<'a, '_>) -> Result<Option<(&'a Lesson, Opening)>> {
    let lessons = &context.course.lessons;
    let is_done = |it: &&Lesson| context.learner.progress.lesson(&it.id).is_done();
    let done = lessons.iter().filter(is_done).count();
    let of = count(lessons.len(), "lesson", "lessons");
    context.console.line(&format!("\n{done} of {of} done.\n"))?;
    let minutes = minutes(context.course, &context.learner.progress);
    let feedback = &context.learner.feedback;
    for (n, lesson) in lessons.iter().enumerate() {
        let state = state(context.learner, lesson);
        let (title, minutes, n) = (&lesson.title, minutes(lesson), n + 1);
        let wrote = if feedback.remarks(lesson).is_empty() {
            ""
        } else {
            ", something from your instructor"
        };
        let line = format!("{n:>3}. {title} ({state}, {minutes}{wrote})");
        context.console.line(&line)?;
    }
    let Some(first) = lessons.first() else {
        context.console.line("This course has no lessons.")?;
        return Ok(None);
    };
    let way = WayOn::of(lessons.iter(), &context.learner.progress);
    // Who has done everything reads again.
    let way = way.unwrap_or(WayOn::Begin(first));
    loop {
        let prompt = format!("\nA lesson's number, Enter for {way}, help, or quit: ");
        let Some(typed) = context.console.ask(&prompt)? else {
            context.console.line("")?;
            return Ok(None);
        };
        let number = typed.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        let by_id = lessons.iter().find(|it| it.id.as_str() == typed);
        let meant = number.and_then(|it| lessons.get(it)).or(by_id);
        match (typed.as_str(), meant) {
            ("", _) => return Ok(Some((way.lesson(), opening(way)))),
            ("q" | "quit", _) => return Ok(None),
            ("help" | "?", _) => {
                let console = &mut *context.console;
                console.line("A number or a lesson's name opens the lesson; Enter opens the one named above.")?;
                console.line(
                    "`quit` leaves; all is saved. In a lesson, `help` lists what works there.",
                )?;
            }
            ("back" | "b", _) => context
                .console
                .line("This is the list of lessons: there is nothing behind it.")?,
            (_, Some(lesson)) => return Ok(Some((lesson, Opening::WhereLeft))),
            (_, None) => {
                let last = lessons.len();
                let said = format!("There is no lesson `{typed}`: type a number from 1 to {last}.");
                context.console.line(&said)?;
            }
        }
    }
}

/// Where the way on leads in its lesson.
fn opening(way: WayOn<'_>) -> Opening {
    match way {
        WayOn::Begin(_) => Opening::WhereLeft,
        WayOn::Read(_, at) => Opening::Page(at),
        WayOn::Quiz(_) | WayOn::OpenQuiz(_) => Opening::Quiz,
    }
}

#[cfg(test)]
mod tests;
