//! The steps that a trace marks.

use super::event::{Event, EventKind};
use super::intervals::Interval;
use super::names::{NameSelection, NameTable};
use super::trace::{LaneKind, Trace};

/// How PyTorch names the annotation of a step.
const PREFIX: &str = "ProfilerStep#";

/// How PyTorch annotates the fetch of a batch.
const FETCH: &str = "enumerate(DataLoader)";

/// A step, or the whole trace where no step is marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepWindow {
    /// `ProfilerStep#7`, or `whole trace`.
    pub name: String,
    /// When it is.
    pub interval: Interval,
    /// Whether the trace marks it.
    pub is_marked: bool,
}

/// What an annotation is written as: by old versions as an operator.
pub(super) fn is_mark(kind: EventKind) -> bool {
    matches!(kind, EventKind::Annotation | EventKind::Operator)
}

/// Whether a name is that of a step.
pub(super) fn is_step(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Whether a name is that of a step or of the fetch of a batch.
pub(super) fn is_mark_of_loop(name: &str) -> bool {
    is_step(name) || name.starts_with(FETCH)
}

/// The names of fetches of batches, as PyTorch annotates them.
pub(super) fn fetches(names: &NameTable) -> NameSelection {
    names.that(|it| it.starts_with(FETCH))
}

/// Whether an operator, or a call of a device's runtime, begins in a window.
fn has_work(trace: &Trace, window: Interval) -> bool {
    let are_marks = trace.names.that(is_mark_of_loop);
    trace.lanes_of(LaneKind::Host).any(|(_, _, events)| {
        let first = events.partition_point(|it| it.start_ns < window.start_ns);
        let inside = events.get(first..).unwrap_or_default().iter();
        let mut inside = inside.take_while(|it| it.start_ns < window.end_ns);
        inside.any(|it| {
            it.kind == EventKind::Runtime
                || (it.kind == EventKind::Operator && !are_marks.has(it.name))
        })
    })
}

/// The marked steps in their order; the whole trace if there are none.
pub(super) fn windows(trace: &Trace) -> Vec<StepWindow> {
    let host = trace.lanes_of(LaneKind::Host).flat_map(|it| it.2);
    let are_steps = trace.names.that(is_step);
    let mut steps: Vec<StepWindow> = host
        .filter(|it| is_mark(it.kind) && are_steps.has(it.name))
        .map(|it| StepWindow {
            name: trace.name(it.name).to_owned(),
            interval: Interval {
                start_ns: it.start_ns,
                end_ns: it.end_ns(),
            },
            is_marked: true,
        })
        .collect();
    steps.sort_by_key(|it| it.interval);
    steps.dedup_by(|it, before| it.name == before.name);
    // A loop that ends while the profiler records leaves a last step in which nothing happens.
    if steps.len() > 1 {
        steps.pop_if(|it| !has_work(trace, it.interval));
    }
    if steps.is_empty() {
        let work = trace
            .events
            .iter()
            .filter(|it| it.kind.is_host_work() || it.kind.is_device_work());
        let start_ns = work.clone().map(|it| it.start_ns).min().unwrap_or(0);
        let end_ns = work.map(Event::end_ns).max().unwrap_or(0);
        steps.push(StepWindow {
            name: "whole trace".to_owned(),
            interval: Interval { start_ns, end_ns },
            is_marked: false,
        });
    }
    steps
}
