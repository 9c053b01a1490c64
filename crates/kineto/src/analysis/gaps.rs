//! Gaps: time in which no stream works, and why the next work was not there yet.

use super::waits::WaitingCall;
use crate::event::{Event, EventKind};
use crate::index::{DeviceWork, TraceIndex, interval};
use crate::intervals::{Interval, IntervalSet};
use crate::runtime_calls::RuntimeCall;
use crate::source_lines::SourceLines;
use crate::trace::LaneKind;
use serde::Serialize;
use std::collections::BTreeMap;
use warpup_lab::findings::WaitReason;

/// How much later than the device's end a wait may begin: the host comes from the call that queued the last work.
const LATER_NS: i64 = 10_000;

/// From this time on, a call that launches does more than that.
const SLOW_NS: i64 = 200_000;

/// How many single gaps are kept, the longest.
const LONGEST: usize = 50;

/// Why a device was idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The loop waited for its next batch.
    DataLoading,
    /// The host had waited for the device, and had nothing queued when the device was done.
    Wait(WaitReason),
    /// The host was in a call that copies from or to pageable memory.
    Copy,
    /// The host was in a call that takes or gives back memory.
    Allocation,
    /// The host was busy, and queued the next work late.
    LateLaunch,
    /// The call that launches the next work ran through most of it, as the first launch of a kernel does, which loads it.
    SlowLaunch,
    /// The next work was queued in time, and began late: the device's own pause, or a wait for another stream.
    Queued,
    /// The trace has no launch for the next work, which may have been queued before the recording began.
    Unknown,
}

impl Cause {
    /// The cause in the course's words, after a time.
    pub fn words(self) -> String {
        match self {
            Self::DataLoading => "while the loop waited for a batch".to_owned(),
            Self::Wait(reason) => format!("after the host waited: {}", reason.words()),
            Self::Copy => "while the host copied pageable memory".to_owned(),
            Self::Allocation => "while the host took or gave back memory".to_owned(),
            Self::LateLaunch => "because the host launched late".to_owned(),
            Self::SlowLaunch => "during a long call that launches".to_owned(),
            Self::Queued => "although work was queued".to_owned(),
            Self::Unknown => "before work whose launch is missing".to_owned(),
        }
    }
}

/// Gaps with the same cause, before work of the same line and operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gaps {
    /// The cause.
    pub cause: Cause,
    /// The line that launched the next work, or that waited, where the trace shows it.
    pub line: Option<String>,
    /// Where it does not: the operator.
    pub operator: Option<String>,
    /// How many.
    pub count: u64,
    /// How long all of them are.
    pub ns: i64,
}

/// A gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// When it begins.
    pub start_ns: i64,
    /// How long it is.
    pub ns: i64,
    /// The cause.
    pub cause: Cause,
}

/// What is known of the gaps in the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AllGaps {
    /// By cause and place, the longest first.
    pub by_cause: Vec<Gaps>,
    /// The longest ones, in the order of time.
    pub longest: Vec<Gap>,
}

impl AllGaps {
    /// How long the device was idle for causes of a kind, and in how many gaps.
    pub fn sum(&self, is_meant: impl Fn(Cause) -> bool) -> (i64, u64) {
        let meant = self.by_cause.iter().filter(|it| is_meant(it.cause));
        meant.fold((0, 0), |sum, it| (sum.0 + it.ns, sum.1 + it.count))
    }
}

/// What the causes are looked for in.
struct IdleCauses<'a> {
    index: &'a TraceIndex<'a>,
    waits: &'a [WaitingCall<'a>],
    loading: &'a IntervalSet,
    /// Calls that copy from or to pageable memory.
    copying: IntervalSet,
    /// Calls that take or give back memory.
    allocating: IntervalSet,
}

