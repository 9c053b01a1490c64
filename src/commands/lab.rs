//! `warpup lab`: a program of the learner's own in the screen of a lab, from where it is edited, run and run again on other cards.

use super::console;
use super::failure::{Failure, Result};
use super::program_file;
use crate::cli::{LabArgs, RunArgs};
use std::time::Duration;
use warpup_lab::own_program::{OwnProgram, TIME_LIMIT};
use warpup_store::settings::Policy;
use warpup_tui::ProgramFile;

/// Whether the app opens: in a terminal that can draw. Elsewhere the program is run, and its report is printed.
pub(super) fn opens_app() -> bool {
    console::is_terminal() && console::can_draw()
}

/// The program, for the app.
pub(super) fn program(args: &LabArgs) -> Result<ProgramFile> {
    if args.program.extension().is_none_or(|it| it != "py") {
        let named = args.program.display();
        return Err(Failure::arguments_but(
            format!("`{named}` is not the file of a Python program"),
            format!(
                "`warpup lab FILE.py` opens one; if this is a lab of the course, `warpup run {named}` runs it"
            ),
        ));
    }
    let asked = args.limit.map_or(TIME_LIMIT, Duration::from_secs);
    let most = Policy::load().unwrap_or_default().run.seconds;
    let time_limit = most.map_or(asked, |it| asked.min(Duration::from_secs(it)));
    let limited = move |program: OwnProgram| OwnProgram {
        time_limit,
        ..program
    };
    let path = args.program.clone();
    Ok(ProgramFile {
        path: args.program.clone(),
        program: limited(program_file::read(&args.program)?),
        device: args.device.clone(),
        read: Box::new(move || program_file::read(&path).ok().map(limited)),
    })
}

/// The same as a run whose report is printed.
pub(super) fn as_run(args: LabArgs) -> RunArgs {
    RunArgs {
        program: args.program.to_string_lossy().into_owned(),
        device: args.device,
        limit: args.limit,
        ..RunArgs::default()
    }
}
