//! Gaps: time in which no stream works, and why the next work was not there yet.

use super::data_loading::Fetches;
use super::gap_causes::{AllGaps, Cause, Gap, Gaps, LateFunction};
use super::late_functions;
use super::waits::WaitingCall;
use crate::event::{Event, EventKind};
use crate::index::{DeviceWork, TraceIndex, interval};
use crate::intervals::{Interval, IntervalSet};
use crate::names::NameId;
use crate::runtime_calls::RuntimeCall;
use crate::source_lines::{self, SourceLines};
use crate::step_window;
use crate::trace::LaneKind;
use std::collections::BTreeMap;

/// How much later than the device's end a wait may begin: the host comes from the call that queued the last work.
const LATER_NS: i64 = 10_000;

/// From this time on, a call that launches or makes something does more than that.
const SLOW_NS: i64 = 200_000;

/// Work that begins sooner after its launch began late because of the launch: on AMD's cards that takes some 30 µs.
const LATENCY_NS: i64 = 60_000;

/// In a shorter gap after a wait, the host may only come from it and launch.
const LONG_NS: i64 = 1_000_000;

/// The usual pause of a device between two pieces of work that are queued is shorter.
const PAUSE_NS: i64 = 30_000;

/// What was found of the gaps of a row.
#[derive(Default)]
struct GapTotals {
    /// How many rows were found before it.
    id: usize,
    count: u64,
    ns: i64,
    functions: BTreeMap<NameId, i64>,
}

/// What the causes are looked for in.
struct IdleCauses<'a> {
    index: &'a TraceIndex<'a>,
    waits: &'a [WaitingCall<'a>],
    loading: &'a Fetches,
    /// Calls that copy from or to pageable memory.
    copying: IntervalSet,
    /// Long calls that launch, load or make something.
    first_use: IntervalSet,
    /// Calls that take or give back memory.
    allocating: IntervalSet,
}

