//! Time by line of Python, where the trace has Python functions: on the host, waiting, and on the device.

use super::waits::WaitingCall;
use crate::event::{Event, EventKind};
use crate::index::TraceIndex;
use crate::source_lines::SourceLines;
use serde::Serialize;

/// What a line cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LineSummary {
    /// `train.py:12`; before PyTorch 2.15 a function, as `train.py:10 in step`, by the line on which it begins.
    pub line: String,
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
}

/// The lines, those that cost most first. Only what begins at a time that counts is added up.
pub(super) fn of(
    index: &TraceIndex<'_>,
    waits: &[WaitingCall<'_>],
    sources: &SourceLines,
    counts: impl Fn(&Event) -> bool,
) -> Vec<LineSummary> {
    let named = sources.lines.iter().map(|it| LineSummary {
        line: it.clone(),
        ..LineSummary::default()
    });
    let mut rows: Vec<LineSummary> = named.collect();
    for (number, event) in index.trace.events.iter().enumerate() {
        let Some(line) = sources.own(number).filter(|_| counts(event)) else {
            continue;
        };
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
            row.count += 1;
            row.host_ns += event.duration_ns;
            row.own_ns += event.duration_ns;
        }
        if let Some(outer) = next.and_then(|it| rows.get_mut(it)) {
            outer.own_ns -= event.duration_ns;
        }
    }
    for it in waits.iter().filter(|it| counts(it.event)) {
        let line = sources.line(index, it.number);
        if let Some(row) = line.and_then(|it| rows.get_mut(it)) {
            row.wait_ns += it.event.duration_ns;
        }
    }
    let work = index
        .work
        .iter()
        .filter(|it| it.event.kind != EventKind::Sync);
    for work in work.filter(|it| index.launch(it).is_some_and(&counts)) {
        let line = work.launch.and_then(|it| sources.line(index, it));
        if let Some(row) = line.and_then(|it| rows.get_mut(it)) {
            row.device_ns += work.event.duration_ns;
        }
    }
    rows.retain(|it| it.count > 0 || it.device_ns > 0);
    rows.sort_by(|a, b| {
        let most = |it: &LineSummary| it.own_ns.max(it.device_ns);
        most(b).cmp(&most(a)).then_with(|| a.line.cmp(&b.line))
    });
    rows
}
