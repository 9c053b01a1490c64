//! `warpup doctor`: looks at the machine and says how each rung of the ladder stands.

mod json;
mod text;

#[cfg(test)]
pub(super) mod tests;

use super::{Console, Exit, Failure, Format};
use crate::course::{Course, LessonId};
use crate::doctor::look::Machine;
use crate::doctor::{Report, RungId, Verdict, climb};
use crate::lab::engine::cards::CardWorker;
use crate::protocol::Reason;

/// Looks at this machine and prints what there is to say.
pub(super) fn look(
    course: &Course,
    cards: &Result<CardWorker, Reason>,
    format: Format,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let machine = Machine::this(cards)?;
    let mut is_told = Ok(());
    let evidence = machine.look(&mut |_| {
        // A program that reads the output does not wait in front of it.
        if console.is_terminal && format == Format::Text {
            is_told = console.remark("Starting the worker; its first look can take a minute …");
        }
    });
    is_told?;
    print(&climb(&evidence), course, format, console)
}

/// Prints a report.
pub(super) fn print(
    report: &Report,
    course: &Course,
    format: Format,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    match format {
        Format::Text => text::print(report, course, console)?,
        Format::Json => console.json(&json::report(report, course))?,
    }
    Ok(match report.verdict() {
        Verdict::Broken => Exit::Wrong,
        Verdict::Ready | Verdict::WithoutCard | Verdict::Looking => Exit::Fine,
    })
}

/// The lesson about a rung, if the course has it.
fn lesson(rung: RungId, course: &Course) -> Option<&LessonId> {
    let wished = rung.lesson();
    let mut lessons = course.lessons.iter().map(|it| &it.id);
    lessons.find(|it| it.as_str() == wished)
}
