//! Spans of a run as lanes of cells, ready to be drawn in any number of columns.
//!
//! Pure, and knows nothing of colours or characters. A column stands for an equal share of the run; a
//! lane's cell says how much of that share the lane was busy.

use crate::lab::units::duration;
use crate::protocol::{Lane, Span};

/// The name that a host span has while the host waits for the device.
pub const WAIT: &str = "wait";

/// How many gaps are named.
const NAMED_GAPS: usize = 3;

/// Columns between two ticks.
const TICK_EVERY: usize = 16;

/// A run, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The lanes that have spans, in the order of [`Lane::ALL`]; the host's is always there.
    pub lanes: Vec<LaneCells>,
    /// Labels of the time axis, by column.
    pub ticks: Vec<(usize, String)>,
    /// The longest waits of the host, longest first.
    pub gaps: Vec<Gap>,
    /// What all columns stand for, in nanoseconds.
    pub total_ns: u64,
}

/// One lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneCells {
    /// Which.
    pub lane: Lane,
    /// One for each column.
    pub cells: Vec<Cell>,
    /// The time the lane was busy, waiting left out.
    pub busy_ns: u64,
}

/// What a lane did in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Idle,
    /// Something, for less than half of the time.
    Some,
    /// Something, for at least half of the time.
    Busy,
    /// It waited for most of the time that it was not idle.
    Waiting,
}

/// A time in which the host waited for the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The line that waited; 0 if there is none.
    pub line: u32,
    /// How long in all.
    pub ns: u64,
}

impl Gap {
    /// The gap as a sentence.
    pub fn sentence(self) -> String {
        let time = duration(self.ns);
        match self.line {
            0 => format!("the host waited {time} for the device"),
            line => format!("the host waited {time} for the device on line {line}"),
        }
    }
}

/// Draws spans into `width` columns.
pub fn draw(spans: &[Span], width: usize) -> Timeline {
    let total_ns = spans.iter().map(|it| it.end_ns).max().unwrap_or(0);
    let lanes = Lane::ALL
        .into_iter()
        .filter(|lane| *lane == Lane::Host || spans.iter().any(|it| it.lane == *lane))
        .map(|lane| lane_cells(lane, spans, width, total_ns))
        .collect();
    Timeline {
        lanes,
        ticks: ticks(width, total_ns),
        gaps: gaps(spans),
        total_ns,
    }
}

fn lane_cells(lane: Lane, spans: &[Span], width: usize, total_ns: u64) -> LaneCells {
    let mut busy = vec![0_u64; width];
    let mut waiting = vec![0_u64; width];
    let mut busy_ns = 0_u64;
    for span in spans.iter().filter(|it| it.lane == lane) {
        let row = if span.name == WAIT {
            &mut waiting
        } else {
            busy_ns = busy_ns.saturating_add(span.end_ns.saturating_sub(span.start_ns));
            &mut busy
        };
        share_out(span, row, total_ns);
    }
    let column_ns = total_ns / u64::try_from(width.max(1)).unwrap_or(1);
    let cells = busy
        .into_iter()
        .zip(waiting)
        .map(|(busy, waiting)| {
            if busy == 0 && waiting == 0 {
                Cell::Idle
            } else if waiting > busy {
                Cell::Waiting
            } else if busy.saturating_mul(2) >= column_ns {
                Cell::Busy
            } else {
                Cell::Some
            }
        })
        .collect();
    LaneCells {
        lane,
        cells,
        busy_ns,
    }
}

/// Adds a span's time to the columns it lies in. Even the shortest span leaves a mark.
fn share_out(span: &Span, row: &mut [u64], total_ns: u64) {
    let columns = u128::try_from(row.len()).unwrap_or(0);
    let total = u128::from(total_ns).max(1);
    let edge = |column: u128| u64::try_from(column * total / columns.max(1)).unwrap_or(u64::MAX);
    let column_of = |ns: u64| usize::try_from(u128::from(ns) * columns / total).unwrap_or(0);
    let last = row.len().saturating_sub(1);
    let first = column_of(span.start_ns).min(last);
    let until = column_of(span.end_ns.saturating_sub(1)).clamp(first, last);
    for (at, cell) in row.iter_mut().enumerate().take(until + 1).skip(first) {
        let at = u128::try_from(at).unwrap_or(0);
        let start = span.start_ns.max(edge(at));
        let end = span.end_ns.min(edge(at + 1));
        *cell = cell.saturating_add(end.saturating_sub(start).max(1));
    }
}

