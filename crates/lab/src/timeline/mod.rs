//! Spans of a run as lanes of cells, ready to be drawn in any number of columns.
//!
//! Pure, and knows nothing of colours or characters. A column stands for an equal share of the run; a
//! lane's cell says how much of that share the lane was busy. The first use of a card is left out: it
//! takes longer than most programs and would flatten everything else into one column. [`super::waits`]
//! describes who waited for whom.

mod lane_cell;
mod lane_labels;
mod window;

use crate::units::duration;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use warpup_protocol::{Lane, Span};

pub use lane_cell::{LaneCell, Load};
pub use lane_labels::ColumnLines;
pub use window::{Window, Zoom};

/// How many lines are named in a sentence.
const NAMED: usize = 3;

/// Columns between two ticks, at least.
const TICK_EVERY: u128 = 9;

/// A run, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The lanes that have spans, in the order of [`Lane`]; the host's is always there.
    pub lanes: Vec<LaneCells>,
    /// Labels of the time axis, by column.
    pub ticks: Vec<(usize, String)>,
    /// The lines that kept the device busy longest, in a sentence; nothing if none did.
    pub busiest: Option<String>,
}

/// One lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneCells {
    /// Which.
    pub lane: Lane,
    /// One for each column.
    pub cells: Vec<LaneCell>,
    /// The lines of the program that its cells belong to.
    pub lines: ColumnLines,
    /// The time the lane was busy within the window, waiting left out.
    pub busy_ns: u64,
    /// The time it waited.
    pub waited_ns: u64,
    /// On the host: the time between its calls, in which Python itself runs.
    pub python_ns: u64,
}

/// The end of a run's spans, as the timeline counts time.
pub fn total_ns(spans: &[Span]) -> u64 {
    let first = first_use(spans);
    let others = spans.iter().filter(|it| !it.is_of_first_use());
    let ends = others.map(|it| without(&first, it.end_ns));
    ends.max().unwrap_or(0)
}

/// The timeline's clock: a time of the run as if the first use of a card had taken none.
pub fn clock(spans: &[Span]) -> impl Fn(u64) -> u64 {
    let first = first_use(spans);
    move |at| without(&first, at)
}

/// Draws a part of a run into `width` columns; all of it if there is no window.
pub fn draw(spans: &[Span], window: Option<Window>, width: usize) -> Timeline {
    let spans = without_first_use(spans);
    let total_ns = end_of(&spans);
    let visible = window.map(|it| within(&spans, it));
    let visible = visible.as_deref().unwrap_or(&spans);
    let length_ns = window.map_or(total_ns, Window::ns);
    let lanes: BTreeSet<Lane> = spans.iter().map(|it| it.lane).chain([Lane::Host]).collect();
    let lanes = lanes
        .into_iter()
        .map(|lane| lane_cells(lane, visible, width, length_ns))
        .map(|cells| {
            if cells.lane == Lane::Host {
                with_python(cells, until_last_call(&spans, window), length_ns)
            } else {
                cells
            }
        })
        .collect();
    Timeline {
        lanes,
        ticks: ticks(width, window, length_ns),
        busiest: busiest(&spans),
    }
}

fn end_of(spans: &[Span]) -> u64 {
    spans.iter().map(|it| it.end_ns).max().unwrap_or(0)
}

/// The parts of spans within a window, in time from its start.
fn within(spans: &[Span], window: Window) -> Vec<Span> {
    let inside = spans
        .iter()
        .filter(|it| it.start_ns < window.end_ns && it.end_ns > window.start_ns);
    let moved = |at: u64| at.clamp(window.start_ns, window.end_ns) - window.start_ns;
    let parts = inside.map(|it| Span {
        start_ns: moved(it.start_ns),
        end_ns: moved(it.end_ns),
        ..it.clone()
    });
    parts.collect()
}

/// The spans as if the first use of a card had taken no time.
fn without_first_use(spans: &[Span]) -> Vec<Span> {
    let first = first_use(spans);
    let others = spans.iter().filter(|it| !it.is_of_first_use());
    let spans = others.map(|it| Span {
        start_ns: without(&first, it.start_ns),
        end_ns: without(&first, it.end_ns),
        ..it.clone()
    });
    spans.collect()
}

/// The creation of the context and the starts of libraries.
fn first_use(spans: &[Span]) -> Vec<&Span> {
    spans.iter().filter(|it| it.is_of_first_use()).collect()
}

/// A time as if the first use of a card had taken none.
fn without(first: &[&Span], at: u64) -> u64 {
    let before = |it: &&Span| it.end_ns.min(at).saturating_sub(it.start_ns);
    at.saturating_sub(first.iter().map(before).sum())
}

/// From the start of the window to the end of the host's last call.
fn until_last_call(spans: &[Span], window: Option<Window>) -> u64 {
    let calls = spans.iter().filter(|it| it.lane == Lane::Host);
    let end_ns = calls.map(|it| it.end_ns).max().unwrap_or(0);
    end_ns.saturating_sub(window.map_or(0, |it| it.start_ns))
}

/// The host's lane: before its last call it is never idle, since between two calls Python itself runs.
fn with_python(mut host: LaneCells, until_ns: u64, length_ns: u64) -> LaneCells {
    let columns = u128::try_from(host.cells.len()).unwrap_or(0);
    let until = u128::from(until_ns) * columns / u128::from(length_ns).max(1);
    let until = usize::try_from(until).unwrap_or(usize::MAX);
    for cell in host.cells.iter_mut().take(until) {
        if *cell == LaneCell::Idle {
            *cell = LaneCell::Python;
        }
    }
    let called_ns = host.busy_ns.saturating_add(host.waited_ns);
    host.python_ns = until_ns.min(length_ns).saturating_sub(called_ns);
    host
}