/// The gaps in the steps.
pub(super) fn of(
    index: &TraceIndex<'_>,
    waits: &[WaitingCall<'_>],
    loading: &Fetches,
    sources: &SourceLines,
) -> AllGaps {
    let causes = IdleCauses::new(index, waits, loading);
    let mut work: Vec<&DeviceWork<'_>> = index.work.iter().collect();
    work.sort_by_key(|it| it.event.start_ns);
    let mut rows: BTreeMap<_, GapTotals> = BTreeMap::new();
    let mut functions: BTreeMap<(Cause, NameId), i64> = BTreeMap::new();
    let mut all = AllGaps::default();
    let [before, after] = ends(index);
    for gap in before.into_iter().chain(index.busy.gaps()).chain(after) {
        let in_steps = gap.with(index.span);
        let seen_ns = in_steps.length() - in_steps.with(index.unseen).length();
        let is_in_step = seen_ns * 2 >= gap.length();
        let next = work.partition_point(|it| it.event.start_ns < gap.end_ns);
        let next = work.get(next).filter(|_| is_in_step);
        let found = match next {
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
        let operator = operator.filter(|it| !step_window::is_step(index.trace.name(*it)));
        let id = rows.len();
        let row = rows.entry((cause, operator, line));
        let row = row.or_insert_with(|| GapTotals {
            id,
            ..GapTotals::default()
        });
        row.count += 1;
        row.ns += gap.length();
        let launch = next.and_then(|it| it.launch);
        if matches!(cause, Cause::LateLaunch | Cause::DataLoading)
            && let Some((function, ns)) = launch.and_then(|it| late_functions::of(index, gap, it))
        {
            *row.functions.entry(function).or_default() += ns;
            *functions.entry((cause, function)).or_default() += ns;
        }
        all.all.push(Gap {
            start_ns: gap.start_ns,
            ns: gap.length(),
            cause,
            row: row.id,
        });
    }
    let of_cause = |cause| {
        let meant = functions.iter().filter(move |it| it.0.0 == cause);
        meant.map(|it| (it.0.1, *it.1))
    };
    all.late_function = late_function(index, of_cause(Cause::LateLaunch));
    all.loading_function = late_function(index, of_cause(Cause::DataLoading));
    all.take_rows(rows.into_iter().map(|((cause, operator, line), row)| {
        let longest = late_function(index, row.functions);
        let gaps = Gaps {
            cause,
            operator: operator.map(|it| index.trace.name(it).to_owned()),
            line: line.map(|it| sources.text(it).to_owned()),
            count: row.count,
            ns: row.ns,
            late_function: longest,
        };
        (row.id, gaps)
    }));
    all
}

fn late_function(
    index: &TraceIndex<'_>,
    functions: impl IntoIterator<Item = (NameId, i64)>,
) -> Option<LateFunction> {
    let (name, ns) = functions.into_iter().max_by_key(|it| it.1)?;
    let name = source_lines::named(index.trace.name(name));
    Some(LateFunction { name, ns })
}

/// The time of the steps before the first work and after the last one, where steps are marked: a trace of one step has no other
/// gap between a batch and the next.
fn ends(index: &TraceIndex<'_>) -> [Option<Interval>; 2] {
    let busy = index.busy.intervals();
    let is_marked = index.steps.iter().any(|it| it.is_marked);
    let (Some(first), Some(last), true) = (busy.first(), busy.last(), is_marked) else {
        return [None; 2];
    };
    let is_unseen = index.unseen.end_ns >= first.start_ns;
    let before = Interval {
        end_ns: if is_unseen {
            index.unseen.start_ns
        } else {
            first.start_ns
        },
        ..index.span
    };
    let after = Interval {
        start_ns: last.end_ns,
        ..index.span
    };
    [before, after].map(|it| Some(it).filter(|it| it.length() > 0))
}

impl<'a> IdleCauses<'a> {
    fn new(index: &'a TraceIndex<'a>, waits: &'a [WaitingCall<'a>], loading: &'a Fetches) -> Self {
        let mut copying = Vec::new();
        let mut first_use = Vec::new();
        let mut allocating = Vec::new();
        for (_, _, events) in index.trace.lanes_of(LaneKind::Host) {
            for event in events.iter().filter(|it| it.kind == EventKind::Runtime) {
                match index.call(event) {
                    RuntimeCall::Copy | RuntimeCall::CopyAndWait if is_pageable(index, event) => {
                        copying.push(interval(event));
                    }
                    RuntimeCall::Allocate => allocating.push(interval(event)),
                    RuntimeCall::Launch | RuntimeCall::Create if event.duration_ns >= SLOW_NS => {
                        first_use.push(interval(event));
                    }
                    RuntimeCall::Launch
                    | RuntimeCall::GraphLaunch
                    | RuntimeCall::Create
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
            first_use: IntervalSet::of(first_use),
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
        if late.length() * 2 < gap.length() {
            return (self.when_queued(gap, launch), next.launch);
        }
        if let Some(fetch) = self.loading.through(late) {
            return (Cause::DataLoading, Some(fetch));
        }
        let (first_use_ns, allocation_ns) =
            (self.first_use.inside(gap), self.allocating.inside(late));
        if (first_use_ns + allocation_ns) * 2 >= gap.length() {
            let is_first_use = first_use_ns > allocation_ns;
            let cause = if is_first_use {
                Cause::SlowLaunch
            } else {
                Cause::Allocation
            };
            return (cause, next.launch);
        }
        if let Some(wait) = self
            .wait_at(late)
            .filter(|_| self.is_hidden_without_wait(late))
        {
            return (Cause::Wait(wait.reason), Some(wait.number));
        }
        if is_mostly(&self.copying, late) {
            return (Cause::Copy, next.launch);
        }
        (Cause::LateLaunch, next.launch)
    }

    /// Whether the host, without its wait, could have done beside the device's work what it did in a gap. Where that work was far
    /// shorter than the gap, the host is late with or without a wait.
    fn is_hidden_without_wait(&self, late: Interval) -> bool {
        let before = Interval {
            start_ns: late.start_ns - late.length(),
            end_ns: late.start_ns,
        };
        late.length() < LONG_NS || self.index.busy.inside(before) * 2 >= late.length()
    }

    /// The cause of a gap before work that was queued in time. What the host did in another call, such as one that waits for this
    /// very work, is not what the device waited for.
    fn when_queued(&self, gap: Interval, launch: &Event) -> Cause {
        let is_during = gap.with(interval(launch)).length() * 2 >= gap.length();
        let call = self.index.call(launch);
        let is_copy = matches!(call, RuntimeCall::Copy | RuntimeCall::CopyAndWait);
        let is_pause = gap.length() < PAUSE_NS || gap.end_ns - launch.start_ns < LATENCY_NS;
        if is_during && is_copy && is_pageable(self.index, launch) {
            Cause::Copy
        } else if is_during && launch.duration_ns >= SLOW_NS {
            Cause::SlowLaunch
        } else if is_pause {
            Cause::Pause
        } else if call == RuntimeCall::GraphLaunch {
            Cause::Graph
        } else {
            Cause::Queued
        }
    }

    /// The cause of a gap after the last work, as far as it is one that also leaves a device idle between two steps.
    fn at_end(&self, gap: Interval) -> Option<(Cause, Option<usize>)> {
        if let Some(fetch) = self.loading.through(gap) {
            return Some((Cause::DataLoading, Some(fetch)));
        }
        let wait = self
            .wait_at(gap)
            .filter(|_| self.is_hidden_without_wait(gap))?;
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
