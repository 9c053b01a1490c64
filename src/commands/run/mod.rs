//! `warpup run`: a lab or a program of the learner's own, with the time of each line.

mod json;
mod live;
pub(super) mod predict;
mod program;
mod text;
mod trace;

pub(super) use program::saved_source;

use super::consent::{self, ConsentPrompt, ForeignProgram};
use super::console::{Console, Format};
use super::context::{CommandContext, with_learner};
use super::course_argument::CourseArgument;
use super::failure::{Exit, Failure, Result};
use super::runner::{RunLab, RunLive, Runner};
use super::workers;
use crate::cli::RunArgs;
use json::RunJson;
use live::{LiveOutput, ResultStyle};
use program::Program;
use std::path::Path;
use trace::TraceFile;
use warpup_lab::ending::EndingKind;
use warpup_lab::run::Run;
use warpup_lab::{memory_limit, missing_values, prediction};
use warpup_protocol::{DeviceName, RealCard, Standard};
use warpup_store::settings::Policy;

/// Runs a lab or a file, on a device that this machine has.
pub(super) fn execute(
    args: &RunArgs,
    asked: CourseArgument<'_>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let workers = workers::as_set(console)?;
    if let Some(device) = &args.device {
        workers::can_run_on(device, &workers)?;
    }
    with_learner(asked, console, |context| {
        let workers = workers.within(workers::most_of(&context.course.policy));
        let runner = Runner::start(workers)?;
        let asks = match (args.trust, context.console.is_terminal && !args.json) {
            (true, _) => ConsentPrompt::Given,
            (false, true) => ConsentPrompt::Ask,
            (false, false) => ConsentPrompt::Refuse,
        };
        run_live(context, args, asks, &mut |request, hear| {
            runner.run_live(request, hear)
        })
    })
}

/// Runs what the arguments name and prints the result.
pub(super) fn run(
    context: &mut CommandContext<'_, '_>,
    args: &RunArgs,
    run_lab: &mut RunLab<'_>,
) -> Result<Exit> {
    run_live(context, args, ConsentPrompt::Ask, &mut |request, _| {
        Ok(run_lab(request))
    })
}

/// The same, and prints what the program prints while it runs.
fn run_live(
    context: &mut CommandContext<'_, '_>,
    args: &RunArgs,
    asks: ConsentPrompt,
    run_lab: &mut RunLive<'_>,
) -> Result<Exit> {
    let mut program = Program::find(context, args)?;
    let most = Policy::load().unwrap_or_default().run;
    program.limit_to(most, &context.course.policy);
    if !program.is_file() {
        let foreign = ForeignProgram {
            course: &context.course.title,
            source: &program.request.source,
            check: program.request.check.as_deref(),
            memory: memory_limit::more_than_usual(&context.course.lessons),
        };
        if !consent::before_run(&mut context.consent, asks, &foreign, context.console)? {
            return Ok(Exit::Arguments);
        }
    }
    let format = Format::from(args.json);
    predict::before_run(context, &program, args)?;
    if let Some(trace) = &args.trace
        && program.is_file()
        && is_same_file(trace, Path::new(&args.program))
    {
        return Err(Failure::arguments(
            "the trace would replace the program: name another file after --trace",
        ));
    }
    let trace_file = args.trace.as_deref().map(TraceFile::begin).transpose()?;
    program.limit_to_format(format, trace_file.is_some());
    let how = ResultStyle::new(format, args.quiet);
    let mut live = LiveOutput::new(&program, how);
    let run = run_lab(program.request.clone(), &mut |reply| {
        live.hear(reply, context.console)
    })?;
    save(context, &program, &run);
    match how {
        ResultStyle::Json => {
            let saved = context.learner.not_saved().is_none();
            context.console.json(&RunJson::of(&program, &run, saved))?;
        }
        ResultStyle::Quiet | ResultStyle::Reported => {
            let device = run.device.as_ref().map(|it| match &it.name {
                // Cards of one kind have one title.
                DeviceName::Cuda(RealCard::Number(1..)) => format!("{} ({})", it.title, it.name),
                DeviceName::Cuda(_) | DeviceName::Cpu | DeviceName::Model(_) => it.title.clone(),
            });
            let device = device.unwrap_or_else(|| program.request.device.to_string());
            live.head(&device, context.console)?;
            if !run.output.is_empty() {
                let output = missing_values::output(&run);
                live.print(&output, Standard::Output, context.console)?;
            }
            live.end(context.console)?;
            text::end(&program, &run, context.console)?;
        }
    }
    if how == ResultStyle::Reported {
        text::report(&program, &run, context.console)?;
        context.say_if_not_saved()?;
        text::print_prediction(context, &program, &run)?;
    }
    if let Some(file) = trace_file {
        file.finish(&program, &run, context.console)?;
    }
    Ok(exit_of(&program, &run))
}

/// Saves a run that counts as the learner's own.
fn save(context: &mut CommandContext<'_, '_>, program: &Program, run: &Run) {
    if let Some((lesson, lab)) = &program.lab
        && program.is_own
        && let Some(event) = run.event(lesson, lab, &program.wish, &program.request.device)
    {
        let known = context.course.lessons.iter().find(|it| it.id == *lesson);
        let event = match known {
            Some(known) => prediction::remembered(event, known, run),
            None => event,
        };
        context.note(event);
    }
}

fn exit_of(program: &Program, run: &Run) -> Exit {
    match EndingKind::of(run) {
        Some(EndingKind::Broken) | None => Exit::InternalError,
        // As for a device that is refused before the run: there is always another one.
        Some(EndingKind::Unavailable) => Exit::Arguments,
        Some(EndingKind::Busy) => Exit::Later,
        Some(EndingKind::Cancelled) => Exit::Interrupted,
        Some(EndingKind::Passed | EndingKind::Failed | EndingKind::Raised | EndingKind::Limit) => {
            let status = run.raised().and_then(|it| it.status);
            match status.filter(|_| program.is_file()) {
                Some(status) => Exit::Program(status),
                None => Exit::of(Some(program.is_passed_by(run))),
            }
        }
    }
}

#[cfg(test)]
mod tests;

/// Whether two paths lead to the same file, which exists.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
