//! Time by line of Python, where the trace has Python functions: on the host, waiting, and on the device.

use super::waits::WaitingCall;
use crate::event::EventKind;
use crate::index::{DeviceWork, TraceIndex, interval};
use crate::source_lines::{self, SourceLines};
use serde::Serialize;

/// What a line cost in all steps together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LineSummary {
    /// `train.py:12`; before PyTorch 2.15 a function, as `train.py:10 in step`, by the line on which it begins.
    pub line: String,
    /// Its file, as the trace writes it.
    pub file: String,
    /// Its number in the file, from 1.
    pub number: u32,
    /// The function that it is in, where the trace says it.
    pub function: Option<String>,
    /// How many calls it made.
    pub count: u64,
    /// Host time with what it calls.
    pub host_ns: i64,
    /// Host time without other lines that it leads to.
    pub own_ns: i64,
    /// How long the host waited for the device in it.
    pub wait_ns: i64,
    /// Device time of what was launched in it.
    pub device_ns: i64,
    /// What it costs a step, the mean of all.
    pub of_step: LineCost,
}

/// What a line costs one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LineCost {
    /// How many calls it makes.
    pub calls: f64,
    /// Host time without other lines that it leads to.
    pub own_ns: i64,
    /// How long the host waits for the device in it.
    pub wait_ns: i64,
    /// Device time of what is launched in it.
    pub device_ns: i64,
}

/// The lines, those that cost most first. Of what goes on before a step or after it, only the time in the step counts.
pub(super) fn of(
    index: &TraceIndex<'_>,
    waits: &[WaitingCall<'_>],
    sources: &SourceLines,
) -> Vec<LineSummary> {
    let mut rows = named(sources);
    for (number, event) in index.trace.events.iter().enumerate() {
        let Some(line) = sources.own(number) else {
            continue;
        };
        let in_steps_ns = index.stepped.inside(interval(event));
        if in_steps_ns == 0 && !index.is_in_step(event) {
            continue;
        }
        // Recursion, and an operator inside another, count once.
        let mut around = index
            .nest
            .ancestors(number)
            .filter_map(|it| sources.own(it));
        let next = around.next();
        if next == Some(line) || around.any(|it| it == line) {
            continue;
        }
        if let Some(row) = rows.get_mut(line) {
            row.count += u64::from(index.is_in_step(event));
            row.host_ns += in_steps_ns;
            row.own_ns += in_steps_ns;
            if row.function.is_none() && row.count == 1 {
                row.function = source_lines::function_around(index, number, &row.file);
            }
        }
        if let Some(outer) = next.and_then(|it| rows.get_mut(it)) {
            outer.own_ns -= in_steps_ns;
        }
    }
    for it in waits.iter().filter(|it| index.is_in_step(it.event)) {
        let line = sources.line(index, it.number);
        if let Some(row) = line.and_then(|it| rows.get_mut(it)) {
            row.wait_ns += it.event.duration_ns;
        }
    }
    let launched = |work: &&DeviceWork<'_>| {
        let launch = index.launch(work);
        work.event.kind != EventKind::Sync && launch.is_some_and(|it| index.is_in_step(it))
    };
    for work in index.work.iter().filter(launched) {
        let line = work.launch.and_then(|it| sources.line(index, it));
        if let Some(row) = line.and_then(|it| rows.get_mut(it)) {
            row.device_ns += work.event.duration_ns;
        }
    }
    let steps = i64::try_from(index.steps.len()).unwrap_or(1).max(1);
    for it in &mut rows {
        it.of_step = LineCost {
            calls: it.count as f64 / steps as f64,
            own_ns: it.own_ns / steps,
            wait_ns: it.wait_ns / steps,
            device_ns: it.device_ns / steps,
        };
    }
    rows.retain(|it| it.count > 0 || it.own_ns > 0 || it.device_ns > 0);
    rows.sort_by(|a, b| {
        let most = |it: &LineSummary| it.own_ns.max(it.device_ns);
        most(b).cmp(&most(a)).then_with(|| a.line.cmp(&b.line))
    });
    rows
}

/// The lines without their cost.
fn named(sources: &SourceLines) -> Vec<LineSummary> {
    let lines = sources.lines.iter().zip(&sources.files);
    let named = lines.map(|(line, file)| LineSummary {
        line: line.clone(),
        file: file.clone(),
        number: source_lines::place(line).map_or(0, |it| it.1),
        function: line.split_once(" in ").map(|it| it.1.to_owned()),
        ..LineSummary::default()
    });
    named.collect()
}
