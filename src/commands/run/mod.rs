//! `warpup run`: a lab or a program of the learner's own, with the time of each line.

mod json;
mod predicted;
mod text;
mod trace;

use super::program_file::ProgramFile;
use super::runner::RunLab;
use super::{CommandContext, Exit, Failure, Format, find};
use crate::cli::RunArgs;
use crate::course::{DeviceWish, Lab, LabId, Lesson, LessonId};
use crate::lab::device_choice::DeviceChoice;
use crate::lab::engine::Workers;
use crate::lab::record;
use crate::lab::run::Run;
use crate::lab::units::milliseconds;
use crate::progress::Progress;
use crate::protocol::{Aim, DeviceName, Limits, Outcome, RunId, RunRequest};
use crate::worker::device;
use std::path::Path;
use trace::TraceFile;

/// What is run, and what it counts for.
struct Program {
    /// What is said above the output.
    title: String,
    /// What tracebacks call it.
    name: String,
    source: String,
    check: Option<String>,
    device: DeviceName,
    time_ms: u64,
    /// The lab it belongs to.
    lab: Option<(LessonId, LabId)>,
    /// What that lab asks to run on.
    wish: DeviceWish,
    counts: Counts,
}

/// Whether a run counts as the learner's own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Yes,
    No,
}

/// Runs what the arguments name and prints what came of it.
pub(super) fn run(
    seat: &mut CommandContext<'_, '_>,
    args: &RunArgs,
    run_lab: &mut RunLab<'_>,
) -> Result<Exit, Failure> {
    let path = Path::new(&args.program);
    let program = if path.extension().is_some_and(|it| it == "py") {
        of_file(path, args)?
    } else {
        of_lab(seat, args)?
    };
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
    save(seat, &program, &run);
    match format {
        Format::Text => {
            text::print(&program, &run, seat.console)?;
            predicted::print(seat, &program, &run)?;
        }
        Format::Json => seat.console.json(&json::Shown::of(&program, &run))?,
    }
    if let Some(file) = trace_file {
        file.finish(&program, &run, seat.console)?;
    }
    Ok(exit_of(&run))
}

/// Refuses a device that cannot be had: that is a wrong argument, and there is always another one.
pub(super) fn can_be_had(device: Option<&DeviceName>, workers: &Workers) -> Result<(), Failure> {
    match (device, &workers.cards) {
        (None | Some(DeviceName::Cpu), _) | (Some(DeviceName::Cuda(_)), Ok(_)) => Ok(()),
        (Some(DeviceName::Model(card)), _) => device::card(card)
            .map(drop)
            .map_err(|why| Failure::arguments(why.to_string())),
        (Some(DeviceName::Cuda(_)), Err(reason)) => {
            Err(Failure::arguments_but(&reason.why, &reason.hint))
        }
    }
}

fn of_file(path: &Path, args: &RunArgs) -> Result<Program, Failure> {
    if args.solution || args.starter {
        return Err(Failure::arguments(
            "a file has neither a solution nor a starter",
        ));
    }
    let ProgramFile { name, source } = ProgramFile::read(path)?;
    Ok(Program {
        title: name.clone(),
        name,
        source,
        check: None,
        device: args.device.clone().unwrap_or(DeviceName::Cpu),
        time_ms: Limits::default().time_ms,
        lab: None,
        wish: DeviceWish::Any,
        counts: Counts::No,
    })
}

fn of_lab(seat: &CommandContext<'_, '_>, args: &RunArgs) -> Result<Program, Failure> {
    let (lesson, lab) = find::lab(seat.course, &args.program)?;
    let (source, counts) = if args.solution {
        let missing = || Failure::arguments(format!("the lab `{}` has no solution", lab.id));
        (lab.solution.clone().ok_or_else(missing)?, Counts::No)
    } else {
        let source = if args.starter {
            lab.starter.clone()
        } else {
            saved(&seat.learner.progress, lesson, lab)
        };
        (source, Counts::Yes)
    };
    Ok(Program {
        title: format!("{} ({}/{})", lab.title, lesson.id, lab.id),
        name: format!("{}.py", lab.id),
        source,
        check: lab.check.clone(),
        device: args
            .device
            .clone()
            .unwrap_or_else(|| DeviceChoice::default().device(&lab.device)),
        time_ms: milliseconds(lab.time_limit),
        lab: Some((lesson.id.clone(), lab.id.clone())),
        wish: lab.device.clone(),
        counts,
    })
}

/// The learner's program, or the starter.
pub(super) fn saved(progress: &Progress, lesson: &Lesson, lab: &Lab) -> String {
    let saved = progress.lesson(&lesson.id).lab(&lab.id).source.clone();
    saved.unwrap_or_else(|| lab.starter.clone())
}

/// Saves a run that counts as the learner's own.
fn save(seat: &mut CommandContext<'_, '_>, program: &Program, run: &Run) {
    let (Counts::Yes, Some((lesson, lab))) = (program.counts, &program.lab) else {
        return;
    };
    if let Some(event) = record::event(lesson, lab, &program.device, run) {
        seat.learner.note(event, (seat.clock)());
    }
}

fn exit_of(run: &Run) -> Exit {
    match run.report.as_ref().map(|it| &it.outcome) {
        Some(Outcome::Broken { .. }) | None => Exit::Ours,
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
