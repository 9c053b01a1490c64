//! Facts of made-up runs in, findings out.

use super::{ProgramKind, of_run};
use warpup_protocol::{
    ClockTotal, CopyTotal, GraphGrowth, Lane, LineFacts, OptimizerSteps, Outcome, ProgramFacts,
    Report, Wait, WaitCause,
};

/// Ten steps of 1 ms.
fn facts() -> ProgramFacts {
    ProgramFacts {
        steps: OptimizerSteps {
            count: 10,
            first_ns: 1_000_000,
            last_ns: 10_000_000,
            compiling_ns: 0,
        },
        ..ProgramFacts::default()
    }
}

fn of_line(line: u32, facts: LineFacts) -> LineFacts {
    LineFacts { line, ..facts }
}

fn report(facts: ProgramFacts) -> Report {
    Report {
        clock: warpup_protocol::Clock::Modelled,
        host_ns: 12_000_000,
        device_ns: Some(5_000_000),
        busy: Some(Box::default()),
        facts: Some(Box::new(facts)),
        ..Report::without_times(Outcome::Done)
    }
}

/// With these waits, and the card idle for so long while the host runs line 3.
fn waits(report: Report, waits: Vec<Wait>, idle_ns: u64) -> Report {
    let idle = warpup_protocol::Idle {
        line: 3,
        ns: idle_ns,
        times: 10,
        longest_ns: 0,
    };
    let gaps = warpup_protocol::Gaps {
        waits,
        idle: vec![idle],
        ..warpup_protocol::Gaps::default()
    };
    Report {
        gaps: Some(Box::new(gaps)),
        ..report
    }
}

fn wait(cause: WaitCause, times: u64, ns: u64) -> Wait {
    Wait {
        line: 3,
        ns,
        times,
        until_line: 2,
        most_line: 2,
        most_ns: ns,
        most_lane: None,
        idle_ns: 0,
        cause,
    }
}

const SOURCE: &str = "import time\nfor x in batches:\n    total += loss.item()\n    seconds = time.time() - start\nprint(seconds / 20)\n";

/// Each finding: what, where, and its sentence.
fn found(report: &Report) -> String {
    let lines = of_run(report, SOURCE, ProgramKind::Lab)
        .into_iter()
        .map(|it| {
            let place = it.place.unwrap_or_default();
            format!("{} at {place}: {}\n", it.id, it.sentence)
        });
    lines.collect()
}

#[test]
fn a_wait_costs_no_more_than_the_host_would_be_ahead() {
    let run = |times, ns, idle_ns| {
        let item = wait(WaitCause::Item, times, ns);
        found(&waits(report(facts()), vec![item], idle_ns))
    };
    insta::assert_snapshot!(run(10, 3_000_000, 2_000_000), @"wait-item at line 3: total += loss.item(): in each step the host waits for the device once (`.item()`), and leaves it idle for 200 µs of 1.00 ms: nothing is queued when the host goes on");
    // The host was late anyway, the card has enough to do, or the host waits once in a while.
    assert_eq!(run(10, 300_000, 2_000_000), "");
    assert_eq!(run(10, 3_000_000, 200_000), "");
    assert_eq!(run(1, 3_000_000, 2_000_000), "");
}

