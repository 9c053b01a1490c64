//! The lanes of a trace as cells, ready to be drawn in any number of columns.
//!
//! Knows nothing of colours or characters. A column stands for an equal share of the window; a cell says how much of that share
//! the lane was busy.

use super::analysis::Step;
use super::event::{Event, EventKind, LaneId};
use super::trace::{LaneKind, Trace};
use std::cmp::Reverse;
use warpup_lab::timeline::{LaneCell, Window};

/// Lanes of each kind: more are threads and streams that did little.
const MOST: usize = 8;

/// A row of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// Its name for people.
    pub name: String,
    /// What is in it.
    pub what: RowContent,
    /// One for each column. On the row of the steps, one begins where it says waiting.
    pub cells: Vec<LaneCell>,
    /// For how long it was busy in the window, waiting left out.
    pub busy_ns: u64,
}

/// What is in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowContent {
    /// Operators and calls of a host thread.
    Host,
    /// Kernels of a stream.
    Kernels,
    /// Copies and fills of a stream.
    Copies,
    /// The steps of the training loop.
    Steps,
}

/// A stretch of time on a row.
#[derive(Clone, Copy)]
struct TimeSpan {
    start_ns: u64,
    end_ns: u64,
    is_wait: bool,
}

/// The rows of a part of a trace: steps, host threads, streams; of each kind the busiest first.
pub fn draw(trace: &Trace, steps: &[Step], window: Window, width: usize) -> Vec<TimelineRow> {
    let mut rows = Vec::new();
    let steps: Vec<_> = steps.iter().map(of_step).collect();
    if !steps.is_empty() {
        rows.push(TimelineRow {
            name: "steps".to_owned(),
            what: RowContent::Steps,
            cells: beginnings(&steps, window, width),
            busy_ns: 0,
        });
    }
    let is_alone = has_one_device(trace);
    // A call of the host that waits for a device has a name that says so.
    let are_waits = trace.names.that(|it| it.contains("Synchronize"));
    for kind in [LaneKind::Host, LaneKind::Stream] {
        let mut of_kind = Vec::new();
        for (id, _, events) in trace.lanes_of(kind) {
            let name = name(trace, id, is_alone);
            for what in contents(kind) {
                if !events.iter().any(|it| what.has(it.kind)) {
                    continue;
                }
                let name = match what {
                    RowContent::Kernels => format!("kernels, {name}"),
                    RowContent::Copies => format!("copies, {name}"),
                    RowContent::Host | RowContent::Steps => name.clone(),
                };
                let begun = events.partition_point(|it| at(it.start_ns) < window.end_ns);
                let events = events.get(..begun).unwrap_or_default().iter();
                let meant = events
                    .filter(|it| what.has(it.kind) && at(it.end_ns()) > window.start_ns)
                    .map(|it| {
                        let is_wait = it.kind == EventKind::Runtime && are_waits.has(it.name);
                        stretch(it, is_wait)
                    });
                of_kind.push(row(name, *what, meant, window, width));
            }
        }
        of_kind.sort_by_key(|it| Reverse(it.busy_ns));
        of_kind.truncate(MOST);
        rows.extend(of_kind);
    }
    rows
}

/// The names of all rows that a trace can have.
pub fn names(trace: &Trace) -> Vec<String> {
    let is_alone = has_one_device(trace);
    let host = trace.lanes_of(LaneKind::Host);
    let host = host.map(|(id, ..)| name(trace, id, is_alone));
    let streams = trace.lanes_of(LaneKind::Stream);
    let streams = streams.map(|(id, ..)| format!("kernels, {}", name(trace, id, is_alone)));
    host.chain(streams).collect()
}

/// Whether all streams are on one device, so that their names need not say which.
fn has_one_device(trace: &Trace) -> bool {
    let mut streams = trace.lanes.iter().filter(|it| it.kind == LaneKind::Stream);
    let first = streams.next().map(|it| &it.process);
    streams.all(|it| Some(&it.process) == first)
}

/// A lane's name, as short as it is clear.
fn name(trace: &Trace, id: LaneId, has_one_device: bool) -> String {
    match trace.lanes.get(id.index()) {
        Some(lane) if lane.kind == LaneKind::Stream && has_one_device => {
            format!("stream {}", lane.thread)
        }
        Some(_) | None => trace.lane_name(id),
    }
}

/// The rows of a lane.
fn contents(kind: LaneKind) -> &'static [RowContent] {
    match kind {
        LaneKind::Host => &[RowContent::Host],
        LaneKind::Stream => &[RowContent::Kernels, RowContent::Copies],
        LaneKind::Other => &[],
    }
}

impl RowContent {
    /// Whether events of a kind are in the row.
    fn has(self, kind: EventKind) -> bool {
        match self {
            Self::Host => matches!(kind, EventKind::Operator | EventKind::Runtime),
            Self::Kernels => kind == EventKind::Kernel,
            Self::Copies => matches!(kind, EventKind::Copy | EventKind::Fill),
            Self::Steps => false,
        }
    }
}

fn of_step(step: &Step) -> TimeSpan {
    let start_ns = u64::try_from(step.start_ns).unwrap_or(0);
    TimeSpan {
        start_ns,
        end_ns: start_ns.saturating_add(u64::try_from(step.duration_ns).unwrap_or(0)),
        is_wait: false,
    }
}

