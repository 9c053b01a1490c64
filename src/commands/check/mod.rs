//! `warpup check`: proves a course as far as a program can.
//!
//! [`crate::course`] and [`crate::grade`] check what the files say; [`labs`] runs the labs.

mod faults;
mod findings;
mod json;
mod labs;
mod place;
mod syntax;
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
    let dir = args.dir.as_deref().or(dir);
    if !args.run_labs && dir.is_none() {
        // The tests have compiled the programs of the course that is built in.
        return check(&opened, Programs::Unread, format, console);
    }
    if args.run_labs && dir.is_some() {
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
    let mut run = |request| runner.run(request);
    let programs = if args.run_labs {
        Programs::Run(&mut run)
    } else {
        Programs::Compile(&mut run)
    };
    check(&opened, programs, format, console)
}

/// What is done with the programs of labs.
enum Programs<'p, 'r> {
    /// Nothing.
    Unread,
    /// They are compiled.
    Compile(&'p mut RunLab<'r>),
    /// They are compiled and run.
    Run(&'p mut RunLab<'r>),
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

/// Checks a course.
fn check(
    opened: &Opened,
    programs: Programs<'_, '_>,
    format: Format,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let mut found = Findings::of_files(opened);
    match programs {
        Programs::Unread => {}
        Programs::Compile(run_lab) => {
            syntax::check(&opened.course, &opened.sources, &mut found, run_lab)?;
        }
        Programs::Run(run_lab) => {
            syntax::check(&opened.course, &opened.sources, &mut found, run_lab)?;
            labs::run(opened, &mut found, run_lab, console)?;
        }
    }
    match format {
        Format::Text => text::print(&found, opened, console)?,
        Format::Json => console.json(&CheckJson::of(&found, opened))?,
    }
    Ok(Exit::of(Some(found.count(Severity::Error) == 0)))
}

#[cfg(test)]
mod tests;
