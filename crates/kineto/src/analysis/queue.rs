//! How much was queued on a stream and had not begun: the launch queue.
//!
//! It grows by one when a call that launches, copies or fills begins, and shrinks when that work begins on the device, as
//! `HolisticTraceAnalysis` counts it.

use crate::index::{DeviceWork, TraceIndex};
use crate::runtime_calls::RuntimeCall;
use serde::Serialize;

/// The most points that are kept of a queue.
const POINTS: usize = 400;

/// The launch queue of a stream.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Queue {
    /// The device, as the trace numbers it.
    pub device: String,
    /// The stream, as the trace numbers it.
    pub stream: String,
    /// How often it changed: twice for each piece of work.
    pub changes: u64,
    /// The mean of what was queued after each change.
    pub mean: f64,
    /// The mean over time.
    pub mean_over_time: f64,
    /// The most that was queued.
    pub longest: u64,
    /// For how long nothing was queued, between the first change and the last.
    pub empty_ns: i64,
    /// When the first change was.
    pub start_ns: i64,
    /// From the first change to the last.
    pub span_ns: i64,
    /// The most that was queued in each part of the time; parts have the same length.
    pub over_time: Vec<u64>,
}

/// The queue of each stream.
pub(super) fn of(index: &TraceIndex<'_>) -> Vec<Queue> {
    let streams = index.work.chunk_by(|a, b| a.event.lane == b.event.lane);
    streams.filter_map(|it| queue(index, it)).collect()
}

fn queue(index: &TraceIndex<'_>, of_stream: &[DeviceWork<'_>]) -> Option<Queue> {
    let lane = index
        .trace
        .lanes
        .get(of_stream.first()?.event.lane.index())?;
    let mut changes: Vec<(i64, i64)> = Vec::new();
    for work in of_stream {
        let Some(launch) = index.launch(work) else {
            continue;
        };
        // One launch of a graph queues many kernels.
        if matches!(
            index.call(launch),
            RuntimeCall::Launch | RuntimeCall::Copy | RuntimeCall::CopyAndWait | RuntimeCall::Fill
        ) {
            changes.push((launch.start_ns, 1));
            changes.push((work.event.start_ns, -1));
        }
    }
    // At the same moment, a launch is before its kernel.
    changes.sort_unstable_by_key(|it| (it.0, -it.1));
    let (first, last) = (changes.first()?.0, changes.last()?.0);
    let span_ns = last - first;
    let mut queue = Queue {
        device: lane.process.clone(),
        stream: lane.thread.clone(),
        changes: changes.len() as u64,
        start_ns: first,
        span_ns,
        over_time: vec![0; POINTS.min(changes.len())],
        ..Queue::default()
    };
    let (mut length, mut sum, mut area) = (0i64, 0i64, 0f64);
    let mut before = first;
    for (at, change) in changes {
        area += length as f64 * (at - before) as f64;
        queue.empty_ns += if length <= 0 { at - before } else { 0 };
        let parts = queue.over_time.len();
        let (from, to) = (before - first, at - first);
        let since = part_of(from, span_ns, parts)..=part_of(to, span_ns, parts);
        for most in queue.over_time.get_mut(since).unwrap_or_default() {
            *most = (*most).max(u64::try_from(length).unwrap_or(0));
        }
        length += change;
        sum += length;
        before = at;
        queue.longest = queue.longest.max(u64::try_from(length).unwrap_or(0));
    }
    queue.mean = sum as f64 / queue.changes as f64;
    queue.mean_over_time = area / span_ns.max(1) as f64;
    Some(queue)
}

/// In which of so many equal parts a moment is.
fn part_of(at: i64, span: i64, parts: usize) -> usize {
    let parts = i128::try_from(parts).unwrap_or(0);
    let part = i128::from(at) * parts / i128::from(span.max(1));
    usize::try_from(part.min(parts - 1)).unwrap_or(0)
}
