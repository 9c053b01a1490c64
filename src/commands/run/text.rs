//! A run for people: how it ended, checks, metrics, plots, the time of each line, totals, memory, and what was predicted.

use super::predict;
use super::program::Program;
use crate::commands::console::{Console, Prompt};
use crate::commands::context::CommandContext;
use crate::commands::failure::Result;
use crate::commands::found;
use crate::commands::waited;
use warpup_course::plain;
use warpup_grade::{capitalized, grade, sentence, words};
use warpup_lab::device_choice::counts;
use warpup_lab::ending::{Ending, EndingKind};
use warpup_lab::plot::{self, Size};
use warpup_lab::run::Run;
use warpup_lab::units::{duration, number};
use warpup_lab::{
    self as lab, findings, host_range, interruptions, line_times, missing_values, prediction,
};
use warpup_protocol::{Check, Clock, Memory, Metric, Reason, Report, UncaughtException};

/// Rows of a plot, its legend and axes among them.
const PLOT_ROWS: usize = 18;

/// Prints how a program ended, unless it just did. Of a program of the learner's own that is a remark, as a traceback is
/// under Python.
pub(super) fn end(program: &Program, run: &Run, console: &mut Console<'_>) -> Result<()> {
    let Some(ending) = Ending::of(run, &program.bounds()) else {
        return Ok(());
    };
    let said = match ending.kind {
        EndingKind::Passed | EndingKind::Failed => None,
        EndingKind::Raised => run.raised().and_then(|it| raised(it, program)),
        EndingKind::Cancelled => Some("Stopped by Ctrl-C.".to_owned()),
        EndingKind::Limit => Some(sentence(&ending.with_advice())),
        EndingKind::Broken => Some(broken(&ending, run, console.prompt)),
        EndingKind::Unavailable | EndingKind::Busy => Some(no_device(&ending)),
    };
    match said {
        None => Ok(()),
        Some(said) if program.is_file() => console.remark(&said),
        Some(said) => console.message(&format!("\n{said}")),
    }
}

/// Prints what a run has shown: checks, metrics, plots, times and memory, and what was found.
pub(super) fn report(program: &Program, run: &Run, console: &mut Console<'_>) -> Result<()> {
    let (Some(report), Some(kind)) = (&run.report, EndingKind::of(run)) else {
        return Ok(());
    };
    if !kind.has_results() {
        return Ok(());
    }
    if program.is_file() {
        console.with_remarks(|console| figures(program, run, report, console))
    } else {
        figures(program, run, report, console)
    }
}

fn figures(program: &Program, run: &Run, report: &Report, console: &mut Console<'_>) -> Result<()> {
    if !report.notes.is_empty() || !report.contended.is_empty() {
        console.line("")?;
    }
    for said in run.contention() {
        console.wrapped("note: ", "  ", &said)?;
    }
    for note in &report.notes {
        console.wrapped("note: ", "  ", note)?;
    }
    let misplaced = misplaced(program, run);
    if !run.checks.is_empty() || !run.metrics.is_empty() || misplaced.is_some() {
        console.line("")?;
    }
    if let Some(said) = misplaced {
        console.line(said)?;
    }
    for it in &run.checks {
        check(it, console)?;
    }
    console.lines(run.metrics.iter().map(metric_in_words))?;
    plots(run, report, console)?;
    missing(report, console)?;
    times(program, report, console)?;
    // Last, so that it is on the screen when a long report has scrolled.
    let found = findings::of_run(report, &program.request.source, program.kind());
    let heading = format!("Found in the program, {}:", report.clock.label());
    found::print(&heading, &found, console)
}

/// Compares, where the run is of a lab whose prediction was committed.
pub(super) fn print_prediction(
    context: &mut CommandContext<'_, '_>,
    program: &Program,
    run: &Run,
) -> Result<()> {
    let question = predict::asked(context.course, program).and_then(|(lesson, question)| {
        let progress = context.learner.progress.lesson(&lesson.id);
        Some((question, progress.predicted(question)?.clone()))
    });
    let Some((question, answer)) = question else {
        return Ok(());
    };
    let console = &mut *context.console;
    console.line(&format!("\nYou predicted: {}", words(question, &answer)))?;
    let Some(truth) = prediction::truth(question, run) else {
        return console.line(&prediction::not_checked(run));
    };
    let told = prediction::told(question, run, truth);
    console.line(&format!("This run: {told}"))?;
    if let Ok(verdict) = grade(question, &answer, Some(truth)) {
        console.line(&verdict.correctness().to_string())?;
        for it in &verdict.feedback {
            console.wrapped("  ", "  ", plain::inline(it).as_str())?;
        }
        console.line("")?;
        console.text(&plain::blocks(&question.explain, console.prose_width()))?;
    }
    Ok(())
}

/// An exception, as Python prints it; nothing where Python would print nothing.
fn raised(raised: &UncaughtException, program: &Program) -> Option<String> {
    if raised.in_check {
        let traceback = raised.traceback.trim_end();
        return Some(format!("The lab's check stopped:\n{traceback}"));
    }
    // As under Python: a number is the exit status, and words are printed.
    if raised.kind == "SystemExit" && program.is_file() {
        let words = raised.status.is_none();
        return words.then(|| raised.message.clone());
    }
    Some(raised.traceback.trim_end().to_owned())
}

