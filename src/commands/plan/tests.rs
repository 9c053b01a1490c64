//! A pretended worker in, text out.

use super::*;
use crate::commands::runner::RunLab;
use crate::commands::sample;
use std::path::PathBuf;
use tempfile::TempDir;
use warpup_protocol::{
    Aim, Busy, LineTime, Memory, Overflow, Purposes, Report, RunRequest, UncaughtException,
    WorkspaceBound,
};
use warpup_worker::device::cards;

const PROGRAM: &str = "import torch\nx = torch.rand(8, device='cuda')\ny = x @ x\n";

/// What `warpup plan` prints for a program, with these arguments after it.
fn planned(change: impl FnOnce(&mut PlanArgs), run_lab: &mut RunLab<'_>) -> (String, Exit) {
    let dir = TempDir::new().unwrap();
    let program = dir.path().join("train.py");
    std::fs::write(&program, PROGRAM).unwrap();
    let mut args = PlanArgs {
        program,
        card: "t4".to_owned(),
        all: false,
        json: false,
        arguments: Vec::new(),
    };
    change(&mut args);
    let mut run_all = |all: Vec<RunRequest>| all.into_iter().map(&mut *run_lab).collect();
    sample::console("", |console| plan(&args, &mut run_all, console))
}

fn busy() -> Busy {
    Busy {
        compute_ns: 600_000,
        bandwidth_ns: 200_000,
        idle_ns: 200_000,
        done_ns: 251_000_000,
        ..Busy::default()
    }
}

fn memory(capacity: u64) -> Memory {
    Memory {
        peak_live: 48 << 20,
        peak_reserved: 60 << 20,
        peak_line: 3,
        capacity,
        workspace: 128 << 20,
        peak: Purposes {
            weights: 12 << 20,
            gradients: 12 << 20,
            activations: 24 << 20,
            ..Purposes::default()
        },
        floor: 24 << 20,
        ..Memory::default()
    }
}

fn ended(request: &RunRequest, report: Report) -> Run {
    assert_eq!(request.aim, Aim::Plan);
    let mut run = Run::new(request.run);
    run.report = Some(report);
    run
}

fn went_well(request: &RunRequest) -> Run {
    let line = LineTime {
        line: 3,
        hits: 1,
        host_ns: 5_000,
        wait_ns: 0,
        interrupted_ns: 0,
        worker_ns: 0,
        device_ns: Some(800_000),
    };
    ended(
        request,
        Report {
            outcome: Outcome::Done,
            host_ns: 250_010_000,
            lines: vec![line],
            memory: Some(Box::new(memory(16 << 30))),
            busy: Some(Box::new(busy())),
            unknown_read: vec![2, 3],
            ..Report::broken("")
        },
    )
}

fn did_not_fit(request: &RunRequest) -> Run {
    let first = Overflow {
        line: 3,
        asked: 20 << 20,
        live: 28 << 20,
        in_pieces: 12 << 20,
    };
    let held = Memory {
        overflow: Some(first),
        ..memory(150 << 20)
    };
    ended(
        request,
        Report {
            outcome: Outcome::Done,
            host_ns: 1,
            memory: Some(Box::new(held)),
            ..Report::broken("")
        },
    )
}

fn stopped(request: &RunRequest) -> Run {
    let raised = UncaughtException {
        kind: "RuntimeError".to_owned(),
        message: "two devices".to_owned(),
        line: 3,
        traceback: "Traceback (most recent call last):\n  File \"train.py\", line 3\nRuntimeError: two devices\n".to_owned(),
        in_check: false,
 status: None,
    };
    ended(
        request,
        Report {
            outcome: Outcome::Raised(raised),
            ..Report::broken("")
        },
    )
}

