//! `warpup --plain`: the whole course line by line, for screen readers, terminals that can only print, and
//! scripts.
//!
//! Words go in, lines come out, and nothing is ever drawn over. What is done here is kept as the screens keep
//! it, so one can change between the two at any page.

mod bench;
mod command;
mod lesson;
mod predict;

use super::console::count;
use super::map::state;
use super::run::can_be_had;
use super::runner::{RunLab, Runner};
use super::{CommandContext, Exit, Failure, workers};
use crate::course::Lesson;
use crate::protocol::{DeviceInfo, DeviceName};
use bench::Bench;

/// What labs can be run on, and how.
struct Machine<'a> {
    run_lab: &'a mut RunLab<'a>,
    /// Refuses a device that cannot be had, saying why.
    can_be_had: &'a dyn Fn(&DeviceName) -> Result<(), Failure>,
    devices: Vec<DeviceInfo>,
}

/// How a lesson was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// For the list of lessons.
    Lesson,
    /// For good.
    Course,
}

/// Takes the course until the learner or the input ends it.
pub(super) fn take(seat: &mut CommandContext<'_, '_>) -> Result<Exit, Failure> {
    let workers = workers::as_set(seat.console)?;
    let devices = super::open::devices(workers.cards.is_ok());
    let for_runs = workers.clone();
    // A worker is started by the first run only.
    let mut runner = None;
    let mut run_lab = |request| {
        let started = match runner.take() {
            Some(started) => Ok(started),
            None => Runner::start(for_runs.clone()),
        };
        match started {
            Ok(started) => runner.insert(started).run(request),
            Err(error) => Runner::never(&request, &error),
        }
    };
    course(
        seat,
        Machine {
            run_lab: &mut run_lab,
            can_be_had: &|device| can_be_had(Some(device), &workers),
            devices,
        },
    )
}

fn course(seat: &mut CommandContext<'_, '_>, machine: Machine<'_>) -> Result<Exit, Failure> {
    let mut bench = Bench::new(machine);
    seat.console.line(&seat.course.title)?;
    seat.console.line(&seat.course.summary)?;
    while let Some(lesson) = choose(seat)? {
        if lesson::take(seat, &mut bench, lesson)? == Left::Course {
            break;
        }
    }
    seat.console.line("Until next time.")?;
    Ok(Exit::Fine)
}

/// Lists the lessons and asks for one. Nothing for somebody who leaves.
fn choose<'a>(seat: &mut CommandContext<'a, '_>) -> Result<Option<&'a Lesson>, Failure> {
    let lessons = &seat.course.lessons;
    let is_done = |it: &&Lesson| seat.learner.progress.lesson(&it.id).is_done();
    let done = lessons.iter().filter(is_done).count();
    let of = count(lessons.len(), "lesson", "lessons");
    seat.console.line(&format!("\n{done} of {of} done.\n"))?;
    for (n, lesson) in lessons.iter().enumerate() {
        let state = state(seat.learner.progress.lesson(&lesson.id));
        let (title, n) = (&lesson.title, n + 1);
        seat.console.line(&format!("{n:>3}. {title} ({state})"))?;
    }
    let next = super::map::next(lessons, |it| is_done(&it));
    let Some(next) = next else {
        seat.console.line("This course has no lessons.")?;
        return Ok(None);
    };
    loop {
        let prompt = format!("\nA lesson's number, Enter for {}, or quit: ", next.title);
        let typed = seat.console.ask(&prompt)?;
        let Some(typed) = typed else {
            seat.console.line("")?;
            return Ok(None);
        };
        let number = typed.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        let by_id = lessons.iter().find(|it| it.id.as_str() == typed);
        match (
            typed.as_str(),
            number.and_then(|it| lessons.get(it)).or(by_id),
        ) {
            ("", _) => return Ok(Some(next)),
            ("q" | "quit", _) => return Ok(None),
            (_, Some(lesson)) => return Ok(Some(lesson)),
            (_, None) => {
                let last = lessons.len();
                let said = format!("There is no lesson `{typed}`: type a number from 1 to {last}.");
                seat.console.line(&said)?;
            }
        }
    }
}

#[cfg(test)]
mod tests;
