//! What each step cost.

use crate::event::EventKind;
use crate::index::{TraceIndex, interval};
use crate::intervals::{Interval, IntervalSet};
use crate::step_window::StepWindow;
use serde::Serialize;

/// What a step cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// When it begins.
    pub start_ns: i64,
    /// How long it takes.
    pub duration_ns: i64,
    /// For how long any stream worked for it, which may be after it: what it launched waits in the queue.
    pub device_ns: i64,
    /// For how long no stream worked during it, as far as it was recorded.
    pub device_idle_ns: i64,
    /// Kernels that it launched.
    pub kernels: u64,
    /// Copies that it launched.
    pub copies: u64,
    /// Operators that began in it.
    pub operators: u64,
}

/// What each step cost.
pub(super) fn of(index: &TraceIndex<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> = index.steps.iter().map(|it| step(index, it)).collect();
    let mut launched: Vec<Vec<Interval>> = vec![Vec::new(); steps.len()];
    let find = |steps: &[Step], at: i64| {
        let after = steps
            .partition_point(|it| it.start_ns <= at)
            .checked_sub(1)?;
        let step = steps.get(after)?;
        (at < step.start_ns + step.duration_ns).then_some(after)
    };
    for work in &index.work {
        let queued = index.queued(work);
        let Some(at) = queued.and_then(|it| find(&steps, it.start_ns)) else {
            continue;
        };
        if let Some(step) = steps.get_mut(at) {
            step.kernels += u64::from(work.event.kind == EventKind::Kernel);
            step.copies += u64::from(work.event.kind == EventKind::Copy);
        }
        if let Some(launched) = launched.get_mut(at) {
            launched.push(interval(work.event));
        }
    }
    for event in index
        .trace
        .events
        .iter()
        .filter(|it| it.kind == EventKind::Operator)
    {
        let at = find(&steps, event.start_ns);
        if let Some(step) = at.and_then(|it| steps.get_mut(it)) {
            step.operators += 1;
        }
    }
    for (step, launched) in steps.iter_mut().zip(launched) {
        step.device_ns = IntervalSet::of(launched).length();
    }
    steps
}

/// For how long any stream worked for a step.
pub(super) fn device_ns(index: &TraceIndex<'_>) -> i64 {
    let launched = index.work.iter().filter(|it| index.is_of_step(it));
    IntervalSet::of(launched.map(|it| interval(it.event))).length()
}

fn step(index: &TraceIndex<'_>, window: &StepWindow) -> Step {
    Step {
        name: window.name.clone(),
        start_ns: window.interval.start_ns,
        duration_ns: window.interval.length(),
        device_ns: 0,
        device_idle_ns: index.idle_in(window.interval),
        kernels: 0,
        copies: 0,
        operators: 0,
    }
}
