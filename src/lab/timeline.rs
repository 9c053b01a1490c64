//! Spans of a run as lanes of cells, ready to be drawn in any number of columns.
//!
//! Pure, and knows nothing of colours or characters. A column stands for an equal share of the run; a
//! lane's cell says how much of that share the lane was busy. The first use of a card is left out: it
//! takes longer than most programs and would flatten everything else into one column. Who waited for whom
//! is told in [`super::gaps`].

use crate::lab::units::duration;
use crate::protocol::{Lane, Span};

/// How many lines are named in a sentence.
const NAMED: usize = 3;

/// Columns between two ticks, at least.
const TICK_EVERY: u64 = 9;

/// A run, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The lanes that have spans, in the order of [`Lane::ALL`]; the host's is always there.
    pub lanes: Vec<LaneCells>,
    /// Labels of the time axis, by column.
    pub ticks: Vec<(usize, String)>,
    /// The lines that kept the device busy longest, longest first.
    pub busiest: Vec<At>,
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

/// Time that a line took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The line, from 1; 0 if there is none.
    pub line: u32,
    /// How long in all.
    pub ns: u64,
}

impl Timeline {
    /// The lines that kept the device busy longest, in a sentence; nothing if none did.
    pub fn busiest_in_words(&self) -> Option<String> {
        let lines: Vec<_> = self
            .busiest
            .iter()
            .filter(|it| it.line > 0)
            .map(|it| format!("line {} ({})", it.line, duration(it.ns)))
            .collect();
        (!lines.is_empty()).then(|| format!("most device time: {}", lines.join(", ")))
    }
}

/// Draws spans into `width` columns.
pub fn draw(spans: &[Span], width: usize) -> Timeline {
    let spans = without_first_use(spans);
    let total_ns = spans.iter().map(|it| it.end_ns).max().unwrap_or(0);
    let lanes = Lane::ALL
        .into_iter()
        .filter(|lane| *lane == Lane::Host || spans.iter().any(|it| it.lane == *lane))
        .map(|lane| lane_cells(lane, &spans, width, total_ns))
        .collect();
    Timeline {
        lanes,
        ticks: ticks(width, total_ns),
        busiest: longest(&spans, |it| it.lane != Lane::Host),
        total_ns,
    }
}

/// The spans as if the first use of a card had taken no time.
fn without_first_use(spans: &[Span]) -> Vec<Span> {
    let found = spans
        .iter()
        .find(|it| it.lane == Lane::Host && it.name == Span::FIRST_USE);
    let Some(first) = found else {
        return spans.to_vec();
    };
    let ns = first.end_ns.saturating_sub(first.start_ns);
    let moved = |at: u64| {
        if at >= first.end_ns {
            at - ns
        } else {
            at.min(first.start_ns)
        }
    };
    let others = spans.iter().filter(|it| *it != first);
    let spans = others.map(|it| Span {
        start_ns: moved(it.start_ns),
        end_ns: moved(it.end_ns),
        ..it.clone()
    });
    spans.collect()
}

fn lane_cells(lane: Lane, spans: &[Span], width: usize, total_ns: u64) -> LaneCells {
    let mut busy = vec![0_u64; width];
    let mut waiting = vec![0_u64; width];
    let mut busy_ns = 0_u64;
    for span in spans.iter().filter(|it| it.lane == lane) {
        let row = if span.name == Span::WAIT {
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

/// Labels at round times, the first at the start.
fn ticks(width: usize, total_ns: u64) -> Vec<(usize, String)> {
    let columns = u64::try_from(width).unwrap_or(u64::MAX).max(1);
    let step = round_up(u128::from(total_ns) * u128::from(TICK_EVERY) / u128::from(columns));
    let column = |ns: u128| ns * u128::from(columns) / u128::from(total_ns).max(1);
    (0..)
        .map(|tick: u128| tick * step)
        .map_while(|ns| {
            let label = duration(u64::try_from(ns).ok()?);
            let column = usize::try_from(column(ns)).ok()?;
            (column + label.chars().count() < width).then_some((column, label))
        })
        .collect()
}

/// The next 1, 2 or 5 with any number of noughts.
fn round_up(ns: u128) -> u128 {
    let mut ten = 1;
    loop {
        for step in [ten, 2 * ten, 5 * ten] {
            if step >= ns {
                return step;
            }
        }
        ten *= 10;
    }
}

/// Where some spans took longest, summed up by line.
fn longest(spans: &[Span], is_meant: impl Fn(&Span) -> bool) -> Vec<At> {
    let mut lines: Vec<At> = Vec::new();
    for span in spans.iter().filter(|it| is_meant(it)) {
        let line = span.line;
        let ns = span.end_ns.saturating_sub(span.start_ns);
        match lines.iter_mut().find(|it| it.line == line) {
            Some(known) => known.ns = known.ns.saturating_add(ns),
            None => lines.push(At { line, ns }),
        }
    }
    lines.retain(|it| it.ns > 0);
    lines.sort_by_key(|it| (std::cmp::Reverse(it.ns), it.line));
    lines.truncate(NAMED);
    lines
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
        text.extend(timeline.busiest_in_words());
        text
    }

    #[test]
    fn the_host_runs_ahead_and_then_blocks() {
        let spans = [
            span(Lane::Host, "matmul", 3, 0, 1_000),
            span(Lane::CopyToDevice, "to", 2, 0, 2_000),
            span(Lane::Kernel, "matmul", 3, 2_000, 19_000),
            span(Lane::Host, Span::WAIT, 7, 1_500, 19_500),
            span(Lane::CopyToHost, "item", 7, 19_000, 20_000),
        ];
        insta::assert_snapshot!(picture(&spans, 20), @r"
        host           #wwwwwwwwwwwwwwwwwww 1.00 µs
        kernel         ..#################. 17.0 µs
        copy to device ##.................. 2.00 µs
        copy to host   ...................# 1.00 µs
        most device time: line 3 (17.0 µs), line 2 (2.00 µs), line 7 (1.00 µs)
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
        most device time: line 1 (1 ns)
        ");
    }

    #[test]
    fn the_first_use_of_a_card_is_not_drawn() {
        let spans = [
            span(Lane::Host, "ones", 1, 0, 4_000),
            span(Lane::Host, Span::FIRST_USE, 2, 4_000, 250_004_000),
            span(Lane::Host, "to", 2, 250_004_000, 250_008_000),
            span(Lane::CopyToDevice, "to", 2, 250_006_000, 250_010_000),
        ];
        insta::assert_snapshot!(picture(&spans, 20), @r"
        host           ################.... 8.00 µs
        copy to device ............######## 4.00 µs
        most device time: line 2 (4.00 µs)
        ");
    }

    #[test]
    fn ticks_label_the_axis() {
        let spans = [span(Lane::Host, "x", 1, 0, 40_000_000)];
        assert_eq!(
            draw(&spans, 40).ticks,
            [
                (0, "0 ns".to_owned()),
                (10, "10.0 ms".to_owned()),
                (20, "20.0 ms".to_owned()),
                (30, "30.0 ms".to_owned())
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
