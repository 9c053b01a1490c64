//! Numbers in, text out.

use super::axis::{Axis, Scale};
use super::draw::COLUMNS;
use super::*;
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;
use warpup_protocol::{LogAxes, Plot, PlotSource, Series};
use warpup_text::shown::Letters;

fn series(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series {
        name: name.to_owned(),
        points: points.into_iter().collect(),
        skipped: 0,
    }
}

fn plot(series: Vec<Series>) -> Plot {
    Plot {
        title: String::new(),
        x_label: String::new(),
        y_label: String::new(),
        log: LogAxes::None,
        source: PlotSource::Run,
        series,
        names: Vec::new(),
    }
}

/// A loss that falls, and one that turns.
fn losses() -> Plot {
    let train = (0..=40).map(|it| (f64::from(it), 2.4 * (-f64::from(it) / 12.0).exp() + 0.1));
    let test = (0..=40).map(|it| {
        let it = f64::from(it);
        (it, 2.4 * (-it / 12.0).exp() + 0.1 + it * it / 900.0)
    });
    Plot {
        title: "Loss by step".to_owned(),
        x_label: "step".to_owned(),
        y_label: "loss".to_owned(),
        ..plot(vec![series("train", train), series("test", test)])
    }
}

/// What a copy takes by its size: flat, then a straight line.
fn copies() -> Plot {
    let times = (0..=10).map(|it| {
        let bytes = 4f64.powi(it) * 64.0;
        (bytes, 8.0 + bytes / 12_000.0)
    });
    Plot {
        title: "Copies".to_owned(),
        x_label: "bytes".to_owned(),
        y_label: "µs".to_owned(),
        log: LogAxes::Both,
        source: PlotSource::Run,
        ..plot(vec![series("pageable", times)])
    }
}

fn picture(plot: &Plot, columns: usize, rows: usize, letters: Letters) -> String {
    let drawn = draw(plot, Size { columns, rows }, letters);
    drawn
        .iter()
        .map(PlotRow::text)
        .collect::<Vec<_>>()
        .join("\n")
}

fn said(plot: &Plot) -> String {
    let mut said = vec![heading(plot, 0, 1)];
    said.extend(sentences(plot));
    said.join("\n")
}

