//! What the host did while a device waited for a late launch: the recorded function in which most of that time went.
//!
//! Only what ends before the launch, or is an operator that begins in the gap, says something: a function around all of it, such as
//! the program's own, does not.

use crate::event::{Event, EventKind};
use crate::index::TraceIndex;
use crate::intervals::Interval;
use crate::names::NameId;
use crate::source_lines;
use crate::step_window;

/// In shorter gaps the host only launches.
const SHORTEST_NS: i64 = 100_000;

/// PyTorch's own loader says nothing of what it loads.
const LOADER: &str = "torch/utils/data/";

/// The name of the function on the launching thread that takes at least half of a gap, the innermost of them, and its time there.
pub(super) fn of(index: &TraceIndex<'_>, gap: Interval, launch: usize) -> Option<(NameId, i64)> {
    if gap.length() < SHORTEST_NS {
        return None;
    }
    let launched = index.event(launch)?;
    let late = Interval {
        end_ns: launched.start_ns.min(gap.end_ns),
        ..gap
    };
    let thread = index.trace.lanes.get(launched.lane.index())?;
    let events = index.trace.events_of(thread);
    let first = events.partition_point(|it| it.start_ns < late.start_ns);
    let takes_most = |it: &Event| time_in(late, it) * 2 >= late.length();
    let in_gap = events.get(first..)?.iter();
    let in_gap = in_gap.take_while(|it| it.start_ns < late.end_ns);
    let inner = in_gap.filter(|it| says_something(index, late, it) && takes_most(it));
    // What contains another is before it.
    let found = inner.last().or_else(|| {
        let before = thread.events.start + first.checked_sub(1)?;
        let around = std::iter::once(before).chain(index.nest.ancestors(before));
        let mut around = around.filter_map(|it| index.event(it));
        around.find(|it| says_something(index, late, it) && takes_most(it))
    });
    found.map(|it| (it.name, time_in(late, it)))
}

fn time_in(late: Interval, event: &Event) -> i64 {
    late.with(crate::index::interval(event)).length()
}

fn says_something(index: &TraceIndex<'_>, late: Interval, event: &Event) -> bool {
    let ends = event.end_ns() <= late.end_ns;
    let name = index.trace.name(event.name);
    match event.kind {
        EventKind::Python => {
            ends && source_lines::function(name).is_some() && !name.starts_with(LOADER)
        }
        EventKind::Annotation => ends && !step_window::is_mark_of_loop(name),
        EventKind::Operator => {
            (ends || event.start_ns >= late.start_ns) && !step_window::is_mark_of_loop(name)
        }
        EventKind::Runtime => true,
        EventKind::Kernel
        | EventKind::Copy
        | EventKind::Fill
        | EventKind::Sync
        | EventKind::DeviceAnnotation
        | EventKind::Memory
        | EventKind::Overhead
        | EventKind::Other => false,
    }
}
