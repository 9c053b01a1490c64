//! `warpup check`: proves a course as far as a program can.
//!
//! [`crate::course`] and [`crate::grade`] check what the files say; [`labs`] runs the labs.

mod findings;
mod json;
mod labs;
mod text;

use super::consent::{self, Asks, ForeignProgram};
use super::console::{Console, Format};
use super::courses::{self, Opened};
use super::failure::{Exit, Result};
use super::runner::{RunLab, Runner};
use super::workers;
use crate::cli::CheckArgs;
use crate::course::{Course, Severity};
use crate::store;
use findings::Findings;
use json::CheckJson;
pub(super) use json::text_of;
use std::path::Path;

/// Checks the course folder of the arguments, else the one of `--course`, else the built-in course.
pub(super) fn execute(
    args: &CheckArgs,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let mut opened = courses::heads(args.dir.as_deref().or(dir))?;
    opened.read_all();
    let format = args.json.into();
    if !args.run_labs {
        return check(&opened, None, format, console);
    }
    let dir = args.dir.as_deref().or(dir);
    if dir.is_some() {
        let mut missing = consent::missing(&opened.course, dir, store::data_dir().ok().as_deref());
        let asks = if args.trust {
            Asks::Given
        } else {
            Asks::Refuse
        };
        if missing.is_some() && asks == Asks::Given {
            announce(&opened.course, console)?;
        }
        let many = ForeignProgram {
            course: &opened.course.title,
            source: "",
            check: None,
            memory: None,
        };
        if !consent::before_run(&mut missing, asks, &many, console)? {
            return Ok(Exit::Arguments);
        }
    }
    // On modelled cards, so that the result is the same on every machine.
    let runner = Runner::start(workers::without_cards())?;
    check(
        &opened,
        Some(&mut |request| runner.run(request)),
        format,
        console,
    )
}

/// Says which programs the flag agreed to.
fn announce(course: &Course, console: &mut Console<'_>) -> Result<()> {
    console
        .remark("This course is not part of warpup; you agreed to run what its author wrote:")?;
    for lesson in &course.lessons {
        for lab in &lesson.labs {
            let mut programs = vec!["program"];
            programs.extend(lab.check.as_ref().map(|_| "check"));
            programs.extend(lab.solution.as_ref().map(|_| "solution"));
            console.remark(&format!(
                "    {}/{}: {}",
                lesson.id,
                lab.id,
                programs.join(", ")
            ))?;
        }
    }
    Ok(())
}

/// Checks a course, running its labs where something is given to run them.
fn check(
    opened: &Opened,
    run_lab: Option<&mut RunLab<'_>>,
    format: Format,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let mut found = Findings::of_files(opened);
    if let Some(run_lab) = run_lab {
        labs::run(&opened.course, &mut found, run_lab, console)?;
    }
    match format {
        Format::Text => text::print(&found, opened, console)?,
        Format::Json => console.json(&CheckJson::of(&found, opened))?,
    }
    Ok(Exit::of(Some(found.count(Severity::Error) == 0)))
}

#[cfg(test)]
mod tests;