#[test]
fn few_whole_numbers_are_written_below_their_points() {
    let sizes = [16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];
    let points = sizes.map(|it| (it, it * it));
    let plot = Plot {
        log: LogAxes::Both,
        ..plot(vec![series("", points)])
    };
    insta::assert_snapshot!(picture(&plot, 60, 10, Letters::Unicode), @"
          │
      1e6 ┤                                                 ⢀⣀⡠●
          │                                       ⢀⣀⣀⡠⠤●⠔⠒⠊⠉⠁
          │                             ⢀⣀⣀⠤⠤⠒●⠊⠉⠉⠁
    10000 ┤                     ⣀⣀⠤⠤⠒●⠊⠉⠁
          │            ⣀⣀⡠⠤⠔●⠒⠉⠉
          │   ⢀⣀⡠⠤⠔●⠒⠉⠉
      100 ┤●⠊⠉⠁
          └┬───────┬────────┬────────┬────────┬────────┬───────┬
          16      32       64       128      256      512   1024
    ");
}

#[test]
fn a_sentence_says_from_where_on_one_series_is_below_another() {
    let sizes = [16.0, 32.0, 64.0];
    let of = |name: &str, times: [f64; 3]| series(name, sizes.into_iter().zip(times));
    let plot = Plot {
        x_label: "rows".to_owned(),
        ..plot(vec![
            of("host", [1.0, 4.0, 16.0]),
            of("card", [3.0, 4.0, 5.0]),
            of("both", [2.0, 5.0, 1.0]),
            of("twice", [2.0, 5.0, 17.0]),
        ])
    };
    let said = sentences(&plot).split_off(plot.series.len()).join("\n");
    insta::assert_snapshot!(said, @"
    card is below host from rows 64 on
    both is below host from rows 64 on
    card is below twice from rows 32 on
    ");
}

#[test]
fn two_series_that_are_as_good_as_equal_do_not_cross() {
    let plot = plot(vec![
        series("sum", [(1.0, 700.0), (2.0, 500.0), (3.0, 300.0)]),
        series("mean", [(1.0, 700.4), (2.0, 500.1), (3.0, 299.9)]),
    ]);
    assert_eq!(sentences(&plot).len(), plot.series.len());
}

#[test]
fn two_series_have_their_own_marks() {
    insta::assert_snapshot!(picture(&losses(), 60, 16, Letters::Unicode), @"
    ● train   ▲ test   * several points
    loss
    3 ┤
      │*
      │⠘⢄⡀
    2 ┤  ⠈⠲⣄                                                   ▲
      │    ⠈⠑⠦⣄⡀                                         ⢀▲⠤⠔⠒⠉
      │       ⠈⠙⠦⣄▲                                 ⣀⡠⠔⠒⠉⠁
      │           ●⠛⠵⣒⠤⢄⣀⣀                ⣀⣀⡠⠤⠤⠔▲⠉⠉⠉
    1 ┤               ⠉⠑⠒⠤⣉⡉▲⠒⠒⠒⠒⠒⠒⠒⠒⠒▲⠉⠉⠉
      │                    ⠈●⠒⠒⠒⠤⢄⣀⣀
      │                             ⠉⠉●⠒⠒⠒⠤⠤⠤⠤⣀⣀●⣀⣀⣀
    0 ┤                                             ⠉⠉⠉⠉⠉⠉●⠉⠑⠒⠒●
      └┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬
       0      5     10     15     20     25     30     35     40
                                 step
    ");
    insta::assert_snapshot!(picture(&losses(), 60, 16, Letters::Ascii), @"
    * train   + test   % several points
    loss
    3 +
      |%
      | .
    2 +  ...                                                   +
      |     ...                                          .+....
      |        ...+                                 .....
      |          .*.......                ......+...
    1 +               ......+.........+...
      |                    .*.......
      |                             ..*.........*...
    0 +                                             ......*....*
      ++------+------+------+------+------+------+------+------+
       0      5     10     15     20     25     30     35     40
                                 step
    ");
}

#[test]
fn small_and_large_terminals_have_plots_too() {
    insta::assert_snapshot!(picture(&losses(), 40, 10, Letters::Unicode), @"
    ● train   ▲ test   * several points
    loss
    4 ┤
      │*
    2 ┤⠈⠒⠤⠤⣀                           ⢀⣀⡠⠤▲
      │     ⠉⠙⠓⠲⠦*⣤⣤⠤⠤⠤⣀⣀⣀⠤▲⠤⠤⠤⠤⠒⠒⠒⠒⠉▲⠉⠁
    0 ┤             ⠉⠉⠉⠉⠒⠒⠒●⠒⠢⠤⠤⠤⠤⠤⠤⠤●⠤⠤⠤⠤⢄●
      └┬────────┬────────┬────────┬────────┬
       0       10       20       30       40
                       step
    ");
    insta::assert_snapshot!(picture(&losses(), 140, 30, Letters::Unicode), @"
    ● train   ▲ test   * several points
    loss
    2.5 ┤*⢄
        │ ⠈⠢⡀
        │   ⠈⠢⡀
        │     ⠈⠢⡀
    2.0 ┤       ⠈⠲⣄
        │         ⠈*⣄⡀                                                                                                                       ⣀⠤▲
        │           ⠈⠙⢦⡀                                                                                                                ⢀⣀⠤⠒▲
        │              ⠙⠶⣄                                                                                                          ⣀⠤⠔⠊⠁
        │                ⠈⠛⢦⣀                                                                                                   ⣀⠤▲⠉
    1.5 ┤                   ⠉*⢦⢄⡀                                                                                         ⣀⠤⠔⠒⠊⠉
        │                      ⠑⠪⣑⠢⢄⡀                                                                               ⢀⣀⠤⠔▲⠉
        │                         ⠉⠒⢌⡑⠤▲                                                                       ⣀⣀⠤⠔⠊⠁
        │                            ⠈⠒●⡉⠉⠒⠢⢄⡀                                                         ⣀⣀⠤⠤⠔⠒⠊▲
        │                               ⠈⠑⠢⢄⡀⠈⠉⠒⠒▲⠤⣀⣀⡀                                        ⣀⣀⠤⠤⠔⠒▲⠉⠉
    1.0 ┤                                   ⠈⠑⠒⠤⣀    ⠈⠉⠑⠒⠒⠤▲⠤⢄⣀⣀⣀⣀⣀⣀          ⣀▲⣀⣀⣀⣀⣀⠤⠤⠤⠔⠒▲⠊⠉⠉
        │                                        ●⠒⠤⣀⡀              ⠉▲⠉⠉⠉⠉⠉⠉⠉⠉
        │                                            ⠈⠑⠢⠤⣀⣀
        │                                                  ●⠑⠒⠢⠤⣀⡀
        │                                                        ⠈⠉⠒⠒●⢄⣀⡀
    0.5 ┤                                                               ⠈⠉⠉⠒⠒⠢⠤●⣀⡀
        │                                                                        ⠈⠉⠉⠉⠒⠒⠢⠤⢄●⡀
        │                                                                                  ⠈⠉⠉⠉⠒⠒⠒⠒⠒●⠒⠤⠤⠤⣀⣀⣀⡀
        │                                                                                                   ⠈⠉●⠉⠉⠉⠉⠑⠒⠒⠒⠒●⠒⠤⠤⠤⠤⠤⠤⠤⣀●⣀⣀⣀⣀⣀⣀⣀⣀
        │                                                                                                                                  ⠉●⠉⠉●
      0 ┤
        └┬───────────────┬────────────────┬────────────────┬────────────────┬────────────────┬────────────────┬────────────────┬───────────────┬
         0               5               10               15               20               25               30               35              40
                                                                          step
    ");
}

#[test]
fn logarithmic_axes_have_powers_of_ten() {
    insta::assert_snapshot!(picture(&copies(), 70, 14, Letters::Unicode), @"
    ● pageable
    µs, log
    10000 ┤                                                             ⣀●
          │                                                        ●⡠⠔⠊⠉
     1000 ┤                                                    ⣀⠤⠒⠉
          │                                               ⣀⡠⠔●⠉
      100 ┤                                          ⣀⡠●⠒⠉
          │                                  ⢀⣀⡠●⠔⠒⠉⠉
       10 ┤●⣀⣀⣀⣀⣀●⣀⣀⣀⣀⣀●⣀⣀⣀⣀⣀●⣀⣀⣀⣀⣀⣀●⣀⠤⠤⠤⠒●⠊⠉⠁
          │
        1 ┤
          └──┬─────────┬─────────┬──────────┬─────────┬──────────┬────────
            100      1000      10000       1e5       1e6        1e7
                                     bytes, log
    ");
}

#[test]
fn a_logarithmic_axis_of_few_decades_has_steps_between() {
    let plot = Plot {
        log: LogAxes::Y,
        source: PlotSource::Run,
        ..plot(vec![series("", [(1.0, 2.1), (2.0, 4.0), (3.0, 17.0)])])
    };
    insta::assert_snapshot!(picture(&plot, 40, 10, Letters::Ascii), @"
    20 +                                  .*
       |                              ....
    10 +                           ...
       |                        ...
     5 +                    ....
       |              ....*.
       |     .........
     2 +*....
       ++-----------------+----------------+
        1                 2                3
    ");
}

#[test]
fn ticks_stand_at_round_numbers() {
    let labels = |low: f64, high: f64, scale| {
        let axis = Axis::upward(&[low, high], scale, 16);
        let labels = axis.ticks.into_iter().map(|it| it.label);
        labels.collect::<Vec<_>>().join(" ")
    };
    let all = [
        labels(0.0, 1.0, Scale::Linear),
        labels(0.1, 0.97, Scale::Linear),
        labels(-3.0, 12.0, Scale::Linear),
        labels(2.31, 2.34, Scale::Linear),
        labels(1e-7, 9e-7, Scale::Linear),
        labels(0.0, 3.2e9, Scale::Linear),
        labels(5.0, 5.0, Scale::Linear),
        labels(0.0, 0.0, Scale::Linear),
        labels(1.0, 1e6, Scale::Log),
        labels(1e-9, 1e12, Scale::Log),
        labels(3.0, 40.0, Scale::Log),
        labels(7.0, 7.5, Scale::Log),
    ];
    insta::assert_snapshot!(all.join("\n"), @r"
    0 0.2 0.4 0.6 0.8 1.0
    0 0.2 0.4 0.6 0.8 1.0
    -5 0 5 10 15
    2.31 2.32 2.33 2.34
    0 2e-7 4e-7 6e-7 8e-7 1e-6
    0 1e9 2e9 3e9 4e9
    0 2 4 6 8
    -1.0 -0.5 0 0.5 1.0
    1 10 100 1000 10000 1e5 1e6
    1e-9 1e-6 0.001 1 1000 1e6 1e9 1e12
    2 5 10 20 50
    5 10
    ");
}

#[test]
fn few_values_stand_at_their_own_places_and_nothing_is_0() {
    let values = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0];
    let axis = Axis::along(&values, Scale::Linear, 60);
    let labels: Vec<_> = axis.ticks.into_iter().map(|it| it.label).collect();
    assert_eq!(labels.join(" "), "0 1 2 3 4 6 8");
}

#[test]
fn a_plot_that_cannot_be_seen_is_reported() {
    insta::assert_snapshot!(said(&losses()), @r"
    plot: Loss by step
    train: from 2.50 at step 0 to 0.1856 at step 40, falling all the way
    test: from 2.50 at step 0 to 1.96 at step 40, falling on the whole, with ups and downs; lowest 0.9938 at step 19, highest 2.50 at step 0
    ");
    insta::assert_snapshot!(said(&copies()), @r"
    plot: Copies
    pageable: from 8.01 at bytes 64 to 5600.4 at bytes 67108864, rising all the way
    ");
    let odd = plot(vec![
        series("flat", [(0.0, 1.0), (1.0, 1.0)]),
        series("rounded", [(0.0, 0.3), (1.0, 0.1 + 0.2), (2.0, 0.3)]),
        series("stairs", [(1.0, 40.0), (2.0, 40.0), (3.0, 400.0)]),
        series("one", [(3.0, 0.25)]),
        Series {
            skipped: 3,
            ..series("none", [])
        },
        Series {
            skipped: 1,
            ..series("", [(0.0, 0.0), (1.0, 2.0), (2.0, 0.0)])
        },
    ]);
    insta::assert_snapshot!(said(&odd), @"
    plot
    flat: from 1 at 0 to 1 at 1, it stays the same
    rounded: from 0.3000 at 0 to 0.3000 at 2, it stays the same
    stairs: from 40 at 1 to 400 at 3, rising in steps
    one: one point, 0.2500 at 3
    none: no point can be drawn; 3 points are left out, they are nan or infinite
    the line: from 0 at 0 to 0 at 2, with ups and downs; lowest 0 at 0, highest 2 at 1; 1 point is left out, it is nan or infinite
    ");
}

#[test]
fn what_cannot_be_drawn_leaves_an_empty_plot() {
    let odd = [(f64::NAN, 1.0), (1.0, f64::INFINITY), (1e305, 1.0)];
    insta::assert_snapshot!(picture(&plot(vec![series("odd", odd)]), 40, 10, Letters::Ascii), @r"
    * odd
    2 +
      |
      |
    1 +
      |
      |
    0 +
      +---+-------+------+------+-------+---
         0.6     0.8    1.0    1.2     1.4
    ");
}

#[test]
fn every_series_has_its_ink_and_a_crossing_that_of_one() {
    let drawn = draw(
        &plot(vec![
            series("up", [(0.0, 0.0), (1.0, 1.0)]),
            series("down", [(0.0, 1.0), (1.0, 0.0)]),
        ]),
        Size {
            columns: 40,
            rows: 12,
        },
        Letters::Unicode,
    );
    let has = |ink| {
        let mut parts = drawn.iter().flat_map(|it| &it.parts);
        parts.any(|it| it.ink == ink && it.text.contains(|letter| letter > '⠀'))
    };
    assert!(has(Ink::Series(0)) && has(Ink::Series(1)));
}

#[test]
fn labels_that_meet_at_the_right_end_are_not_written_into_each_other() {
    let plot = Plot {
        log: LogAxes::Y,
        source: PlotSource::Run,
        ..plot(vec![series(
            "",
            vec![(1.102_690_256_897_412_5e-269, 0.0), (0.0, 4.8e-71)],
        )])
    };
    let size = Size {
        columns: 104,
        rows: 0,
    };
    for row in draw(&plot, size, Letters::Unicode) {
        assert!(row.text().width() <= 104, "{}", row.text());
    }
}

fn any_log() -> impl Strategy<Value = LogAxes> {
    prop_oneof![
        Just(LogAxes::None),
        Just(LogAxes::X),
        Just(LogAxes::Y),
        Just(LogAxes::Both)
    ]
}

proptest! {
    #[test]
    fn any_numbers_fit_any_size(
        points in proptest::collection::vec(
            proptest::collection::vec((any::<f64>(), any::<f64>()), 0..6),
            0..8,
        ),
        log in any_log(),
        columns in 0usize..260,
        rows in 0usize..60,
        name in "\\PC{0,30}",
    ) {
        let all = points.into_iter().map(|it| series(&name, it)).collect();
        let plot = Plot {
            log,
            x_label: name.clone(),
            y_label: name.clone(),
            ..plot(all)
        };
        for letters in [Letters::Unicode, Letters::Ascii] {
            for row in draw(&plot, Size { columns, rows }, letters) {
                prop_assert!(row.text().width() <= columns.clamp(COLUMNS.0, COLUMNS.1), "{}", row.text());
            }
        }
        prop_assert_eq!(sentences(&plot).len(), plot.series.len());
    }

    #[test]
    fn moderate_numbers_have_two_ticks_on_each_axis(
        low in -1e6f64..1e6,
        span in 1e-3f64..1e6,
        columns in 30usize..200,
    ) {
        for axis in [
            Axis::upward(&[low, low + span], Scale::Linear, 12),
            Axis::along(&[low, low + span], Scale::Linear, columns),
        ] {
            prop_assert!(!axis.ticks.is_empty(), "{axis:?}");
            let labels: Vec<_> = axis.ticks.iter().map(|it| it.label.clone()).collect();
            let mut apart = labels.clone();
            apart.dedup();
            prop_assert_eq!(labels, apart);
        }
    }
}

#[test]
fn a_plot_says_where_its_numbers_are_from() {
    let from = |of| {
        source(
            &Plot {
                source: of,
                ..losses()
            },
            "MODELLED",
        )
    };
    assert_eq!(from(PlotSource::Run), "MODELLED");
    assert_eq!(from(PlotSource::Counted), "counted");
    assert_eq!(from(PlotSource::Given), "given numbers");
}

fn rows_of_a_step() -> Plot {
    let times = [12.5, 3.0, 0.0, 40.0];
    let names = ["read the batch", "copy", "forward", "backward"];
    Plot {
        y_label: "ms".to_owned(),
        names: names.map(str::to_owned).into(),
        ..plot(vec![series(
            "",
            times
                .into_iter()
                .enumerate()
                .map(|(at, it)| (at as f64, it)),
        )])
    }
}

fn text(plot: &Plot, letters: Letters) -> String {
    let size = Size {
        columns: 44,
        rows: 12,
    };
    let rows = draw(plot, size, letters);
    let rows: Vec<_> = rows.iter().map(PlotRow::text).collect();
    rows.join("\n")
}

#[test]
fn a_bar_is_as_long_as_its_number_says_and_beside_its_name() {
    insta::assert_snapshot!(text(&rows_of_a_step(), Letters::Unicode), @"
    ms
    read the batch ███████▎ 12.50
    copy           █▊ 3
    forward         0
    backward       ███████████████████████ 40
    ");
    insta::assert_snapshot!(text(&rows_of_a_step(), Letters::Ascii), @"
    ms
    read the batch ####### 12.50
    copy           ## 3
    forward         0
    backward       ####################### 40
    ");
    insta::assert_snapshot!(sentences(&rows_of_a_step()).join("\n"), @"ms: read the batch 12.50; copy 3; forward 0; backward 40");
}

#[test]
fn bars_of_several_series_are_in_groups_with_a_legend() {
    let step = rows_of_a_step();
    let half = [6.25, 3.0, 1.0].into_iter().enumerate();
    let half = series("half precision", half.map(|(at, it)| (at as f64, it)));
    let mut step = Plot {
        series: [step.series.clone(), vec![half]].concat(),
        ..step
    };
    step.series[0].name = "float32".to_owned();
    insta::assert_snapshot!(text(&step, Letters::Unicode), @"
    ● float32   ▲ half precision
    ms
    read the batch ● ██████▋ 12.50
                   ▲ ███▎ 6.25
    copy           ● █▋ 3
                   ▲ █▋ 3
    forward        ●  0
                   ▲ ▌ 1
    backward       ● █████████████████████ 40
                   ▲ no number
    ");
    insta::assert_snapshot!(sentences(&step).join("\n"), @"
    float32: read the batch 12.50; copy 3; forward 0; backward 40
    half precision: read the batch 6.25; copy 3; forward 1; backward no number
    ");
}

#[test]
fn lines_that_lie_on_each_other_have_the_colours_of_both() {
    let points = [(0.0, 1.0), (40.0, 1.0)];
    let plot = plot(vec![series("train", points), series("test", points)]);
    let size = Size {
        columns: 60,
        rows: 12,
    };
    let rows = draw(&plot, size, Letters::Unicode);
    let lines = rows.iter().flat_map(|it| &it.parts);
    let lines = lines.filter(|it| {
        it.text
            .chars()
            .all(|it| ('\u{2801}'..='\u{28ff}').contains(&it))
    });
    let inks: Vec<Ink> = lines.map(|it| it.ink).collect();
    for series in [0, 1] {
        let count = inks.iter().filter(|it| **it == Ink::Series(series)).count();
        assert!(count > 10, "{inks:?}");
    }
}
