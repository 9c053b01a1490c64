//! What each stream did, and why it was idle between two pieces of work.
//!
//! The three reasons are those of `HolisticTraceAnalysis`, so that figures can be compared: the host queued the work after
//! the stream had nothing more to do; the work was queued in time and began within 30 µs; it was queued in time and
//! began later.

use crate::event::{Event, EventKind};
use crate::index::{DeviceWork, TraceIndex, interval};
use crate::intervals::IntervalSet;
use serde::Serialize;

/// A gap below it is the usual pause between two kernels.
const KERNEL_WAIT_NS: i64 = 30_000;

/// What a stream did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stream {
    /// The device, as the trace numbers it.
    pub device: String,
    /// The stream, as the trace numbers it.
    pub stream: String,
    /// Kernels.
    pub kernels: u64,
    /// Copies.
    pub copies: u64,
    /// Kernels, copies and fills.
    pub work: u64,
    /// Device time of kernels.
    pub kernel_ns: i64,
    /// Device time of copies.
    pub copy_ns: i64,
    /// Device time of all work.
    pub sum_ns: i64,
    /// For how long it worked; less than the sum where work overlaps.
    pub busy_ns: i64,
    /// When its first work begins.
    pub first_ns: i64,
    /// When its last work ends.
    pub last_ns: i64,
    /// Idle time between two pieces of work, by reason.
    pub idle: IdleByReason,
}

/// Idle time of a stream between two pieces of work, in the words of `HolisticTraceAnalysis`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IdleByReason {
    /// The next work was queued only after the work before it had ended.
    pub host_wait_ns: i64,
    /// The next work was queued in time, and began within 30 µs.
    pub kernel_wait_ns: i64,
    /// The next work was queued in time, and began later.
    pub other_ns: i64,
    /// Gaps for the first reason.
    pub host_waits: u64,
    /// Gaps for the second.
    pub kernel_waits: u64,
    /// Gaps for the third.
    pub others: u64,
}

/// The streams, in the order of the trace.
pub(super) fn of(index: &TraceIndex<'_>) -> Vec<Stream> {
    let mut streams = Vec::new();
    for of_stream in index.work.chunk_by(|a, b| a.event.lane == b.event.lane) {
        let Some(first) = of_stream.first() else {
            continue;
        };
        let Some(lane) = index.trace.lanes.get(first.event.lane.index()) else {
            continue;
        };
        let of_kind = |kind| of_stream.iter().filter(move |it| it.event.kind == kind);
        let ns = |kind| of_kind(kind).map(|it| it.event.duration_ns).sum::<i64>();
        streams.push(Stream {
            device: lane.process.clone(),
            stream: lane.thread.clone(),
            kernels: of_kind(EventKind::Kernel).count() as u64,
            copies: of_kind(EventKind::Copy).count() as u64,
            work: of_stream.len() as u64,
            kernel_ns: ns(EventKind::Kernel),
            copy_ns: ns(EventKind::Copy),
            sum_ns: of_stream.iter().map(|it| it.event.duration_ns).sum(),
            busy_ns: IntervalSet::of(of_stream.iter().map(|it| interval(it.event))).length(),
            first_ns: first.event.start_ns,
            last_ns: of_stream
                .iter()
                .map(|it| it.event.end_ns())
                .max()
                .unwrap_or(0),
            idle: idle(index, of_stream),
        });
    }
    streams
}

fn idle(index: &TraceIndex<'_>, of_stream: &[DeviceWork<'_>]) -> IdleByReason {
    let mut idle = IdleByReason::default();
    for (before, after) in of_stream.iter().zip(of_stream.iter().skip(1)) {
        let end = before.event.end_ns();
        let gap = after.event.start_ns - end;
        let is_late = index
            .launch(after)
            .is_some_and(|it: &Event| it.start_ns > end);
        let (ns, count) = if is_late {
            (&mut idle.host_wait_ns, &mut idle.host_waits)
        } else if gap < KERNEL_WAIT_NS {
            (&mut idle.kernel_wait_ns, &mut idle.kernel_waits)
        } else {
            (&mut idle.other_ns, &mut idle.others)
        };
        *ns += gap;
        *count += 1;
    }
    idle
}
