//! The sentences for gaps.

use super::*;
use warpup_protocol::{Clock, FirstUse, Gaps, LineTime};

fn said(host_ns: u64, gaps: Gaps) -> String {
    said_by(Clock::Modelled, host_ns, gaps)
}

fn said_by(clock: Clock, host_ns: u64, gaps: Gaps) -> String {
    let report = Report {
        host_ns,
        clock,
        gaps: Some(Box::new(gaps)),
        ..Report::broken("")
    };
    let sentences = first_use::sentence(&report)
        .into_iter()
        .chain(sentences(&report));
    sentences.collect::<Vec<_>>().join("\n")
}

fn wait(line: u32, until_line: u32, most_line: u32, ms: u64) -> Wait {
    Wait {
        line,
        ns: ms * 1_000_000,
        times: 1,
        until_line,
        most_line,
        most_ns: ms * 800_000,
        most_lane: Some(Lane::Kernel),
        idle_ns: 0,
        cause: WaitCause::Item,
    }
}

fn idle(line: u32, ms: u64, times: u64) -> Idle {
    Idle {
        line,
        ns: ms * 1_000_000,
        times,
        longest_ns: 0,
    }
}

#[test]
fn a_wait_for_a_loader_names_the_line_that_takes_its_workers_longest() {
    let of_loader = |line, most_line| Wait {
        times: 40,
        most_line,
        most_ns: 0,
        most_lane: None,
        idle_ns: 0,
        cause: WaitCause::Loader,
        ..wait(line, 0, 0, 38)
    };
    let gaps = Gaps {
        first_use: None,
        waits: vec![of_loader(20, 9), of_loader(21, 0), wait(20, 21, 21, 30)],
        idle: vec![idle(20, 37, 40), idle(21, 80, 40)],
    };
    insta::assert_snapshot!(said(400_000_000, gaps), @r"
    line 20 waited 68.0 ms, in 41 waits: 38.0 ms for its loader's workers, which work longest on line 9, 30.0 ms mostly for line 21 (item())
    line 21 waited 38.0 ms for its loader's workers, in 40 waits
    device idle 37.0 ms while line 20 waited for its loader, in 40 gaps
    device idle 80.0 ms while the host ran line 21, in 40 gaps
    ");
}

#[test]
fn each_gap_names_its_lines_and_what_waited() {
    let own = Wait {
        most_ns: 9_900_000,
        ..wait(4, 4, 4, 10)
    };
    let copies = Wait {
        times: 20,
        line: 5,
        until_line: 5,
        most_line: 5,
        most_lane: Some(Lane::CopyToHost),
        idle_ns: 0,
        cause: WaitCause::CopyToHost,
        ..own
    };
    let gaps = Gaps {
        first_use: Some(FirstUse {
            line: 2,
            ns: 250_000_000,
            ..FirstUse::default()
        }),
        waits: vec![wait(9, 7, 6, 38), own, copies],
        idle: vec![idle(9, 12, 1), idle(12, 8, 375)],
    };
    insta::assert_snapshot!(said(400_000_000, gaps), @r"
    first use of the card on line 2: the CUDA context, 250 ms, once in a run
    line 9 waited 38.0 ms, 30.4 ms of it for line 6 (item())
    line 4 waited 10.0 ms for its own kernel (item())
    line 5 waited 10.0 ms for its own copy (copy to host), in 20 waits
    device idle 12.0 ms while the host ran line 9
    device idle 8.00 ms while the host ran line 12, in 375 gaps
    ");
}

#[test]
fn a_line_is_ranked_by_all_that_it_waited_and_names_each_cause() {
    let copies = |line, ms| Wait {
        times: 20,
        cause: WaitCause::CopyToHost,
        most_ns: ms * 1_000_000,
        most_lane: Some(Lane::CopyToHost),
        idle_ns: 0,
        ..wait(line, line, line, ms)
    };
    let gaps = Gaps {
        first_use: None,
        waits: vec![
            wait(9, 7, 6, 12),
            wait(5, 7, 6, 11),
            copies(9, 2),
            copies(5, 6),
            // Another line was the last one, and the same one took most of it.
            wait(5, 8, 6, 4),
            wait(10, 7, 7, 10),
            wait(11, 7, 7, 9),
            wait(12, 7, 7, 8),
        ],
        idle: (1..=4).map(|line| idle(line, 10, 1)).collect(),
    };
    insta::assert_snapshot!(said(300_000_000, gaps), @r"
    line 5 waited 21.0 ms, in 22 waits: 15.0 ms mostly for line 6 (item()), 6.00 ms for its own copy (copy to host)
    line 9 waited 14.0 ms, in 21 waits: 12.0 ms mostly for line 6 (item()), 2.00 ms for its own copy (copy to host)
    line 10 waited 10.0 ms, 8.00 ms of it for line 7 (item())
    2 more lines (17.0 ms in all) waited
    device idle 10.0 ms while the host ran line 1
    device idle 10.0 ms while the host ran line 2
    device idle 10.0 ms while the host ran line 3
    device idle while the host ran 1 more line (10.0 ms)
    ");
}

#[test]
fn a_real_card_is_made_ready_before_the_clock_begins() {
    let gaps = Gaps {
        first_use: Some(FirstUse {
            line: 2,
            ns: 250_000_000,
            context_ns: 150_000_000,
            kernels_ns: 60_000_000,
            cublas_ns: 40_000_000,
            ..FirstUse::default()
        }),
        waits: vec![wait(9, 7, 7, 3), wait(10, 7, 7, 1)],
        idle: vec![],
    };
    insta::assert_snapshot!(said_by(Clock::Measured, 100_000_000, gaps), @r"
    the card was made ready before the program began, in 250 ms: context 150 ms, kernels 60.0 ms, cuBLAS 40.0 ms
    line 9 waited 3.00 ms, 2.40 ms of it for line 7 (item())
    ");
}

#[test]
fn the_first_use_names_the_libraries_that_it_starts_and_their_lines() {
    let of = |cublas_ns, cudnn_ns| {
        let gaps = Gaps {
            first_use: Some(FirstUse {
                line: 2,
                ns: 250_000_000 + cublas_ns + cudnn_ns,
                context_ns: 250_000_000,
                cublas_line: 9,
                cublas_ns,
                cudnn_line: 8,
                cudnn_ns,
                ..FirstUse::default()
            }),
            ..Gaps::default()
        };
        said(500_000_000, gaps)
    };
    insta::assert_snapshot!([of(116_000_000, 0), of(116_000_000, 50_000_000)].join("\n"), @"
    first use of the card on line 2: the CUDA context, 250 ms; the start of cuBLAS on line 9, 116 ms, each once in a run
    first use of the card on line 2: the CUDA context, 250 ms; the start of cuBLAS on line 9, 116 ms; the start of cuDNN on line 8, 50.0 ms, each once in a run
    ");
}

#[test]
fn a_line_says_its_share_and_that_it_is_mostly_the_first_use_of_something() {
    let line = |line, hits, host_ns, device_ns| LineTime {
        line,
        hits,
        host_ns,
        device_ns: Some(device_ns),
        ..LineTime::default()
    };
    let report = Report {
        clock: Clock::Modelled,
        host_ns: 376_000_000,
        device_ns: Some(8_000_000),
        lines: vec![
            line(2, 1, 250_100_000, 0),
            line(9, 100, 116_900_000, 8_000_000),
            line(10, 100, 9_000_000, 0),
        ],
        gaps: Some(Box::new(Gaps {
            first_use: Some(FirstUse {
                line: 2,
                ns: 366_000_000,
                cublas_line: 9,
                cublas_ns: 116_000_000,
                ..FirstUse::default()
            }),
            ..Gaps::default()
        })),
        ..Report::broken("")
    };
    insta::assert_snapshot!([2, 9, 10, 11].map(|it| of_line(&report, it)).join("\n"), @"
    line 2: host 250 ms, most of it the first use of the card
    line 9: host 117 ms, 100 times, most of it the first use of cuBLAS · device 8.00 ms · 80 % of the run without first use
    line 10: host 9.00 ms, 100 times · 90 % of the run without first use
    line 11 took no time
    ");
    let measured = Report {
        clock: Clock::Measured,
        ..report
    };
    insta::assert_snapshot!(of_line(&measured, 2), @"line 2: host 250 ms · 66 % of the run");
}

#[test]
fn short_gaps_get_no_sentence_and_the_first_use_hides_none() {
    let gaps = Gaps {
        first_use: Some(FirstUse {
            line: 0,
            ns: 250_000_000,
            ..FirstUse::default()
        }),
        waits: vec![wait(9, 0, 0, 3), wait(10, 7, 7, 1)],
        idle: vec![idle(9, 1, 4)],
    };
    insta::assert_snapshot!(said(350_000_000, gaps), @r"
    first use of the card: the CUDA context, 250 ms, once in a run
    line 9 waited 3.00 ms for the device (item())
    ");
    assert_eq!(said(1, Gaps::default()), "");
}

/// A card is idle between any two tiny kernels: that is no news in a program that is over when it has begun.
#[test]
fn idle_times_of_a_program_of_microseconds_get_no_sentence() {
    let gaps = |waits| Gaps {
        first_use: Some(FirstUse {
            line: 2,
            ns: 250_000_000,
            ..FirstUse::default()
        }),
        waits,
        idle: vec![Idle {
            line: 11,
            ns: 5_100,
            times: 2,
            longest_ns: 0,
        }],
    };
    let only_context = "first use of the card on line 2: the CUDA context, 250 ms, once in a run";
    assert_eq!(said(250_100_000, gaps(Vec::new())), only_context);
    // Waits are the program's own doing, however short.
    let short = Wait {
        ns: 20_000,
        most_ns: 20_000,
        ..wait(12, 12, 12, 0)
    };
    assert!(said(250_100_000, gaps(vec![short])).contains("line 12 waited 20.0 µs"));
}