#[test]
fn a_plan_says_whether_it_fits_what_takes_the_time_and_what_fills_the_memory() {
    let (text, exit) = planned(|_| {}, &mut |it| went_well(&it));
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"
    train.py on a modelled Tesla T4: no card was used, and every
    number is MODELLED.

    ✓ It fits, with 15.8 GiB to spare.

    Lines 2, 3 read values, which a plan does not compute; the
    program got nan, or 0 for whole numbers. If it branches on
    them, a real run may differ.

    Time: 251 ms in all.
    Since the card's first work, 60 % is arithmetic. The
    arithmetic units are busy; a lower precision, or fewer
    operations, would help.
      arithmetic                600 µs
      memory bandwidth          200 µs
      waiting for the host      200 µs

    Memory at its peak, line 3:
      weights                12.0 MiB  ██████
      gradients              12.0 MiB  ██████
      saved activations      24.0 MiB  ████████████
      all tensors            48.0 MiB  0.3 % of 16.0 GiB
    The allocator holds up to 60.0 MiB, the CUDA context 128
    MiB, of 16.0 GiB.
    The floor is 24.0 MiB: weights, gradients and optimizer
    state, whatever the batch.

    Time by line, the longest:
    line  times     host  waited  device
       3      1  5.00 µs          800 µs  y = x @ x
    ");
}

#[test]
fn what_does_not_fit_names_the_line_and_what_it_would_need() {
    let (text, exit) = planned(|_| {}, &mut |it| did_not_fit(&it));
    assert_eq!(exit, Exit::Wrong);
    assert!(
        text.contains("line 3 asks for 20.0 MiB while tensors hold 28.0 MiB"),
        "{text}"
    );
    assert!(text.contains("need 188 MiB"), "{text}");
}

#[test]
fn a_workspace_without_room_is_told_with_its_line() {
    let mut run_lab = |request: RunRequest| {
        let bound = WorkspaceBound {
            line: 3,
            bytes: 5 << 30,
            held: 12 << 30,
            fits: false,
        };
        let held = Memory {
            convolution_workspace: Some(bound),
            ..memory(16 << 30)
        };
        ended(
            &request,
            Report {
                outcome: Outcome::Done,
                host_ns: 1,
                memory: Some(Box::new(held)),
                ..Report::broken("")
            },
        )
    };
    let (text, exit) = planned(|_| {}, &mut run_lab);
    assert_eq!(exit, Exit::Fine);
    let wanted = "✓ It fits without cuDNN's workspaces, which are up to 5.00 GiB on top at line 3.";
    assert!(text.contains(wanted), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("for which there is no room"), "{text}");
    let (text, _) = planned(|args| args.all = true, &mut run_lab);
    assert!(text.contains("✓ no workspaces"), "{text}");
    let (text, _) = planned(|args| args.json = true, &mut run_lab);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let plan = &json["plans"][0];
    assert_eq!(plan["fits"], true);
    assert_eq!(plan["memory"]["convolution_workspace"]["fits"], false);
}

