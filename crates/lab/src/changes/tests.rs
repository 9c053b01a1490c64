//! Two runs of a program as a table.

use super::*;
use warpup_protocol::{Clock, FirstUse, Gaps, OptimizerSteps, ProgramFacts};

fn report(lines: &[(u32, u64, u64)]) -> Report {
    let times = lines.iter().map(|&(line, host_ns, device_ns)| LineTime {
        line,
        hits: 1,
        host_ns,
        wait_ns: 0,
        interrupted_ns: 0,
        worker_ns: 0,
        device_ns: Some(device_ns),
    });
    Report {
        clock: Clock::Modelled,
        host_ns: lines.iter().map(|it| it.1).sum(),
        device_ns: Some(lines.iter().map(|it| it.2).sum()),
        lines: times.collect(),
        ..Report::broken("")
    }
}

const BEFORE: &str = "import torch\nfor row in x:\n    row.sum()\nprint(x)\nx.cpu()\n";
const NOW: &str = "import torch\n# at once\nx.sum(1)\nprint(x)\n";

/// The rows of a table, those of lines that became faster or slower with a sign behind.
fn texts(rows: &[TableRow]) -> String {
    let rows = rows.iter().map(|it| match it.pace {
        Some(Pace::Faster) => format!("{} ↓", it.text),
        Some(Pace::Slower) => format!("{} ↑", it.text),
        None => it.text.clone(),
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn shown(width: usize) -> String {
    let before = report(&[
        (1, 100, 0),
        (2, 9_000, 0),
        (3, 20_900_000, 8_190_000),
        (4, 400_000, 0),
        (5, 300_000, 1_000),
    ]);
    let now = report(&[(1, 100, 0), (3, 5_100, 52_700), (4, 390_000, 0)]);
    let (before, now) = (
        ProgramRun {
            report: &before,
            source: BEFORE,
        },
        ProgramRun {
            report: &now,
            source: NOW,
        },
    );
    texts(&table(before, now, width))
}

#[test]
fn each_line_has_its_times_of_both_runs() {
    insta::assert_snapshot!(shown(80), @"
    in all, MODELLED:
      host   21.6 ms → 395 µs
      device 8.19 ms → 52.7 µs
     line  host before → now  device before → now
    ~   3  20.9 ms → 5.10 µs  8.19 ms → 52.7 µs  x.sum(1) ↓
    -   5   300 µs → –        1.00 µs → –        x.cpu() ↓
        4   400 µs → 390 µs                      print(x)
    ~   2  9.00 µs → –                           # at once
    1 more line is below 1 % of both runs
    ~ edited  - gone
    ");
    insta::assert_snapshot!(shown(40), @"
    in all, MODELLED:
      host   21.6 ms → 395 µs
      device 8.19 ms → 52.7 µs
    ~   3 x.sum(1) ↓
          host   20.9 ms → 5.10 µs ↓
          device 8.19 ms → 52.7 µs ↓
    -   5 x.cpu() ↓
          host   300 µs → – ↓
          device 1.00 µs → – ↓
        4 print(x)
          host   400 µs → 390 µs
    ~   2 # at once
          host   9.00 µs → –
    1 more line is below 1 % of both runs
    ~ edited  - gone
    ");
}

#[test]
fn the_first_use_of_a_card_drowns_no_change_and_a_step_is_compared_with_a_step() {
    let of = |first_ns: u64, line_ns: u64, step_ns: u64| Report {
        gaps: Some(Box::new(Gaps {
            first_use: Some(FirstUse {
                line: 2,
                ns: first_ns,
                ..FirstUse::default()
            }),
            ..Gaps::default()
        })),
        facts: Some(Box::new(ProgramFacts {
            steps: OptimizerSteps {
                count: 10,
                first_ns,
                last_ns: first_ns + 9 * step_ns,
                ..OptimizerSteps::default()
            },
            ..ProgramFacts::default()
        })),
        ..report(&[(2, first_ns + line_ns, 1_000)])
    };
    let (before, now) = (
        of(366_000_000, 2_000_000, 200_000),
        of(366_000_000, 1_000_000, 100_000),
    );
    let [before, now] = [&before, &now].map(|report| ProgramRun {
        report,
        source: "import torch\nx.cuda()\n",
    });
    insta::assert_snapshot!(texts(&table(before, now, 80)), @"
    in all, MODELLED:
      host   368 ms → 367 ms (without first use 2.00 ms → 1.00 ms)
      device 1.00 µs → 1.00 µs
      a step 200 µs → 100 µs (mean of 10)
    lines, without the first use of the card and its libraries:
     line  host before → now  device before → now
        2  2.00 ms → 1.00 ms  1.00 µs → 1.00 µs  x.cuda() ↓
    ");
}

#[test]
fn a_small_change_counts_where_times_are_modelled_and_is_chance_where_they_are_measured() {
    let words = |clock, before, now| {
        let [before, now] = [before, now].map(|ns| Report {
            clock,
            ..report(&[(1, ns, 0)])
        });
        in_words(&before, &now).map_or("nothing".to_owned(), |it| it.0)
    };
    let all = [
        (Clock::Modelled, 1000, 960),
        (Clock::Modelled, 1000, 1090),
        (Clock::Modelled, 1000, 995),
        (Clock::Modelled, 1000, 400),
        (Clock::Measured, 1000, 900),
        (Clock::Measured, 1000, 1300),
    ];
    let said = all.map(|(clock, before, now)| words(clock, before, now));
    insta::assert_snapshot!(said.join("\n"), @"
    4 % faster
    9 % slower
    nothing
    2.5 times faster
    nothing
    1.3 times slower
    ");
}
