//! The rows of the timeline: host threads and streams.

use crate::event::{Event, EventKind, LaneId};
use crate::index::{TraceIndex, interval};
use crate::intervals::IntervalSet;
use crate::trace::{LaneKind, Trace};
use serde::Serialize;

/// A row of the timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LaneSummary {
    /// Its name for people.
    pub name: String,
    /// What it is.
    pub kind: LaneKind,
    /// Process or device.
    pub process: String,
    /// Thread or stream.
    pub thread: String,
    /// Events on it.
    pub events: u64,
    /// For how long operators ran, or kernels, copies and fills.
    pub busy_ns: i64,
    /// When its first event begins.
    pub first_ns: i64,
    /// When its last event ends.
    pub last_ns: i64,
    /// Whether the stream has copies, which a timeline shows in a row of their own.
    pub has_copies: bool,
}

/// The lanes: host threads, then streams, each with the busiest first.
pub(super) fn of(index: &TraceIndex<'_>) -> Vec<LaneSummary> {
    let trace = index.trace;
    let both = [LaneKind::Host, LaneKind::Stream];
    let lanes = both.into_iter().flat_map(|it| trace.lanes_of(it));
    let mut rows: Vec<LaneSummary> = lanes.map(|(id, _, _)| summary(trace, id)).collect();
    rows.sort_by_key(|it| (it.kind, std::cmp::Reverse(it.busy_ns)));
    rows
}

fn summary(trace: &Trace, id: LaneId) -> LaneSummary {
    let lane = trace.lanes.get(id.index());
    let events = lane.map(|it| trace.events_of(it)).unwrap_or_default();
    let is_busy = |kind: EventKind| {
        kind.is_device_work() || matches!(kind, EventKind::Operator | EventKind::Runtime)
    };
    let busy = events.iter().filter(|it| is_busy(it.kind));
    LaneSummary {
        name: trace.lane_name(id),
        kind: lane.map_or(LaneKind::Other, |it| it.kind),
        process: lane.map(|it| it.process.clone()).unwrap_or_default(),
        thread: lane.map(|it| it.thread.clone()).unwrap_or_default(),
        events: events.len() as u64,
        busy_ns: IntervalSet::of(busy.map(interval)).length(),
        first_ns: events.first().map_or(0, |it| it.start_ns),
        last_ns: events.iter().map(Event::end_ns).max().unwrap_or(0),
        has_copies: events.iter().any(|it| it.kind == EventKind::Copy),
    }
}
