//! Which event of a host thread contains which, as PyTorch's own table has it.
//!
//! The rules are those of `torch.autograd.profiler_util`: an event is inside another if it begins and ends within it, and
//! one that only overlaps another ends the search for what contains later ones.

use super::event::{Event, EventKind};
use super::trace::{LaneKind, Trace};

/// No event.
const NONE: u32 = u32::MAX;

/// Levels that are kept apart. Deeper events are all inside the last one: Python itself stops at 1,000 calls, and what goes up the
/// levels for each event must not take for ever.
const MAX_DEPTH: usize = 2_000;

/// Names that PyTorch takes out of its table; their time stays with what contains them.
const LEFT_OUT: [&str; 8] = [
    "[memory]",
    "[OutOfMemory]",
    "profiler::_record_function_enter",
    "profiler::_record_function_enter_new",
    "profiler::_record_function_exit",
    "aten::is_leaf",
    "aten::output_nr",
    "aten::_version",
];

/// For each event of a trace, the one that directly contains it.
#[derive(Clone, Debug, Default)]
pub struct EventTree(Vec<u32>);

impl EventTree {
    /// The nest of all host threads of a trace.
    pub fn of(trace: &Trace) -> Self {
        Self::of_kinds(trace, EventKind::is_host_work)
    }

    /// The nest without Python functions, which PyTorch's table does not subtract from operators before version 2.12.
    pub(super) fn without_python(trace: &Trace) -> Self {
        Self::of_kinds(trace, |it| it.is_host_work() && it != EventKind::Python)
    }

    fn of_kinds(trace: &Trace, is_in: fn(EventKind) -> bool) -> Self {
        let is_left_out: Vec<bool> = trace
            .names
            .iter()
            .map(|it| LEFT_OUT.contains(&&**it))
            .collect();
        let is_part = |it: &Event| {
            is_in(it.kind) && !is_left_out.get(it.name.index()).copied().unwrap_or(false)
        };
        let mut parents = vec![NONE; trace.events.len()];
        for (_, lane, events) in trace.lanes_of(LaneKind::Host) {
            let mut open: Vec<(i64, u32)> = Vec::new();
            let places = parents.get_mut(lane.events.clone()).unwrap_or_default();
            let numbered = (lane.events.start..).zip(events).zip(places);
            for ((number, event), parent) in numbered {
                if !is_part(event) {
                    continue;
                }
                let (start, end) = (event.start_ns, event.end_ns());
                while let Some((open_end, _)) = open.last()
                    && (start >= *open_end || end > *open_end + trace.grain_ns)
                {
                    open.pop();
                }
                *parent = open.last().map_or(NONE, |it| it.1);
                if open.len() < MAX_DEPTH {
                    open.push((end, u32::try_from(number).unwrap_or(NONE)));
                }
            }
        }
        Self(parents)
    }

    /// The number of the event that directly contains an event.
    pub fn parent(&self, event: usize) -> Option<usize> {
        let parent = *self.0.get(event)?;
        (parent != NONE).then_some(parent as usize)
    }

    /// The events that contain an event, the smallest first.
    pub fn ancestors(&self, event: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parent(event), |it| self.parent(*it))
    }

    /// For each event, the time in and the number of those that it directly contains.
    pub(super) fn children(&self, trace: &Trace) -> Vec<(i64, u32)> {
        let mut children = vec![(0, 0); trace.events.len()];
        for (number, event) in trace.events.iter().enumerate() {
            if let Some(parent) = self.parent(number)
                && let Some((ns, count)) = children.get_mut(parent)
            {
                *ns += event.duration_ns;
                *count += 1;
            }
        }
        children
    }
}
