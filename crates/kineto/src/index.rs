//! What several analyses of a trace need, found once: which event contains which, which call launched which work, which
//! steps there are.

use super::event::{Event, EventKind};
use super::event_tree::EventTree;
use super::intervals::{Interval, IntervalSet};
use super::runtime_calls::RuntimeCall;
use super::step_window::{self, StepWindow};
use super::trace::{LaneKind, Trace};
use rustc_hash::FxHashMap;

/// An idle device begins sooner with work that was queued.
const LONG_QUEUED_NS: i64 = 1_000_000;

/// A piece of work of a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceWork<'a> {
    /// The event.
    pub event: &'a Event,
    /// The number of the call that queued it in [`Trace::events`]; none where the trace does not have it.
    pub launch: Option<usize>,
    /// Whether it was queued before the recording began: what the stream did before the first work whose launch was recorded.
    pub is_earlier: bool,
}

/// A trace with what analyses need of it.
#[derive(Debug)]
pub struct TraceIndex<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Which event contains which.
    pub nest: EventTree,
    /// The call for each name.
    pub calls: Vec<RuntimeCall>,
    /// Work of devices, by stream and time.
    pub work: Vec<DeviceWork<'a>>,
    /// Copies by their correlation.
    pub(super) copies: FxHashMap<u64, &'a Event>,
    /// When any stream works.
    pub busy: IntervalSet,
    /// The time before the first recorded work in which a device probably did something that the trace does not have: that work was
    /// queued before the recording began, or long before it began, or no step says when the recorded part begins.
    pub(super) unseen: Interval,
    /// The steps, or the whole trace as one.
    pub steps: Vec<StepWindow>,
    /// The time of all steps.
    pub stepped: IntervalSet,
    /// From the beginning of the first step to the end of the last one and of what it launched: without waits, the host
    /// is done with a step long before the device. For the same reason it begins later where a device still did what was queued
    /// before the recording began. Where no step is marked, from the first work of a device to the end of the last.
    pub span: Interval,
}

impl<'a> TraceIndex<'a> {
    /// The index of a trace.
    pub fn of(trace: &'a Trace) -> Self {
        let calls = RuntimeCall::of_names(trace);
        let launches = launches(trace);
        let mut work = Vec::new();
        for (_, _, events) in trace.lanes_of(LaneKind::Stream) {
            add_work(&mut work, events, &launches);
        }
        let copies = work.iter().map(|it| it.event);
        let copies = copies.filter(|it| it.kind == EventKind::Copy && it.correlation != 0);
        let copies = copies.map(|it| (it.correlation, it)).collect();
        let busy = IntervalSet::of(work.iter().map(|it| interval(it.event)));
        let steps = step_window::windows(trace);
        let is_marked = steps.iter().any(|it| it.is_marked);
        let unseen = unseen(trace, &calls, &work, is_marked);
        let stepped = IntervalSet::of(steps.iter().map(|it| it.interval));
        let mut index = Self {
            nest: EventTree::of(trace),
            trace,
            calls,
            work,
            copies,
            unseen,
            busy,
            steps,
            span: stepped.span(),
            stepped,
        };
        if !is_marked && !index.work.is_empty() {
            index.span = index.busy.span();
            return index;
        }
        let of_steps = index.work.iter().filter(|it| index.is_of_step(it));
        let end_ns = of_steps.map(|it| it.event.end_ns()).max().unwrap_or(0);
        index.span.end_ns = index.span.end_ns.max(end_ns);
        let earlier = index.work.iter().filter(|it| it.is_earlier);
        let earlier_end_ns = earlier.map(|it| it.event.end_ns()).max().unwrap_or(0);
        // Where the host took longer than the device had left, the steps took as long as the host.
        if index.span.end_ns - earlier_end_ns >= index.stepped.span().length() {
            index.span.start_ns = index.span.start_ns.max(earlier_end_ns);
        }
        index
    }

