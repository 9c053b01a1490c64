//! `warpup doctor`: examines what is between a program and the card, rung by rung.

mod confinement;
mod json;
mod text;
mod values;

#[cfg(test)]
pub(super) mod tests;

use super::console::{Console, Format};
use super::failure::{Exit, Result};
use super::{courses, workers};
use json::DoctorJson;
use std::path::Path;
use values::{EffectiveValue, Sources};
use warpup_course::Course;
use warpup_doctor::look::{Machine, attempts};
use warpup_doctor::{LadderVerdict, Report, climb};
use warpup_store::settings::{self, Policy};

/// Examines this machine and prints the report.
pub(super) fn execute(
    format: Format,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let opened = courses::heads(dir)?;
    let workers = workers::as_set(console)?;
    let machine = Machine::this(&workers.cards)?;
    let mut is_told = Ok(());
    let evidence = machine.look(&mut |_| {
        // A program that reads the output does not wait in front of it.
        if console.is_terminal && format == Format::Text {
            is_told = console.remark("Starting the worker; its first look can take a minute …");
        }
    });
    is_told?;
    let values = values(dir, &opened.course);
    let exit = print(&climb(&evidence), &opened.course, &values, format, console)?;
    // The object that programs read is about cards.
    if format == Format::Text {
        let executable = std::env::current_exe()?;
        console.line("")?;
        console.wrapped("", "", &confinement::sentence(&attempts(&executable)))?;
        console.line("")?;
        text::values(&values, console)?;
    }
    Ok(exit)
}

/// What is in force here for a course.
fn values(dir: Option<&Path>, course: &Course) -> Vec<EffectiveValue> {
    values::in_force(&Sources {
        open: dir,
        variable: &|name| std::env::var(name).ok(),
        policy: &Policy::load().unwrap_or_default(),
        course: &course.policy,
        has_lesson: &|id| course.lessons.iter().any(|it| it.id == *id),
        user: &settings::of_user().settings,
    })
}

/// Prints a report.
fn print(
    report: &Report,
    course: &Course,
    values: &[EffectiveValue],
    format: Format,
    console: &mut Console<'_>,
) -> Result<Exit> {
    match format {
        Format::Text => text::print(report, course, console)?,
        Format::Json => console.json(&DoctorJson::of(report, course, values))?,
    }
    Ok(match report.verdict() {
        LadderVerdict::Broken => Exit::Wrong,
        LadderVerdict::Ready | LadderVerdict::WithoutCard | LadderVerdict::Looking => Exit::Fine,
    })
}
