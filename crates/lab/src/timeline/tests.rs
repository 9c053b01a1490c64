//! Spans in, lanes of cells out.

use super::*;
use proptest::prelude::*;
use warpup_protocol::WaitCause;

fn span(lane: Lane, name: &str, at_line: u32, start_ns: u64, end_ns: u64) -> Span {
    Span {
        lane,
        name: name.to_owned(),
        line: at_line,
        start_ns,
        end_ns,
        bytes: 0,
        flops: 0,
        cause: WaitCause::Unknown,
    }
}

fn picture(spans: &[Span], width: usize) -> String {
    let timeline = draw(spans, None, width);
    let mut text = String::new();
    for lane in &timeline.lanes {
        let cells = lane.cells.iter().map(|it| match it {
            LaneCell::Idle => '.',
            LaneCell::Python | LaneCell::Step => '-',
            LaneCell::Busy(Load::Quarter) => '_',
            LaneCell::Busy(Load::Half) => '=',
            LaneCell::Busy(Load::ThreeQuarters) => '+',
            LaneCell::Busy(Load::Full) => '#',
            LaneCell::Waiting => 'w',
            LaneCell::StepBegin => '|',
        });
        let cells: String = cells.collect();
        let word = lane.lane.word();
        let busy = match lane.waited_ns {
            0 => duration(lane.busy_ns),
            ns => format!("{}, waited {}", duration(lane.busy_ns), duration(ns)),
        };
        text.extend([
            format!("{word:<14} "),
            cells,
            " ".to_owned(),
            busy,
            "\n".to_owned(),
        ]);
    }
    text.extend(timeline.busiest);
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
    host           #wwwwwwwwwwwwwwwwwww 1.00 µs, waited 18.0 µs
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
    insta::assert_snapshot!(picture(&spans, 10), @"
    host           ########## 1.00 ms
    kernel         ....._.... 1 ns
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
    assert_eq!(total_ns(&spans), 10_000);
}

#[test]
fn the_start_of_a_library_is_not_drawn() {
    let spans = [
        span(Lane::Host, Span::FIRST_USE, 1, 0, 250_000_000),
        span(Lane::Host, "to", 1, 250_000_000, 250_004_000),
        span(Lane::Host, Span::CUBLAS, 2, 250_004_000, 366_004_000),
        span(Lane::Host, "queue", 2, 366_004_000, 366_008_000),
        span(Lane::Kernel, "mm", 2, 366_006_000, 366_010_000),
    ];
    insta::assert_snapshot!(picture(&spans, 20), @r"
    host           ################.... 8.00 µs
    kernel         ............######## 4.00 µs
    most device time: line 2 (4.00 µs)
    ");
    assert_eq!(total_ns(&spans), 10_000);
}

#[test]
fn ticks_label_the_axis() {
    let spans = [span(Lane::Host, "x", 1, 0, 40_000_000)];
    assert_eq!(
        draw(&spans, None, 40).ticks,
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
            .filter_map(|(start, end, lane)| Some(span(*Lane::OF_A_CARD.get(*lane)?, "x", 1, *start, *end)))
            .collect();
        for lane in draw(&spans, None, width).lanes {
            prop_assert_eq!(lane.cells.len(), width);
        }
    }
}

#[test]
fn workers_and_pinning_have_lanes_of_the_host() {
    let spans = [
        span(Lane::Worker(1), Span::BATCH, 3, 1_000, 9_000),
        span(Lane::Worker(0), Span::BATCH, 3, 0, 8_000),
        span(Lane::Host, Span::WAIT, 3, 0, 9_000),
        span(Lane::Pinning, Span::PIN, 3, 8_000, 9_000),
        span(Lane::Kernel, "matmul", 4, 9_000, 10_000),
    ];
    insta::assert_snapshot!(picture(&spans, 10), @r"
    host           wwwwwwwww. 0 ns, waited 9.00 µs
    kernel         .........# 1.00 µs
    pinning        ........#. 1.00 µs
    worker 0       ########.. 8.00 µs
    worker 1       .########. 8.00 µs
    most device time: line 4 (1.00 µs)
    ");
}

#[test]
fn a_window_shows_its_part_and_says_where_it_is() {
    let spans = [
        span(Lane::Host, "queue", 3, 0, 1_000),
        span(Lane::Kernel, "matmul", 3, 2_000, 19_000),
        span(Lane::Host, Span::WAIT, 7, 1_500, 19_500),
        span(Lane::CopyToHost, "item", 7, 19_000, 20_000),
    ];
    let window = Window {
        start_ns: 18_000,
        end_ns: 20_000,
    };
    let drawn = draw(&spans, Some(window), 40);
    let lanes: Vec<String> = drawn
        .lanes
        .iter()
        .map(|it| {
            format!(
                "{} {} {:?}",
                it.lane.word(),
                duration(it.busy_ns),
                it.lines.labels()
            )
        })
        .collect();
    insta::assert_snapshot!(lanes.join("\n"), @r"
    host 0 ns [(0, 7)]
    kernel 1.00 µs [(0, 3)]
    copy to host 1.00 µs [(20, 7)]
    ");
    insta::assert_snapshot!(format!("{:?}", drawn.ticks), @r#"[(0, "at 18.0 µs"), (20, "+1.00 µs")]"#);
}

#[test]
fn lines_are_named_where_their_numbers_have_room() {
    let spans = [
        span(Lane::Kernel, "relu", 12, 0, 500),
        span(Lane::Kernel, "matmul", 3, 500, 9_000),
        span(Lane::Kernel, "add", 14, 9_000, 10_000),
    ];
    let drawn = draw(&spans, None, 10);
    let kernels = drawn.lanes.iter().find(|it| it.lane == Lane::Kernel);
    assert_eq!(kernels.map(|it| it.lines.labels()), Some(vec![(1, 3)]));
}

#[test]
fn two_numbers_never_read_as_one() {
    let spans = [
        span(Lane::Kernel, "relu", 5, 0, 1_000),
        span(Lane::Kernel, "relu", 8, 1_000, 2_000),
        span(Lane::Kernel, "matmul", 9, 2_000, 10_000),
    ];
    let drawn = draw(&spans, None, 10);
    let kernels = drawn.lanes.iter().find(|it| it.lane == Lane::Kernel);
    assert_eq!(
        kernels.map(|it| it.lines.labels()),
        Some(vec![(0, 5), (2, 9)])
    );
}

#[test]
fn the_axis_has_its_labels_however_close_the_window_is() {
    let axis = |start_ns, ns, width| {
        let window = Window {
            start_ns,
            end_ns: start_ns + ns,
        };
        let run = [span(Lane::Host, "run", 1, 0, 900_000_000)];
        let mut axis = String::new();
        for (column, label) in draw(&run, Some(window), width).ticks {
            axis = format!("{axis:<column$}{label}");
        }
        axis
    };
    let all = [
        axis(83_512_345, 100, 57),
        axis(83_512_345, 100, 30),
        axis(83_512_345, 140, 57),
        axis(812_345, 100, 14),
        axis(0, 250, 57),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    at 83.5 ms +20 ns     +40 ns      +60 ns     +80 ns
    at 83.5 ms     +50 ns
    at 83.5 ms          +50 ns              +100 ns
    at 812 µs
    at 0 ns    +50 ns     +100 ns     +150 ns    +200 ns
    ");
}