    /// The event with a number.
    pub fn event(&self, number: usize) -> Option<&'a Event> {
        self.trace.events.get(number)
    }

    /// What a call of the runtime does.
    pub fn call(&self, event: &Event) -> RuntimeCall {
        let call = self.calls.get(event.name.index());
        let is_call = event.kind == EventKind::Runtime;
        call.copied()
            .filter(|_| is_call)
            .unwrap_or(RuntimeCall::Other)
    }

    /// The call that queued a piece of work.
    pub fn launch(&self, work: &DeviceWork<'_>) -> Option<&'a Event> {
        self.event(work.launch?)
    }

    /// The smallest operator around an event.
    pub fn operator(&self, event: usize) -> Option<&'a Event> {
        let mut around = self.nest.ancestors(event).filter_map(|it| self.event(it));
        around.find(|it| it.kind == EventKind::Operator)
    }

    /// The event whose time says when a piece of work was queued: its launch, or the work itself if the launch is missing. None for
    /// what was queued before the recording began.
    pub(super) fn queued<'w>(&self, work: &'w DeviceWork<'a>) -> Option<&'w Event> {
        let known = self.launch(work).unwrap_or(work.event);
        (!work.is_earlier).then_some(known)
    }

    /// Whether a step launched a piece of work; where its launch is missing, whether it begins in a step.
    pub fn is_of_step(&self, work: &DeviceWork<'a>) -> bool {
        self.queued(work).is_some_and(|it| self.is_in_step(it))
    }

    /// For how long no stream works in a window, as far as it was recorded; 0 without a device.
    pub(super) fn idle_in(&self, window: Interval) -> i64 {
        if self.work.is_empty() {
            return 0;
        }
        let unseen = self.unseen.with(window);
        let unseen_ns = unseen.length() - self.busy.inside(unseen);
        window.length() - self.busy.inside(window) - unseen_ns
    }

    /// Whether an event begins in a step.
    pub fn is_in_step(&self, event: &Event) -> bool {
        let steps = self.stepped.intervals();
        let after = steps.partition_point(|it| it.end_ns <= event.start_ns);
        steps
            .get(after)
            .is_some_and(|it| it.start_ns <= event.start_ns)
    }
}

/// When an event happens.
pub(super) fn interval(event: &Event) -> Interval {
    Interval {
        start_ns: event.start_ns,
        end_ns: event.end_ns(),
    }
}

/// Adds the work of a stream.
fn add_work<'a>(
    work: &mut Vec<DeviceWork<'a>>,
    events: &'a [Event],
    launches: &FxHashMap<u64, u32>,
) {
    let before = work.len();
    let of_device = events.iter().filter(|it| it.kind.is_device_work());
    work.extend(of_device.map(|event| DeviceWork {
        event,
        launch: launches.get(&event.correlation).map(|it| *it as usize),
        is_earlier: false,
    }));
    let added = work.get_mut(before..).unwrap_or_default();
    // A stream keeps the order in which work was queued. Where no launch was recorded, nothing is known.
    let first = added.iter().position(|it| it.launch.is_some());
    for it in added.iter_mut().take(first.unwrap_or(0)) {
        it.is_earlier = true;
    }
}

fn unseen(
    trace: &Trace,
    calls: &[RuntimeCall],
    work: &[DeviceWork<'_>],
    is_marked: bool,
) -> Interval {
    let streams = work.chunk_by(|a, b| a.event.lane == b.event.lane);
    let first_of_each: Vec<_> = streams.filter_map(|it| it.first()).collect();
    let begun_earlier = first_of_each.iter().filter(|it| it.is_earlier);
    if let Some(end_ns) = begun_earlier.map(|it| it.event.start_ns).min() {
        return Interval {
            start_ns: 0,
            end_ns,
        };
    }
    let Some(first) = first_of_each.iter().min_by_key(|it| it.event.start_ns) else {
        return Interval::default();
    };
    let end_ns = first.event.start_ns;
    let launch = first.launch.and_then(|it| trace.events.get(it));
    // A call that copies pageable memory waits for what is before it; another one that takes long loads something.
    let queued_ns = |it: &Event| match calls.get(it.name.index()) {
        Some(RuntimeCall::Copy | RuntimeCall::CopyAndWait) => it.start_ns,
        _ => it.end_ns(),
    };
    let queued = launch.filter(|it| queued_ns(it) + LONG_QUEUED_NS < end_ns);
    match (is_marked, queued) {
        (false, _) => Interval {
            start_ns: 0,
            end_ns,
        },
        (true, Some(launch)) => Interval {
            start_ns: launch.start_ns,
            end_ns,
        },
        (true, None) => Interval::default(),
    }
}

/// The number of the call for each correlation.
fn launches(trace: &Trace) -> FxHashMap<u64, u32> {
    let mut launches = FxHashMap::default();
    if !trace.lanes.iter().any(|it| it.kind == LaneKind::Stream) {
        return launches;
    }
    for (number, event) in (0u32..).zip(&trace.events) {
        if event.kind == EventKind::Runtime && event.correlation != 0 {
            launches.insert(event.correlation, number);
        }
    }
    launches
}