#[test]
fn what_would_fit_in_one_piece_says_so() {
    let on = |capacity: u64| {
        let mut run_lab = |request: RunRequest| {
            let mut run = did_not_fit(&request);
            let memory = run.report.as_mut().unwrap().memory.as_mut().unwrap();
            memory.capacity = capacity;
            run
        };
        planned(|_| {}, &mut run_lab).0
    };
    // Tensors, the context and what is asked for are 176 MiB.
    assert!(!on(175 << 20).contains("in one piece"));
    let text = on(176 << 20);
    let wanted = "were it in one piece: 12.0 MiB of the allocator's memory lies";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn a_value_that_is_not_computed_is_said_where_it_is_printed() {
    let mut run_lab = |request: RunRequest| {
        let mut run = went_well(&request);
        run.output = "0 nan\nloss=nan, banana nan_count\ntensor(nan)\n".to_owned();
        if let Some(report) = &mut run.report {
            report.unknown_read = vec![7];
        }
        run
    };
    let (text, _) = planned(|_| {}, &mut run_lab);
    let at = text.find("It prints:").unwrap();
    let said: Vec<&str> = text.get(at..).unwrap().lines().take(8).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    It prints:
      0 (not computed)
      loss=(not computed), banana nan_count
      tensor(not computed)

    Line 7 reads values, which a plan does not compute; the
    program got nan, or 0 for whole numbers. If it branches on
    them, a real run may differ.
    ");
}

#[test]
fn a_plan_shows_what_the_program_prints_up_to_some_lines() {
    let printed = |lines: u32| {
        let mut run_lab = |request: RunRequest| {
            let printed: Vec<String> = (0..lines).map(|it| format!("step {it}\n")).collect();
            let output = printed.concat();
            let run = went_well(&request);
            Run { output, ..run }
        };
        planned(|_| {}, &mut run_lab).0
    };
    assert!(!printed(0).contains("It prints"));
    assert!(printed(2).contains("\nIt prints:\n  step 0\n  step 1\n\n"));
    assert!(printed(13).contains("\n  … and 1 more line\n"));
    let long = printed(20);
    assert!(
        long.contains("  step 11\n  … and 8 more lines\n\n"),
        "{long}"
    );
}

#[test]
fn a_mistake_is_shown_where_it_is() {
    let (text, exit) = planned(|_| {}, &mut |it| stopped(&it));
    assert_eq!(exit, Exit::Wrong);
    assert!(text.contains("✗ It stops at line 3"), "{text}");
    assert!(text.contains("RuntimeError: two devices"), "{text}");
}

#[test]
fn all_cards_stand_in_one_table() {
    let mut run_lab = |request: RunRequest| {
        if request.device.to_string() == "model:t4" {
            did_not_fit(&request)
        } else {
            went_well(&request)
        }
    };
    let (text, exit) = planned(|args| args.all = true, &mut run_lab);
    assert_eq!(exit, Exit::Fine);
    let lines: Vec<&str> = text.lines().collect();
    let (first, rest) = lines.split_at(5);
    insta::assert_snapshot!(first.join("\n"), @r"
    train.py on modelled cards: no card was used, and every number is MODELLED.

    card               fits                 needs        of      time  most of it
    Tesla T4           ✗ no: line 3       188 MiB   150 MiB      1 ns
    NVIDIA L4          ✓ yes              188 MiB  16.0 GiB    251 ms  arithmetic 60 %
    ");
    // The pretended run is the same on all other cards.
    let cells = |line: &str, title: &str| {
        let cells = line.strip_prefix(title)?;
        Some(cells.trim_start().to_owned())
    };
    let expected = cells(first[4], "NVIDIA L4");
    let cards = cards::shipped().in_order();
    assert_eq!(rest.len(), cards.len() - 2, "{text}");
    for (line, (_, card)) in rest.iter().zip(cards.iter().skip(2)) {
        assert_eq!(cells(line, &card.title), expected);
    }
}

#[test]
fn a_plan_for_programs_has_every_number() {
    let (text, _) = planned(|args| args.json = true, &mut |it| went_well(&it));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["clock"], "modelled");
    let plan = &json["plans"][0];
    assert_eq!((&plan["card"], &plan["fits"]), (&"t4".into(), &true.into()));
    assert_eq!(plan["total_ns"], 251_000_000);
    assert_eq!(plan["memory"]["peak"]["weights"], 12 << 20);
    assert_eq!(plan["dominated_by"], "arithmetic");
}

#[test]
fn a_card_or_a_file_that_is_not_there_is_a_wrong_argument() {
    let (text, exit) = planned(|args| args.card = "v100".to_owned(), &mut |it| {
        went_well(&it)
    });
    assert_eq!(exit, Exit::Arguments);
    assert!(text.contains("there is no modelled card `v100`"), "{text}");
    let (text, exit) = planned(|args| args.program = PathBuf::from("no.py"), &mut |it| {
        went_well(&it)
    });
    assert_eq!(exit, Exit::Arguments);
    assert!(text.contains("cannot read no.py"), "{text}");
    let lab = PathBuf::from("two-workers/first-run");
    let (text, _) = planned(|args| args.program = lab, &mut |it| went_well(&it));
    insta::assert_snapshot!(text, @r"
    error: cannot read two-workers/first-run
    cause: there is no folder two-workers
    hint: a program is a file that ends in .py; `warpup run two-workers/first-run` would run a lab
    ");
}
