//! Time in which the training loop waits for its next batch.

use crate::event::Event;
use crate::index::{TraceIndex, interval};
use crate::intervals::{Interval, IntervalSet};
use crate::source_lines::SourceLines;
use crate::step_window;
use crate::trace::LaneKind;
use serde::Serialize;

/// Fetches of batches from data loaders, in the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DataLoading {
    /// How many batches were fetched.
    pub batches: u64,
    /// How long the loop was in these fetches.
    pub host_ns: i64,
    /// For how long meanwhile no stream worked.
    pub device_idle_ns: i64,
    /// Whether the loop's own process loads (`num_workers=0`), as the annotation says.
    pub is_in_process: bool,
    /// The line that fetches, where the trace shows it.
    pub line: Option<String>,
}

/// When batches are fetched.
pub(super) struct Fetches {
    times: IntervalSet,
    /// When each begins, and its number in the trace.
    numbers: Vec<(i64, usize)>,
}

impl Fetches {
    /// All of a trace.
    pub(super) fn of(index: &TraceIndex<'_>) -> Self {
        let mut numbers: Vec<_> = fetches(index)
            .map(|(number, it)| (it.start_ns, number))
            .collect();
        numbers.sort_unstable();
        Self {
            times: IntervalSet::of(fetches(index).map(|(_, it)| interval(it))),
            numbers,
        }
    }

    /// The number of the fetch that is in a window, if fetches are at least half of it.
    pub(super) fn through(&self, window: Interval) -> Option<usize> {
        if window.length() == 0 || self.times.inside(window) * 2 < window.length() {
            return None;
        }
        let begun = self.numbers.partition_point(|it| it.0 < window.end_ns);
        let last = self.numbers.get(begun.checked_sub(1)?)?;
        Some(last.1)
    }
}

/// The fetches; `None` if there are none.
pub(super) fn of(index: &TraceIndex<'_>, sources: &SourceLines) -> Option<DataLoading> {
    let mut loading = DataLoading::default();
    let mut line = None;
    for (number, event) in fetches(index) {
        if !index.is_in_step(event) {
            continue;
        }
        loading.batches += 1;
        loading.host_ns += event.duration_ns;
        loading.device_idle_ns += event.duration_ns - index.busy.inside(interval(event));
        loading.is_in_process |= index.trace.name(event.name).contains("SingleProcess");
        line = line.or_else(|| sources.line(index, number));
    }
    if index.work.is_empty() {
        loading.device_idle_ns = 0;
    }
    loading.line = line.map(|it| sources.text(it).to_owned());
    (loading.batches > 0).then_some(loading)
}

fn fetches<'a>(index: &TraceIndex<'a>) -> impl Iterator<Item = (usize, &'a Event)> {
    let trace = index.trace;
    let lanes = trace.lanes_of(LaneKind::Host);
    let events = lanes.flat_map(|(_, lane, events)| (lane.events.start..).zip(events));
    let are_fetches = step_window::fetches(&trace.names);
    events.filter(move |(_, it)| step_window::is_mark(it.kind) && are_fetches.has(it.name))
}