/// The gaps in the steps.
pub(super) fn of(
    index: &TraceIndex<'_>,
    waits: &[WaitingCall<'_>],
    loading: &IntervalSet,
    sources: &SourceLines,
) -> AllGaps {
    let causes = IdleCauses::new(index, waits, loading);
    let mut work: Vec<&DeviceWork<'_>> = index.work.iter().collect();
    work.sort_by_key(|it| it.event.start_ns);
    let mut rows: BTreeMap<_, (u64, i64)> = BTreeMap::new();
    let mut all = AllGaps::default();
    let [before, after] = ends(index);
    let seen = Interval {
        start_ns: index.span.start_ns.max(index.unseen.end_ns),
        ..index.span
    };
    for gap in before.into_iter().chain(index.busy.gaps()).chain(after) {
        let is_in_step = gap.with(seen).length() * 2 >= gap.length();
        let next = work.partition_point(|it| it.event.start_ns < gap.end_ns);
        let found = match work.get(next).filter(|_| is_in_step) {
            Some(next) => Some(causes.of(gap, next)),
            None if Some(gap) == after => causes.at_end(gap),
            None => None,
        };
        let Some((cause, place)) = found else {
            continue;
        };
        let line = place.and_then(|it| sources.line(index, it));
        let operator = place
            .filter(|_| line.is_none())
            .and_then(|it| index.operator(it));
        let operator = operator.map(|it| it.name);
        let row = rows.entry((cause, operator, line)).or_default();
        row.0 += 1;
        row.1 += gap.length();
        all.longest.push(Gap {
            start_ns: gap.start_ns,
            ns: gap.length(),
            cause,
        });
    }
    let named = rows
        .into_iter()
        .map(|((cause, operator, line), (count, ns))| Gaps {
            cause,
            operator: operator.map(|it| index.trace.name(it).to_owned()),
            line: line.map(|it| sources.text(it).to_owned()),
            count,
            ns,
        });
    all.by_cause = named.collect();
    all.by_cause.sort_by_key(|it| std::cmp::Reverse(it.ns));
    all.longest.sort_by_key(|it| std::cmp::Reverse(it.ns));
    all.longest.truncate(LONGEST);
    all.longest.sort_by_key(|it| it.start_ns);
    all
}

/// The time of the steps before the first work and after the last one, where steps are marked: a trace of one step has no other
/// gap between a batch and the next.
fn ends(index: &TraceIndex<'_>) -> [Option<Interval>; 2] {
    let busy = index.busy.intervals();
    let is_marked = index.steps.iter().any(|it| it.is_marked);
    let (Some(first), Some(last), true) = (busy.first(), busy.last(), is_marked) else {
        return [None; 2];
    };
    let before = Interval {
        end_ns: first.start_ns,
        ..index.span
    };
    let after = Interval {
        start_ns: last.end_ns,
        ..index.span
    };
    [before, after].map(|it| Some(it).filter(|it| it.length() > 0))
}

impl<'a> IdleCauses<'a> {
    fn new(
        index: &'a TraceIndex<'a>,
        waits: &'a [WaitingCall<'a>],
        loading: &'a IntervalSet,
    ) -> Self {
        let mut copying = Vec::new();
        let mut allocating = Vec::new();
        for (_, _, events) in index.trace.lanes_of(LaneKind::Host) {
            for event in events.iter().filter(|it| it.kind == EventKind::Runtime) {
                match index.call(event) {
                    RuntimeCall::Copy | RuntimeCall::CopyAndWait if is_pageable(index, event) => {
                        copying.push(interval(event));
                    }
                    RuntimeCall::Allocate => allocating.push(interval(event)),
                    RuntimeCall::Launch
                    | RuntimeCall::GraphLaunch
                    | RuntimeCall::Copy
                    | RuntimeCall::CopyAndWait
                    | RuntimeCall::Fill
                    | RuntimeCall::Synchronize
                    | RuntimeCall::Other => {}
                }
            }
        }
        Self {
            index,
            waits,
            loading,
            copying: IntervalSet::of(copying),
            allocating: IntervalSet::of(allocating),
        }
    }

    /// The cause of a gap before a piece of work, and the number of the event whose place is shown.
    fn of(&self, gap: Interval, next: &DeviceWork<'_>) -> (Cause, Option<usize>) {
        let Some(launch) = self.index.launch(next) else {
            return (Cause::Unknown, None);
        };
        // While work was queued, the host was not what the device waited for.
        let late = Interval {
            end_ns: launch.start_ns.min(gap.end_ns),
            ..gap
        };
        if late.length() * 2 < gap.length() && !is_mostly(&self.copying, gap) {
            let during = gap.with(interval(launch)).length();
            let is_slow = launch.duration_ns >= SLOW_NS && during * 2 >= gap.length();
            let cause = if is_slow {
                Cause::SlowLaunch
            } else {
                Cause::Queued
            };
            return (cause, next.launch);
        }
        if is_mostly(self.loading, late) {
            return (Cause::DataLoading, next.launch);
        }
        if let Some(wait) = self.wait_at(late) {
            return (Cause::Wait(wait.reason), Some(wait.number));
        }
        if is_mostly(&self.copying, gap) {
            return (Cause::Copy, next.launch);
        }
        if is_mostly(&self.allocating, late) {
            return (Cause::Allocation, next.launch);
        }
        (Cause::LateLaunch, next.launch)
    }

    /// The cause of a gap after the last work, as far as it is one that also leaves a device idle between two steps.
    fn at_end(&self, gap: Interval) -> Option<(Cause, Option<usize>)> {
        if is_mostly(self.loading, gap) {
            return Some((Cause::DataLoading, None));
        }
        let wait = self.wait_at(gap)?;
        Some((Cause::Wait(wait.reason), Some(wait.number)))
    }

    /// The call that waited when the device ran out of work, and ended before the next launch.
    fn wait_at(&self, late: Interval) -> Option<&WaitingCall<'a>> {
        let grain = self.index.trace.grain_ns;
        let first = self
            .waits
            .partition_point(|it| it.event.end_ns() < late.start_ns - grain);
        let ended = self.waits.get(first..).unwrap_or_default().iter();
        let mut before = ended.take_while(|it| it.event.end_ns() <= late.end_ns + grain);
        before.find(|it| it.event.start_ns <= late.start_ns + LATER_NS)
    }
}

fn is_mostly(union: &IntervalSet, window: Interval) -> bool {
    window.length() > 0 && union.inside(window) * 2 >= window.length()
}

/// Whether the copy that a call queued is from or to pageable memory.
fn is_pageable(index: &TraceIndex<'_>, call: &Event) -> bool {
    let copy = index.copies.get(&call.correlation);
    copy.is_some_and(|it| index.trace.name(it.name).contains("Pageable"))
}
