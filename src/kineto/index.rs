//! What several analyses of a trace need, found once: which event contains which, which call launched which work, which
//! steps there are.

use super::calls::Call;
use super::event::{Event, Kind};
use super::intervals::{Interval, Union};
use super::nest::Nest;
use super::trace::{LaneKind, Trace};
use super::window::{self, Window};
use rustc_hash::FxHashMap;

/// A piece of work of a device.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The event.
    pub event: &'a Event,
    /// The number of the call that queued it in [`Trace::events`]; none where the trace does not have it.
    pub launch: Option<usize>,
}

/// A trace with what analyses need of it.
#[derive(Debug)]
pub struct Index<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Which event contains which.
    pub nest: Nest,
    /// The call for each name.
    pub calls: Vec<Call>,
    /// Work of devices, by stream and time.
    pub work: Vec<Work<'a>>,
    /// Copies by their correlation.
    pub(super) copies: FxHashMap<u64, &'a Event>,
    /// When any stream works.
    pub busy: Union,
    /// The steps, or the whole trace as one.
    pub steps: Vec<Window>,
    /// The time of all steps.
    pub stepped: Union,
    /// From the beginning of the first step to the end of the last one and of what it launched: without waits, the host
    /// is done with a step long before the device.
    pub span: Interval,
}

impl<'a> Index<'a> {
    /// The index of a trace.
    pub fn of(trace: &'a Trace) -> Self {
        let calls = Call::of_names(trace);
        let launches = launches(trace);
        let streams = trace.lanes_of(LaneKind::Stream);
        let work: Vec<Work<'_>> = streams
            .flat_map(|(_, _, events)| events)
            .filter(|it| it.kind.is_device_work())
            .map(|event| Work {
                event,
                launch: launches.get(&event.correlation).map(|it| *it as usize),
            })
            .collect();
        let copies = work.iter().map(|it| it.event);
        let copies = copies.filter(|it| it.kind == Kind::Copy && it.correlation != 0);
        let copies = copies.map(|it| (it.correlation, it)).collect();
        let busy = Union::of(work.iter().map(|it| interval(it.event)));
        let steps = window::windows(trace);
        let stepped = Union::of(steps.iter().map(|it| it.interval));
        let mut index = Self {
            nest: Nest::of(trace),
            trace,
            calls,
            work,
            copies,
            busy,
            steps,
            span: stepped.span(),
            stepped,
        };
        let of_steps = index.work.iter().filter(|it| index.is_of_step(it));
        let end_ns = of_steps.map(|it| it.event.end_ns()).max().unwrap_or(0);
        index.span.end_ns = index.span.end_ns.max(end_ns);
        index
    }

    /// The event with a number.
    pub fn event(&self, number: usize) -> Option<&'a Event> {
        self.trace.events.get(number)
    }

    /// What a call of the runtime does.
    pub fn call(&self, event: &Event) -> Call {
        let call = self.calls.get(event.name.index());
        let is_call = event.kind == Kind::Runtime;
        call.copied().filter(|_| is_call).unwrap_or(Call::Other)
    }

    /// The call that queued a piece of work.
    pub fn launch(&self, work: &Work<'_>) -> Option<&'a Event> {
        self.event(work.launch?)
    }

    /// The smallest operator around an event.
    pub fn operator(&self, event: usize) -> Option<&'a Event> {
        let mut around = self.nest.ancestors(event).filter_map(|it| self.event(it));
        around.find(|it| it.kind == Kind::Operator)
    }

    /// Whether a step launched a piece of work; where its launch is missing, whether it begins in a step.
    pub fn is_of_step(&self, work: &Work<'_>) -> bool {
        self.is_in_step(self.launch(work).unwrap_or(work.event))
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

/// The number of the call for each correlation.
fn launches(trace: &Trace) -> FxHashMap<u64, u32> {
    let mut launches = FxHashMap::default();
    if !trace.lanes.iter().any(|it| it.kind == LaneKind::Stream) {
        return launches;
    }
    for (number, event) in (0u32..).zip(&trace.events) {
        if event.kind == Kind::Runtime && event.correlation != 0 {
            launches.insert(event.correlation, number);
        }
    }
    launches
}
