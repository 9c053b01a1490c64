//! `warpup run`: a lab or a program of the learner's own, with the time of each line.

mod json;
mod program;
mod text;
mod trace;

pub(super) use program::saved_source;

use super::console::{Console, Format};
use super::context::{CommandContext, with_learner};
use super::failure::{Exit, Result};
use super::runner::{RunLab, Runner};
use super::workers;
use crate::cli::RunArgs;
use crate::lab::run::Run;
use crate::protocol::{Aim, Limits, Outcome, RunId, RunRequest};
use json::RunJson;
use program::Program;
use std::path::Path;
use trace::TraceFile;

/// Runs a lab or a file, on a device that this machine has.
pub(super) fn execute(
    args: &RunArgs,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let workers = workers::as_set(console)?;
    if let Some(device) = &args.device {
        workers::can_run_on(device, &workers)?;
    }
    with_learner(dir, console, |context| {
        let runner = Runner::start(workers)?;
        run(context, args, &mut |request| runner.run(request))
    })
}

/// Runs what the arguments name and prints the result.
pub(super) fn run(
    context: &mut CommandContext<'_, '_>,
    args: &RunArgs,
    run_lab: &mut RunLab<'_>,
) -> Result<Exit> {
    let program = Program::find(context, args)?;
    let format = Format::from(args.json);
    let trace_file = args.trace.as_deref().map(TraceFile::begin).transpose()?;
    let run = run_lab(RunRequest {
        run: RunId(1),
        name: program.name.clone(),
        source: program.source.clone(),
        check: program.check.clone(),
        device: program.device.clone(),
        limits: Limits {
            time_ms: program.time_ms,
            spans: match (format, &trace_file) {
                (Format::Text, None) => 0,
                (Format::Json, _) | (_, Some(_)) => Limits::default().spans,
            },
            ..Limits::default()
        },
        trace: !args.no_trace,
        aim: Aim::Run,
    });
    save(context, &program, &run);
    match format {
        Format::Text => {
            text::print(&program, &run, context.console)?;
            text::print_prediction(context, &program, &run)?;
        }
        Format::Json => context.console.json(&RunJson::of(&program, &run))?,
    }
    if let Some(file) = trace_file {
        file.finish(&program, &run, context.console)?;
    }
    Ok(exit_of(&run))
}

/// Saves a run that counts as the learner's own.
fn save(context: &mut CommandContext<'_, '_>, program: &Program, run: &Run) {
    if let Some((lesson, lab)) = &program.lab
        && program.is_own
        && let Some(event) = run.event(lesson, lab, &program.device)
    {
        context.note(event);
    }
}

fn exit_of(run: &Run) -> Exit {
    match run.report.as_ref().map(|it| &it.outcome) {
        Some(Outcome::Broken { .. }) | None => Exit::InternalError,
        // As for a device that is refused before the run: there is always another one.
        Some(Outcome::Unavailable(_)) => Exit::Arguments,
        Some(Outcome::Busy(_)) => Exit::Later,
        Some(
            Outcome::Done
            | Outcome::Raised(_)
            | Outcome::Cancelled
            | Outcome::TimedOut
            | Outcome::TooMuchOutput,
        ) => Exit::of(run.passed()),
    }
}

#[cfg(test)]
mod tests;