fn lane_cells(lane: Lane, spans: &[Span], width: usize, total_ns: u64) -> LaneCells {
    let mut busy = vec![0_u64; width];
    let mut waiting = vec![0_u64; width];
    let mut lines = ColumnLines::new(width);
    let mut busy_ns = 0_u64;
    let mut waited_ns = 0_u64;
    for span in spans.iter().filter(|it| it.lane == lane) {
        let (row, sum) = if span.name == Span::WAIT {
            (&mut waiting, &mut waited_ns)
        } else {
            (&mut busy, &mut busy_ns)
        };
        *sum = sum.saturating_add(span.end_ns.saturating_sub(span.start_ns));
        share_out(span, row, &mut lines, total_ns);
    }
    let column_ns = total_ns / u64::try_from(width.max(1)).unwrap_or(1);
    let cells = busy
        .into_iter()
        .zip(waiting)
        .map(|(busy, waiting)| LaneCell::of(busy, waiting, column_ns))
        .collect();
    LaneCells {
        lane,
        cells,
        lines,
        busy_ns,
        waited_ns,
        python_ns: 0,
    }
}

/// Adds a span's time to the columns it lies in. Even the shortest span leaves a mark.
fn share_out(span: &Span, row: &mut [u64], lines: &mut ColumnLines, total_ns: u64) {
    let columns = u128::try_from(row.len()).unwrap_or(0);
    let total = u128::from(total_ns).max(1);
    let edge = |column: u128| u64::try_from(column * total / columns.max(1)).unwrap_or(u64::MAX);
    let column_of = |ns: u64| usize::try_from(u128::from(ns) * columns / total).unwrap_or(0);
    let last = row.len().saturating_sub(1);
    let first = column_of(span.start_ns).min(last);
    let until = column_of(span.end_ns.saturating_sub(1)).clamp(first, last);
    for (column, cell) in row.iter_mut().enumerate().take(until + 1).skip(first) {
        let at = u128::try_from(column).unwrap_or(0);
        let start = span.start_ns.max(edge(at));
        let end = span.end_ns.min(edge(at + 1));
        let ns = end.saturating_sub(start).max(1);
        *cell = cell.saturating_add(ns);
        lines.add(column, span, ns);
    }
}

/// Labels at round times, the first at the start, as close as they have room. In a window the others say how much later they
/// are: three digits of a time within a long run would all be the same.
pub fn ticks(width: usize, window: Option<Window>, total_ns: u64) -> Vec<(usize, String)> {
    let columns = u64::try_from(width).unwrap_or(u64::MAX).max(1);
    let least = (u128::from(total_ns) * TICK_EVERY).div_ceil(u128::from(columns));
    let mut steps = (0..).flat_map(|it| [1, 2, 5].map(|digit| digit * 10_u128.pow(it)));
    let mut step = || steps.find(|it| *it >= least).unwrap_or(least);
    loop {
        let ticks = ticks_every(step(), width, window, total_ns);
        let ends = ticks.iter().map(|(at, label)| at + label.chars().count());
        let starts = ticks.iter().skip(1).map(|it| it.0);
        if ends.zip(starts).all(|(end, start)| end < start) {
            return ticks;
        }
    }
}

/// The labels at the multiples of a time.
fn ticks_every(
    step: u128,
    width: usize,
    window: Option<Window>,
    total_ns: u64,
) -> Vec<(usize, String)> {
    let columns = u128::try_from(width).unwrap_or(u128::MAX).max(1);
    let column = |ns: u128| ns * columns / u128::from(total_ns).max(1);
    (0..)
        .map(|tick: u128| tick * step)
        .map_while(|ns| {
            let ns_from_start = u64::try_from(ns).ok()?;
            let label = match (window, ns_from_start) {
                (None, ns) => duration(ns),
                (Some(window), 0) => format!("at {}", duration(window.start_ns)),
                (Some(_), ns) => format!("+{}", duration(ns)),
            };
            let column = usize::try_from(column(ns)).ok()?;
            (column + label.chars().count() <= width).then_some((column, label))
        })
        .collect()
}

/// The lines that kept the device busy longest, longest first, in a sentence.
fn busiest(spans: &[Span]) -> Option<String> {
    let mut lines = BTreeMap::<u32, u64>::new();
    for span in spans.iter().filter(|it| it.lane.is_device()) {
        let ns = lines.entry(span.line).or_default();
        *ns = ns.saturating_add(span.end_ns.saturating_sub(span.start_ns));
    }
    let mut lines: Vec<_> = lines.into_iter().filter(|(_, ns)| *ns > 0).collect();
    lines.sort_by_key(|(_, ns)| Reverse(*ns));
    // Work that no line asked for is not named, but may be among the longest.
    let named = lines.iter().take(NAMED).filter(|(line, _)| *line > 0);
    let named: Vec<_> = named
        .map(|(line, ns)| format!("line {line} ({})", duration(*ns)))
        .collect();
    (!named.is_empty()).then(|| format!("most device time: {}", named.join(", ")))
}

#[cfg(test)]
mod tests;