#[test]
fn mistakes_in_results_come_before_those_that_cost_time() {
    let wrong = LineFacts {
        backward: 10,
        uncleared: 9,
        ..LineFacts::default()
    };
    let leak = GraphGrowth {
        counts: 10,
        in_a_row: 8,
        nodes: 24,
        line: 3,
    };
    let facts = ProgramFacts {
        lines: vec![of_line(2, wrong)],
        graphs: Some(leak),
        ..facts()
    };
    let item = wait(WaitCause::Item, 10, 3_000_000);
    insta::assert_snapshot!(found(&waits(report(facts), vec![item], 2_000_000)), @"
    gradients-not-cleared at line 2: for x in batches: 9 of 10 backward passes add to gradients that an earlier step has used, and the next step uses the sum
    graph-grows at line 3: total += loss.item(): in 8 steps in a row the number of live nodes of graphs grows, by 3 in each: something keeps a result together with its graph for backward
    wait-item at line 3: total += loss.item(): in each step the host waits for the device once (`.item()`), and leaves it idle for 200 µs of 1.00 ms: nothing is queued when the host goes on
    ");
}

#[test]
fn accumulation_is_a_mistake_only_without_a_division() {
    let run = |undivided| {
        let line = LineFacts {
            backward: 40,
            undivided,
            ..LineFacts::default()
        };
        let facts = ProgramFacts {
            lines: vec![of_line(3, line)],
            ..facts()
        };
        found(&report(facts))
    };
    insta::assert_snapshot!(run(30), @"accumulation-undivided at line 3: total += loss.item(): a step uses the sum of 4 backward passes, each with the whole mean of its batch: gradients are 4 times as large as those of one batch");
    assert_eq!(run(0), "");
}

#[test]
fn a_clock_that_misses_the_work_and_one_that_measures_the_start_are_found() {
    let run = |clock: ClockTotal| {
        let facts = ProgramFacts {
            clocks: vec![ClockTotal {
                from_line: 2,
                line: 4,
                times: 1,
                ns: 10_000_000,
                queued: 100,
                ..clock
            }],
            ..facts()
        };
        found(&report(facts))
    };
    let early = ClockTotal {
        unfinished: 1,
        unfinished_ns: 30_000_000,
        ..ClockTotal::default()
    };
    let cold = ClockTotal {
        starting_ns: 9_000_000,
        ..ClockTotal::default()
    };
    insta::assert_snapshot!(run(early), @"timer-without-wait at line 4: seconds = time.time() - start: the clock is read after 10.0 ms, while the device has 30.0 ms of work left that was queued since it was read on line 2");
    insta::assert_snapshot!(run(cold), @"first-iteration-in-mean at line 4: seconds = time.time() - start: 9.00 ms of the 10.0 ms that the clock measures are the start of the card and its libraries, once in a run, and they are in the mean");
    assert_eq!(run(ClockTotal::default()), "");
}

#[test]
fn a_time_whose_name_says_that_it_is_the_hosts_is_no_mistake() {
    let early = ClockTotal {
        from_line: 1,
        line: 2,
        times: 1,
        ns: 10_000_000,
        queued: 100,
        unfinished: 1,
        unfinished_ns: 30_000_000,
        ..ClockTotal::default()
    };
    let facts = ProgramFacts {
        clocks: vec![early],
        ..facts()
    };
    let run = report(facts);
    let found =
        |line: &str| of_run(&run, &format!("start = time()\n{line}\n"), ProgramKind::Lab).len();
    assert_eq!(found("took = time() - start"), 1);
    assert_eq!(found("queued = time() - start"), 0);
    assert_eq!(found("t_launch = time() - start"), 0);
}

#[test]
fn small_copies_and_pageable_ones_are_found() {
    let copies = |times, bytes| CopyTotal {
        line: 3,
        lane: Lane::CopyToDevice,
        is_pinned: false,
        is_non_blocking: false,
        times,
        bytes,
        ns: 2_000_000,
    };
    let run = |copies| {
        let facts = ProgramFacts {
            copies: vec![copies],
            ..facts()
        };
        found(&report(facts))
    };
    insta::assert_snapshot!(run(copies(200, 200 << 10)), @"copy-small at line 3: total += loss.item(): in each step 20 copies of 1.00 KiB each take 200 µs of 1.00 ms: nearly all of it is the fixed part of a copy");
    insta::assert_snapshot!(run(copies(10, 20 << 20)), @"copy-pageable at line 3: total += loss.item(): in each step 2.00 MiB are copied from pageable memory at 10.5 GB/s: that takes 200 µs of 1.00 ms while no kernel runs");
}

#[test]
fn a_constant_that_comes_from_the_host_is_a_wait_and_data_is_none() {
    let run = |bytes: u64| {
        let copies = CopyTotal {
            line: 3,
            lane: Lane::CopyToDevice,
            is_pinned: false,
            is_non_blocking: false,
            times: 10,
            bytes: 10 * bytes,
            ns: 10_000,
        };
        let facts = ProgramFacts {
            copies: vec![copies],
            ..facts()
        };
        let tensor = wait(WaitCause::Tensor, 10, 3_000_000);
        found(&waits(report(facts), vec![tensor], 2_000_000))
    };
    insta::assert_snapshot!(run(4), @"wait-constant at line 3: total += loss.item(): in each step the host waits for the device once (`torch.tensor(…, device=…)` of a constant), and leaves it idle for 200 µs of 1.00 ms: nothing is queued when the host goes on");
    assert_eq!(run(512), "");
}

#[test]
fn work_on_the_cpu_without_gradients_counts_as_far_as_the_card_is_idle() {
    let run = |host_operation_ns, idle_ns| {
        let line = LineFacts {
            host_operations: 10,
            host_operation_ns,
            ..LineFacts::default()
        };
        let facts = ProgramFacts {
            lines: vec![of_line(3, line)],
            ..facts()
        };
        found(&waits(report(facts), Vec::new(), idle_ns))
    };
    insta::assert_snapshot!(run(4_000_000, 3_000_000), @"work-on-cpu at line 3: total += loss.item(): in each step the CPU computes 300 µs of 1.00 ms, and the card is idle meanwhile");
    // Less than a batch needs, or the card has something to do.
    assert_eq!(run(2_000_000, 3_000_000), "");
    assert_eq!(run(4_000_000, 2_000_000), "");
}

#[test]
fn many_short_kernels_are_launch_bound_and_few_are_not() {
    let run = |kernels| {
        let line = LineFacts {
            kernels,
            kernel_ns: kernels * 2_000,
            ..LineFacts::default()
        };
        let facts = ProgramFacts {
            lines: vec![of_line(3, line)],
            ..facts()
        };
        found(&waits(report(facts), Vec::new(), 8_000_000))
    };
    insta::assert_snapshot!(run(2_000), @"launch-bound at line 3: total += loss.item(): in each step late launches leave the device idle for 800 µs of 1.00 ms in 1 gap: its kernels take 2.00 µs on average, and the host takes longer to launch the next");
    assert_ne!(run(300), "");
    assert_eq!(run(100), "");
}

#[test]
fn an_own_program_is_launch_bound_at_fewer_kernels_than_a_lab() {
    let run = |kernels, idle_ns| {
        let line = LineFacts {
            kernels,
            kernel_ns: kernels * 5_000,
            ..LineFacts::default()
        };
        let facts = ProgramFacts {
            lines: vec![of_line(3, line)],
            ..facts()
        };
        let run = waits(report(facts), Vec::new(), idle_ns);
        [ProgramKind::Lab, ProgramKind::Own]
            .map(|kind| of_run(&run, SOURCE, kind).first().map(|it| it.id))
    };
    assert_eq!(run(250, 6_000_000), [None, Some("launch-bound")]);
    assert_eq!(run(250, 1_300_000), [None, None]);
    assert_eq!(run(90, 6_000_000), [None, None]);
}

#[test]
fn a_place_that_is_cut_shows_it() {
    let item = wait(WaitCause::Item, 10, 3_000_000);
    let run = waits(report(facts()), vec![item], 2_000_000);
    let long = format!(
        "import time\nfor x in batches:\n    total += {}\n",
        "x.item() + ".repeat(9)
    );
    let found = of_run(&run, &long, ProgramKind::Lab);
    let place = found.first().and_then(|it| it.place.as_deref());
    assert!(place.is_some_and(|it| it.ends_with('…')), "{place:?}");
}

/// Many short kernels in a program of ten steps, whose loop compiles so often again.
fn compiling(recompiles: u64, recompile_ns: u64) -> Report {
    let line = LineFacts {
        kernels: 2_000,
        kernel_ns: 4_000_000,
        compile_ns: recompile_ns,
        recompiles,
        recompile_ns,
        ..LineFacts::default()
    };
    let facts = ProgramFacts {
        steps: OptimizerSteps {
            last_ns: 10_000_000 + recompile_ns,
            compiling_ns: recompile_ns,
            ..facts().steps
        },
        lines: vec![of_line(3, line)],
        ..facts()
    };
    waits(report(facts), Vec::new(), recompile_ns)
}

#[test]
fn time_in_which_code_is_compiled_is_no_time_of_a_step() {
    let found = of_run(
        &compiling(2, 30_000_000),
        "\n\nloss = loss_of(x)\n",
        ProgramKind::Lab,
    );
    assert_eq!(
        found,
        [],
        "two are no habit, and late launches are not the reason"
    );
    let found = of_run(
        &compiling(4, 30_000_000),
        "\n\nloss = loss_of(x)\n",
        ProgramKind::Lab,
    );
    let said: Vec<_> = found
        .iter()
        .map(|it| format!("{} {}", it.id, it.sentence))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @"recompiles after the first call, `torch.compile` compiles 4 times more, 30.0 ms in all: what it has compiled does not fit the new inputs");
}
