//! `warpup record`: some steps of a PyTorch program, recorded while it runs as always.
//!
//! The program gets a module in Python that waits for its steps ([`folder`]); this process only waits for the program. What came of
//! it, each process of the program has noted in a file ([`note`]).

mod folder;
mod note;
mod place;
mod program;
mod text;
mod watch;

use super::console::{self, Console, at_terminal};
use super::course_argument::CourseArgument;
use super::courses::Readers;
use super::failure::{Exit, Result};
use super::{open, trace};
use crate::cli::{RecordArgs, TraceArgs};
use folder::RecorderOptions;
use note::RecordingOutcome;
use program::ProgramEnd;
use std::path::{Path, PathBuf};
use warpup_tui::TraceSource;
use watch::Watch;

/// Runs the program, and shows what was recorded.
pub(super) fn execute(
    args: &RecordArgs,
    typed: (String, String),
    asked: CourseArgument<'_>,
    readers: Readers,
) -> Result<Exit> {
    let opens_app = !args.plain && console::is_terminal() && console::can_draw();
    let (ended, traces) = at_terminal(typed.clone(), |console| recorded(args, console))?;
    if traces.is_empty() {
        return Ok(ended.exit());
    }
    if opens_app {
        // The last lines of a program that failed stay on the screen.
        if ended.is_as_wanted() {
            let sources = traces.into_iter().map(TraceSource::File).collect();
            open::traces(sources, asked, readers)?;
        }
        return Ok(ended.exit());
    }
    at_terminal(typed, |console| print(traces, console));
    Ok(ended.exit())
}

/// Runs the program, and says what came of the recording. Gives the traces.
fn recorded(args: &RecordArgs, console: &mut Console<'_>) -> Result<(ProgramEnd, Vec<PathBuf>)> {
    let out = match args.watch {
        None => place::of(args.out.as_deref())?,
        Some(_) => PathBuf::new(),
    };
    let folder = folder::make(&RecorderOptions {
        count: args.count,
        steps: args.steps,
        skip: args.skip,
        stop: args.stop,
        stacks: !args.no_stacks,
        watch: args.watch,
        out: &out,
    })?;
    let ended = if args.watch.is_some() {
        let mut watch = Watch::new(folder.path());
        let ended = program::run(
            &args.command,
            folder.path(),
            Some(&mut || watch.look(console)),
        )?;
        watch.look(console)?;
        if watch.has_seen_any() {
            return Ok((ended, Vec::new()));
        }
        ended
    } else {
        program::run(&args.command, folder.path(), None)?
    };
    let outcome = RecordingOutcome::of(folder::notes(folder.path()));
    let here = std::env::current_dir().unwrap_or_default();
    let told = text::told(&outcome, args, &here);
    console.remark(&told)?;
    let traces = outcome.traces().map(|it| shortened(it, &here));
    Ok((ended, traces.collect()))
}

/// Prints what `warpup trace` does, beside what the program printed.
fn print(files: Vec<PathBuf>, console: &mut Console<'_>) {
    let args = TraceArgs {
        files,
        plain: true,
        ..TraceArgs::default()
    };
    let printed = console.with_remarks(|console| trace::execute(&args, console));
    if let Err(failure) = printed {
        let columns = console.draws.err.then_some(console.width);
        failure.report(console.err, columns);
    }
}

/// A path as somebody in this folder types it.
fn shortened(path: &Path, here: &Path) -> PathBuf {
    path.strip_prefix(here).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests;
