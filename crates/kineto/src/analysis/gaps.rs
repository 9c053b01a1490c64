//! Gaps: time in which no stream works, and why the next work was not there yet.

use super::data_loading::Fetches;
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
use serde::Serialize;
use std::collections::BTreeMap;
use warpup_lab::findings::WaitReason;

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
    /// Calls that launch, load or make something ran through most of it, as the first launch of a kernel does, which loads it.
    SlowLaunch,
    /// The next work was queued in time, and the gap is so short that it is the device's own pause.
    Pause,
    /// The next work was queued in time, and began later than after a pause: it waited for something that the trace does not show, or
    /// the device did what was not recorded.
    Queued,
    /// The same of work of a CUDA graph, whose launch was in time.
    Graph,
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
            Self::SlowLaunch => "during a long call that launches or loads".to_owned(),
            Self::Pause => "although work was queued".to_owned(),
            Self::Queued => "although work was queued, beyond a pause".to_owned(),
            Self::Graph => "before work of a CUDA graph that was queued".to_owned(),
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
    /// Before late launches: where most of that time went, if a function of it was recorded.
    pub late_function: Option<LateFunction>,
}

/// A function, of the program or of a package, in which the host was while a device waited for a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LateFunction {
    /// With its file and line, if it is one of Python.
    pub name: String,
    /// For how long.
    pub ns: i64,
}

/// What was found of the gaps of a row.
#[derive(Default)]
struct GapTotals {
    /// How many rows were found before it.
    id: usize,
    count: u64,
    ns: i64,
    functions: BTreeMap<NameId, i64>,
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
    /// Its row in [`AllGaps::by_cause`].
    #[serde(skip)]
    pub row: usize,
}

/// What is known of the gaps in the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AllGaps {
    /// By cause and place, the longest first.
    pub by_cause: Vec<Gaps>,
    /// Each, in the order of time.
    #[serde(skip)]
    pub all: Vec<Gap>,
    /// The longest ones, in the order of time.
    pub longest: Vec<Gap>,
    /// Where most of the time before all late launches went, if a function of it was recorded.
    pub late_function: Option<LateFunction>,
    /// The same for the time in which the loop waited for a batch.
    pub loading_function: Option<LateFunction>,
}

impl AllGaps {
    /// How long the device was idle for causes of a kind, and in how many gaps.
    pub fn sum(&self, is_meant: impl Fn(Cause) -> bool) -> (i64, u64) {
        let meant = self.by_cause.iter().filter(|it| is_meant(it.cause));
        meant.fold((0, 0), |sum, it| (sum.0 + it.ns, sum.1 + it.count))
    }

    /// The gap at a moment.
    pub fn at(&self, at_ns: i64) -> Option<&Gap> {
        let begun = self.all.partition_point(|it| it.start_ns <= at_ns);
        let last = self.all.get(begun.checked_sub(1)?)?;
        (at_ns < last.start_ns + last.ns).then_some(last)
    }

    /// Takes the rows, each with the number that its gaps have, and orders them by their time.
    fn number_rows(&mut self, rows: impl Iterator<Item = (usize, Gaps)>) {
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|it| std::cmp::Reverse(it.1.ns));
        let mut places = vec![0; rows.len()];
        for (place, (id, row)) in rows.into_iter().enumerate() {
            if let Some(it) = places.get_mut(id) {
                *it = place;
            }
            self.by_cause.push(row);
        }
        for gap in &mut self.all {
            gap.row = places.get(gap.row).copied().unwrap_or(0);
        }
    }

    /// The rows of one cause, the longest first.
    pub fn of_cause(&self, cause: Cause) -> impl Iterator<Item = &Gaps> {
        self.by_cause.iter().filter(move |it| it.cause == cause)
    }
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
    all.number_rows(rows.into_iter().map(|((cause, operator, line), row)| {
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
    all.longest.clone_from(&all.all);
    all.longest.sort_by_key(|it| std::cmp::Reverse(it.ns));
    all.longest.truncate(LONGEST);
    all.longest.shrink_to_fit();
    all.longest.sort_by_key(|it| it.start_ns);
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