/// Labels at equal distances, the first at the start.
fn ticks(width: usize, total_ns: u64) -> Vec<(usize, String)> {
    let at_column = |column: usize| {
        let ns = u128::from(total_ns) * u128::try_from(column).unwrap_or(0);
        u64::try_from(ns / u128::try_from(width.max(1)).unwrap_or(1)).unwrap_or(u64::MAX)
    };
    (0..width)
        .step_by(TICK_EVERY)
        .filter(|column| column + 6 <= width)
        .map(|column| (column, duration(at_column(column))))
        .collect()
}

/// The longest waits, summed up by line.
fn gaps(spans: &[Span]) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    let waits = spans
        .iter()
        .filter(|it| it.lane == Lane::Host && it.name == WAIT && it.end_ns > it.start_ns);
    for span in waits {
        let ns = span.end_ns - span.start_ns;
        match gaps.iter_mut().find(|it| it.line == span.line) {
            Some(known) => known.ns = known.ns.saturating_add(ns),
            None => gaps.push(Gap {
                line: span.line,
                ns,
            }),
        }
    }
    gaps.sort_by_key(|it| (std::cmp::Reverse(it.ns), it.line));
    gaps.truncate(NAMED_GAPS);
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(lane: Lane, name: &str, at_line: u32, start_ns: u64, end_ns: u64) -> Span {
        Span {
            lane,
            name: name.to_owned(),
            line: at_line,
            start_ns,
            end_ns,
            bytes: 0,
            flops: 0,
        }
    }

    fn picture(spans: &[Span], width: usize) -> String {
        let timeline = draw(spans, width);
        let mut text = String::new();
        for lane in &timeline.lanes {
            let cells = lane.cells.iter().map(|it| match it {
                Cell::Idle => '.',
                Cell::Some => '+',
                Cell::Busy => '#',
                Cell::Waiting => 'w',
            });
            let cells: String = cells.collect();
            let (word, busy) = (lane.lane.word(), duration(lane.busy_ns));
            text.extend([
                format!("{word:<14} "),
                cells,
                " ".to_owned(),
                busy,
                "\n".to_owned(),
            ]);
        }
        for gap in &timeline.gaps {
            text.push_str(&gap.sentence());
            text.push('\n');
        }
        text
    }

    #[test]
    fn the_host_runs_ahead_and_then_blocks() {
        let spans = [
            span(Lane::Host, "matmul", 3, 0, 1_000),
            span(Lane::CopyToDevice, "to", 2, 0, 2_000),
            span(Lane::Kernel, "matmul", 3, 2_000, 19_000),
            span(Lane::Host, WAIT, 7, 1_500, 19_500),
            span(Lane::CopyToHost, "item", 7, 19_000, 20_000),
        ];
        insta::assert_snapshot!(picture(&spans, 20), @r"
        host           #wwwwwwwwwwwwwwwwwww 1.00 µs
        kernel         ..#################. 17.0 µs
        copy to device ##.................. 2.00 µs
        copy to host   ...................# 1.00 µs
        the host waited 18.0 µs for the device on line 7
        ");
    }

    #[test]
    fn the_shortest_span_leaves_a_mark() {
        let spans = [
            span(Lane::Kernel, "relu", 1, 500_000, 500_001),
            span(Lane::Host, "relu", 1, 0, 1_000_000),
        ];
        insta::assert_snapshot!(picture(&spans, 10), @r"
        host           ########## 1.00 ms
        kernel         .....+.... 1 ns
        ");
    }

    #[test]
    fn ticks_label_the_axis() {
        let spans = [span(Lane::Host, "x", 1, 0, 40_000_000)];
        assert_eq!(
            draw(&spans, 40).ticks,
            [
                (0, "0 ns".to_owned()),
                (16, "16.0 ms".to_owned()),
                (32, "32.0 ms".to_owned())
            ]
        );
    }

    proptest! {
        #[test]
        fn any_spans_fit_any_width(
            times in proptest::collection::vec((any::<u64>(), any::<u64>(), 0usize..4), 0..20),
            width in 0usize..200,
        ) {
            let spans: Vec<_> = times
                .iter()
                .filter_map(|(start, end, lane)| Some(span(*Lane::ALL.get(*lane)?, "x", 1, *start, *end)))
                .collect();
            for lane in draw(&spans, width).lanes {
                prop_assert_eq!(lane.cells.len(), width);
            }
        }
    }
}