/// What is to be said before the checks of a run where it could not pass: their hints are about mistakes in the
/// program.
fn misplaced(program: &Program, run: &Run) -> Option<&'static str> {
    if counts(&program.wish, &program.request.device) {
        return None;
    }
    Some(if run.passed()? {
        "This lab needs a card. A run on the CPU does not count: leave --device out, or try --device model:t4."
    } else {
        "This lab needs a card, and ran on the CPU: leave --device out, or try --device model:t4."
    })
}

/// A fault that is not the learner's. What never started has no device, and needs another one.
fn broken(ending: &Ending<'_>, run: &Run, prompt: Prompt) -> String {
    let device = match prompt {
        Prompt::Shell => "on another --device",
        Prompt::Course => "choose another device with `device`",
    };
    match run.device {
        None => capitalized(&ending.what),
        Some(_) => format!("{}\nRun it again, or {device}.", ending.what),
    }
}

/// A device that the program did not get, which says nothing about the program.
fn no_device(ending: &Ending<'_>) -> String {
    let what = capitalized(&ending.with_reason());
    let Some(Reason { hint, evidence, .. }) = ending.reason else {
        return what;
    };
    let said = match evidence.trim() {
        "" => String::new(),
        evidence => format!("\n  {}", evidence.replace('\n', "\n  ")),
    };
    format!("{what}{said}\nhint: {hint}")
}

fn check(check: &Check, console: &mut Console<'_>) -> Result<()> {
    let mark = if check.ok {
        "✓ ok      "
    } else {
        "✗ FAILED  "
    };
    let under = " ".repeat(mark.chars().count());
    console.wrapped(mark, &under, &check.name)?;
    match &check.hint {
        Some(hint) if !check.ok => console.wrapped(&under, &under, &format!("hint: {hint}")),
        Some(_) | None => Ok(()),
    }
}

fn metric_in_words(metric: &Metric) -> String {
    let text = format!("{} = {} {}", metric.name, number(metric.value), metric.unit);
    text.trim_end().to_owned()
}

/// What the reader must know of values that were not computed.
fn missing(report: &Report, console: &mut Console<'_>) -> Result<()> {
    let Some(said) = missing_values::sentence(report) else {
        return Ok(());
    };
    console.line("")?;
    console.wrapped("", "", &said)
}

/// Each plot with its sentences, which say the same to those who cannot see it.
fn plots(run: &Run, report: &Report, console: &mut Console<'_>) -> Result<()> {
    let size = Size {
        columns: console.prose_width(),
        rows: PLOT_ROWS,
    };
    for (at, it) in run.plots.iter().enumerate() {
        let heading = plot::heading(it, at, run.plots.len());
        let source = plot::source(it, report.clock.label());
        console.line(&format!("\n{heading} ({source})"))?;
        let rows = plot::draw(it, size, console.letters).into_iter();
        console.lines(rows.map(|it| it.text()))?;
        for said in plot::sentences(it) {
            console.wrapped("", "  ", &said)?;
        }
    }
    Ok(())
}

fn times(program: &Program, report: &Report, console: &mut Console<'_>) -> Result<()> {
    let word = report.clock.label();
    if program.by_line && !report.lines.is_empty() {
        console.line(&format!("\nTime by line, {word}:"))?;
        console.lines(line_times::table(
            report,
            &program.request.source,
            console.width,
        ))?;
    }
    if report.host_ns > 0 {
        let device = report
            .device_ns
            .map(|it| format!(", device {}", duration(it)));
        let waited = Some(report.waited_ns()).filter(|it| *it > 0);
        let waited = waited.map(|it| format!(" ({} of it waiting)", duration(it)));
        let lost = interruptions::of_run(report);
        let lost = lost.map(|it| format!(" (interrupted {})", duration(it)));
        console.line(&format!(
            "\nIn all, {word}: host {}{}{}{}",
            duration(report.host_ns),
            lost.unwrap_or_default(),
            waited.unwrap_or_default(),
            device.unwrap_or_default()
        ))?;
    }
    if let Some(said) = interruptions::sentence(report) {
        console.wrapped("", "  ", &said)?;
    }
    waited::print(report, console)?;
    if let Some(said) = host_range::sentence(report) {
        console.wrapped("", "  ", &format!("Hosts, {word}: {said}"))?;
    }
    match &report.memory {
        Some(held) if held.peak_live > 0 => memory(held, report.clock, console),
        Some(_) | None => Ok(()),
    }
}

fn memory(held: &Memory, clock: Clock, console: &mut Console<'_>) -> Result<()> {
    let word = clock.label_of_counts();
    let said = format!("Memory, {word}: {}", lab::memory::in_one_line(held));
    console.wrapped("", "  ", &said)?;
    if let Some(said) = lab::memory::of_allocator(held) {
        console.wrapped("  ", "    ", &said)?;
    }
    if lab::memory::is_training(held) {
        console.lines(lab::memory::at_peak(held, console.width))?;
        for said in lab::memory::of_libraries(held) {
            console.wrapped("  ", "    ", &said)?;
        }
    }
    Ok(())
}