fn at(ns: i64) -> u64 {
    u64::try_from(ns).unwrap_or(0)
}

fn stretch(event: &Event, is_wait: bool) -> TimeSpan {
    TimeSpan {
        start_ns: at(event.start_ns),
        end_ns: at(event.end_ns()),
        is_wait,
    }
}

fn row(
    name: String,
    what: RowContent,
    stretches: impl Iterator<Item = TimeSpan>,
    window: Window,
    width: usize,
) -> TimelineRow {
    let mut busy = BusyShare::new(window, width);
    let mut waiting = BusyShare::new(window, width);
    for it in stretches {
        busy.add(it);
        if it.is_wait {
            waiting.add(it);
        }
    }
    let column = (window.ns() / width.max(1) as u64).max(1);
    let cells = busy.columns.iter().zip(&waiting.columns);
    let cells =
        cells.map(|(all, waiting)| LaneCell::of(all.saturating_sub(*waiting), *waiting, column));
    TimelineRow {
        name,
        what,
        cells: cells.collect(),
        busy_ns: busy.sum.saturating_sub(waiting.sum),
    }
}

/// Marks the columns in which a step begins.
fn beginnings(steps: &[TimeSpan], window: Window, width: usize) -> Vec<LaneCell> {
    let mut cells = vec![LaneCell::Idle; width];
    let per_column = (window.ns() / width.max(1) as u64).max(1);
    for step in steps {
        let from = step.start_ns.max(window.start_ns);
        let to = step.end_ns.min(window.end_ns);
        if from >= to {
            continue;
        }
        let column = |at: u64| usize::try_from((at - window.start_ns) / per_column).unwrap_or(0);
        for (at, cell) in cells.iter_mut().enumerate() {
            if at == column(from) && step.start_ns >= window.start_ns {
                *cell = LaneCell::StepBegin;
            } else if at >= column(from) && at < column(to) && *cell == LaneCell::Idle {
                *cell = LaneCell::Step;
            }
        }
    }
    cells
}

/// Busy time by column. Stretches inside others, as calls are inside operators, count once.
struct BusyShare {
    window: Window,
    per_column: u64,
    columns: Vec<u64>,
    until_ns: u64,
    sum: u64,
}

impl BusyShare {
    fn new(window: Window, width: usize) -> Self {
        Self {
            window,
            per_column: window.ns().div_ceil(width.max(1) as u64).max(1),
            columns: vec![0; width],
            until_ns: 0,
            sum: 0,
        }
    }

    /// Adds a stretch; they come by their beginning.
    fn add(&mut self, it: TimeSpan) {
        let from = it.start_ns.max(self.until_ns).max(self.window.start_ns);
        let to = it.end_ns.min(self.window.end_ns);
        self.until_ns = self.until_ns.max(it.end_ns);
        if from >= to {
            return;
        }
        self.sum += to - from;
        let mut at = from;
        while at < to {
            let column = (at - self.window.start_ns) / self.per_column;
            let end = (self.window.start_ns + (column + 1) * self.per_column).min(to);
            let place = usize::try_from(column).unwrap_or(usize::MAX);
            if let Some(busy) = self.columns.get_mut(place) {
                *busy += end - at;
            }
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analysis;
    use crate::load;
    use warpup_lab::timeline::Load;

    const TEXT: &str = r#"{"traceEvents": [
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":20},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":10,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":1,"tid":1,"ts":30,"dur":60,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":20,"dur":70,"args":{"stream":7,"device":0,"correlation":1}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":7,"ts":90,"dur":4,"args":{"stream":7,"device":0,"correlation":3,"bytes":64}}
]}"#;

    fn drawn(window: Option<(u64, u64)>, width: usize) -> String {
        let trace = load::text("t.json", TEXT.as_bytes()).unwrap();
        let whole = Window::whole(u64::try_from(trace.end_ns()).unwrap());
        let window = window.map_or(whole, |(start_ns, end_ns)| Window { start_ns, end_ns });
        let analysis = Analysis::of(&trace);
        let rows = draw(&trace, &analysis.steps, window, width)
            .into_iter()
            .map(|it| {
                let cells = it.cells.iter().map(|it| match it {
                    LaneCell::Idle => '.',
                    LaneCell::Python
                    | LaneCell::Step
                    | LaneCell::Busy(Load::Quarter | Load::Half) => '-',
                    LaneCell::Busy(Load::ThreeQuarters | Load::Full) => '#',
                    LaneCell::Waiting => 'w',
                    LaneCell::StepBegin => '|',
                });
                let cells: String = cells.collect();
                format!("{:<26}{cells} {}", it.name, it.busy_ns)
            });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn each_lane_is_a_row_and_a_wait_is_not_work() {
        insta::assert_snapshot!(drawn(None, 20), @"
        steps                     |------------------- 0
        thread 1                  ####..wwwwwwwwwwww.. 20000
        kernels, stream 7         ....##############.. 70000
        copies, stream 7          ..................#. 4000
        ");
    }

    #[test]
    fn a_part_has_its_own_times() {
        insta::assert_snapshot!(drawn(Some((20_000, 40_000)), 10), @"
        steps                     ---------- 0
        thread 1                  .....wwwww 0
        kernels, stream 7         ########## 20000
        copies, stream 7          .......... 0
        ");
    }
}
