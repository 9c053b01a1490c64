//! What is said of a recording. Pure.

use super::note::{ProcessNote, RecorderState, RecordingOutcome};
use super::shortened;
use crate::cli::RecordArgs;
use std::path::Path;
use warpup_lab::units::duration;

/// What came of it, and what to try where nothing did.
pub(super) fn told(outcome: &RecordingOutcome, args: &RecordArgs, here: &Path) -> String {
    let (why, hint) = match outcome {
        RecordingOutcome::Recorded(notes) => return recorded(notes, args, here),
        RecordingOutcome::NoPython => (
            "no Python was started that reads PYTHONPATH".to_owned(),
            "the command has to start Python on this machine, without `-E`, `-I` or `-S`"
                .to_owned(),
        ),
        RecordingOutcome::Nothing(note) => nothing(note, args),
    };
    format!("warpup: nothing was recorded: {why}\nhint: {hint}")
}

fn recorded(notes: &[ProcessNote], args: &RecordArgs, here: &Path) -> String {
    let Some(first) = notes.first() else {
        return String::new();
    };
    let number = first.recorded_ns.len() as u64;
    let steps = if number < args.steps {
        let asked = amount(args.steps, first);
        format!("{number} of {asked}, since the program ended")
    } else {
        amount(number, first)
    };
    let files = notes.iter().filter_map(|it| it.trace.as_deref());
    let files: Vec<String> = files
        .map(|it| shortened(it, here).display().to_string())
        .collect();
    let (of_each, traces) = match files.len() {
        1 => ("", "trace is"),
        _ => (" of each rank", "traces are"),
    };
    let files = files.join(", ");
    format!("warpup: recorded {steps}{of_each}; the {traces} {files}") + &cost(first)
}

/// What the profiler cost, measured in the run itself.
fn cost(note: &ProcessNote) -> String {
    let (Some(with), Some(without)) = (median(&note.recorded_ns), median(&note.plain_ns)) else {
        return String::new();
    };
    let ratio = with as f64 / without.max(1) as f64;
    let of_rank = note
        .rank
        .map_or(String::new(), |it| format!(" of rank {it}"));
    let mut said = format!(
        "\nA step{of_rank} took {} while it was recorded and {} without the profiler (medians of {} and {} steps): {ratio:.1} times as long.",
        duration(with),
        duration(without),
        note.recorded_ns.len(),
        note.plain_ns.len(),
    );
    if note.stall_ns > 0 {
        let stall = duration(note.stall_ns);
        said.extend([" Then the program waited ", &stall, " for its trace."]);
    }
    said
}

pub(super) fn median(times: &[u64]) -> Option<u64> {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// Why nothing was recorded, and what to try.
fn nothing(note: &ProcessNote, args: &RecordArgs) -> (String, String) {
    let by_hand = "`warpup trace --how` prints lines for the program that record a trace";
    let version = note.torch.as_deref().unwrap_or_default();
    match note.state {
        RecorderState::OldPython => (
            format!("Python {} is too old", note.python),
            "take Python 3.8 or later, and PyTorch 2.1 or later".to_owned(),
        ),
        RecorderState::NoTorch => (
            "the program did not import torch".to_owned(),
            "give the command that starts the training: `warpup record python train.py`".to_owned(),
        ),
        RecorderState::OldTorch => (
            format!("PyTorch {version} is too old"),
            format!("take PyTorch 2.1 or later; {by_hand}"),
        ),
        RecorderState::Waiting => too_early(note, args),
        RecorderState::OwnProfiler => (
            "the program starts a profiler of PyTorch itself, and only one can run".to_owned(),
            "`warpup trace FILE` reads the trace that it writes; or take its profiler out"
                .to_owned(),
        ),
        RecorderState::Recording | RecorderState::OtherProcess => (
            "the program ended before the first step was recorded, or it was killed".to_owned(),
            "let it run on, or end it with Ctrl-C".to_owned(),
        ),
        RecorderState::Failed | RecorderState::Recorded => (
            format!(
                "the recorder gave up, and the program ran on without it\ncause: {}",
                note.error.as_deref().unwrap_or("unknown")
            ),
            by_hand.to_owned(),
        ),
    }
}

/// The program ended before the recording began.
fn too_early(note: &ProcessNote, args: &RecordArgs) -> (String, String) {
    if note.seen == 0 {
        let why = if note.has_optimizer {
            "the program made an optimizer, and no step of it was seen"
        } else {
            "no step of an optimizer, no `backward()` and no `eval()` was seen"
        };
        let hint = "`--count calls` takes each call of the model for a step, `--count seconds` each second";
        return (why.to_owned(), hint.to_owned());
    }
    let made = amount(note.seen, note);
    let why = format!(
        "the program ended after {made}, and {} were to pass",
        args.skip
    );
    let hint = match note.seen.saturating_sub(2).min(args.steps) {
        0 => "it takes three at least: give it more to do".to_owned(),
        steps => format!("`--skip 2 --steps {steps}` records earlier"),
    };
    (why, hint)
}

/// A number of steps, as they were counted.
fn amount(number: u64, note: &ProcessNote) -> String {
    let (one, several) = match note.counts.as_deref() {
        Some("backwards") => ("call of `backward()`", "calls of `backward()`"),
        Some("calls") => ("call of the model", "calls of the model"),
        Some("seconds") => ("second", "seconds"),
        Some(_) | None => ("step", "steps"),
    };
    let word = if number == 1 { one } else { several };
    format!("{number} {word}")
}
