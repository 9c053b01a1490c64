//! Labs: what the screen shows of a program and its run.

mod diff;
mod editing;
mod ends;
mod findings;
mod line;
mod runs;
pub(super) mod saved_screen;
mod sizes;
mod task;
mod timeline;
mod ways;
mod work;

use super::{Play, sample};
use crate::effect::Effect;
use ratatui::crossterm::event::KeyCode;
use warpup_progress::Event as Done;
use warpup_protocol::{
    Check, Clock, FirstUse, Gaps, Lane, LineTime, Memory, Outcome, Reason, Reply, Report, RunId,
    Span, UncaughtException, Wait, WaitCause,
};

/// The first lab of the sample course.
fn lab(width: u16, height: u16) -> Play {
    let mut play = Play::new(width, height);
    play.keys("\nn\n");
    play
}

fn report(outcome: Outcome) -> Report {
    let line = |line, host_ns, wait_ns, device_ns| LineTime {
        line,
        hits: 1,
        host_ns,
        wait_ns,
        interrupted_ns: 0,
        worker_ns: 0,
        device_ns,
    };
    Report {
        outcome,
        clock: Clock::Modelled,
        host_ns: 1_240_000,
        device_ns: Some(310_000),
        lines: vec![
            line(1, 12_000, 0, None),
            line(2, 840_000, 0, Some(300_000)),
            line(3, 388_000, 380_000, None),
        ],
        spans_dropped: 0,
        memory: Some(Box::new(Memory {
            live: 12,
            reserved: 2 << 20,
            peak_live: 12,
            peak_reserved: 2 << 20,
            peak_line: 2,
            capacity: 16 << 30,
            ..Memory::default()
        })),
        gaps: Some(Box::new(Gaps {
            first_use: Some(FirstUse {
                line: 2,
                ns: 250_000,
                ..FirstUse::default()
            }),
            waits: vec![Wait {
                line: 3,
                ns: 800_000,
                times: 1,
                until_line: 2,
                most_line: 2,
                most_ns: 300_000,
                most_lane: Some(Lane::CopyToDevice),
                idle_ns: 0,
                cause: WaitCause::Item,
            }],
            idle: Vec::new(),
        })),
        ..Report::broken("")
    }
}

fn span(lane: Lane, name: &str, start_ns: u64, end_ns: u64) -> Span {
    Span {
        lane,
        name: name.to_owned(),
        line: 2,
        start_ns,
        end_ns,
        bytes: 0,
        flops: 0,
        cause: WaitCause::Unknown,
    }
}

/// Replies of a run that ends like this.
pub(super) fn play_run(play: &mut Play, outcome: Outcome) {
    let run = play.asked().run;
    play.reply(Reply::Output {
        run,
        text: "cuda:0\n".to_owned(),
        to: warpup_protocol::Standard::Output,
    });
    if outcome == Outcome::Done {
        play.reply(Reply::Check {
            run,
            check: Check {
                name: "y is on the card".to_owned(),
                ok: true,
                hint: None,
            },
        });
    }
    play.reply(Reply::Spans {
        run,
        spans: vec![
            span(Lane::Host, "to", 0, 100_000),
            span(Lane::CopyToDevice, "to", 50_000, 350_000),
            span(Lane::Host, "wait", 100_000, 900_000),
        ],
    });
    play.reply(Reply::Finished {
        run,
        report: report(outcome),
    });
}

pub(super) fn raised(kind: &str, in_check: bool) -> Outcome {
    Outcome::Raised(UncaughtException {
        kind: kind.to_owned(),
        message: "Expected all tensors to be on the same device".to_owned(),
        line: 2,
        traceback: "Traceback (most recent call last):\n  File \"placement.py\", line 2\nRuntimeError: Expected all tensors to be on the same device\n".to_owned(),
        in_check,
 status: None,
})
}

#[test]
fn a_lab_opens_with_its_program() {
    insta::assert_snapshot!(lab(80, 24).screen(), @r#"
    lab · Put it on the device                                            on CPU

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    r runs this on CPU

    ──[task] output  checks  timeline  hints ───────────────────────────────────
    It passes when
    ○ y is on the card

    Decide what it prints, then run it.









    r run  e edit  o pane  d device  ↓ line  h hint  w words  q back  ? help
    "#);
    insta::assert_snapshot!(lab(40, 12).screen(), @r#"
    lab · Put it on the device        on CPU
                                placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)
    r runs this on CPU
    ──[task] output  checks  timeline›──────
    It passes when
    ○ y is on the card

    Decide what it prints, then run it.
    r run  e edit  o pane  q back  ? help
    "#);
}

#[test]
fn a_run_that_passes_shows_both_clocks_beside_each_line() {
    let mut play = lab(80, 24);
    play.keys("r");
    assert!(play.screen().contains("… running on CPU: c cancels"));
    play_run(&mut play, Outcome::Done);
    insta::assert_snapshot!(play.keys("o").screen(), @r#"
    lab · Put it on the device                                            on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ▸ x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    ✓ passed: 1 of 1 checks hold
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task  output [checks] timeline  memory  hints ───────────────────────────
    ✓ y is on the card












    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
    play.keys("o");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ▸ x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    ✓ passed: 1 of 1 checks hold
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task  output  checks [timeline] memory  hints ───────────────── Space ↓ 3
    line 2: host 840 µs · device 300 µs · 59 % of the run without first use
    line 3 waited 800 µs for it
    line           2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    host           ██████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  100 µs
                   busy 100 µs · waited 800 µs
    line             2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    copy to device ··▂█████████████████▄································  300 µs
                   0 ns       200 µs      400 µs      600 µs      800 µs
    ▂▄▆█ busy  ░ waiting  ─ Python  · idle   MODELLED
    not drawn: first use of the card on line 2: the CUDA context, 250 µs, once
    in a run
    line 3 waited 800 µs, 300 µs of it for line 2 (item())

    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
}

#[test]
fn a_wide_terminal_shows_everything_side_by_side() {
    let mut play = lab(140, 36);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                                                                                        on CPU

           host waited device   MODELLED          placement.py   ✓ passed: 1 of 1 checks hold
     1  12.0 µs               │ import torch                     host 1.24 ms · device 310 µs · MODELLED · peak 12 B (line 2)
     2   840 µs        300 µs ▸ x = torch.ones(3).to("cuda")
     3   388 µs 380 µs        │ print(x.device)                  ── task [output] checks  timeline  memory  hints ──────────────────────────
                                                                 cuda:0
    ── memory ────────────────────────────────────────────────
    MODELLED: tensors held at most 12 B at line 2, the
    allocator 2.00 MiB, of 16.0 GiB
    at the peak
      all tensors                12 B  below 0.1 % of 16.0 GiB


                                                                 ── timeline ───────────────────────────────────────────────────────────────
                                                                 line 2: host 840 µs · device 300 µs · 59 % of the run without first use
                                                                 line 3 waited 800 µs for it
                                                                 line           2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
                                                                 host           █████▆░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  100 µs
                                                                                busy 100 µs · waited 800 µs
                                                                 line             2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
                                                                 copy to device ··▂█████████████████▂·······························  300 µs
                                                                                0 ns       200 µs      400 µs     600 µs      800 µs
                                                                 ▂▄▆█ busy  ░ waiting  ─ Python  · idle   MODELLED
                                                                 not drawn: first use of the card on line 2: the CUDA context, 250 µs, once
                                                                 in a run
                                                                 line 3 waited 800 µs, 300 µs of it for line 2 (item())
                                                                 most device time: line 2 (300 µs)
                                                                 memory: peak 12 B of 16.0 GiB, 12 B held at the end; reserved: peak 2.00
                                                                 MiB, 2.00 MiB at the end





    Enter read on   r run   e edit   o pane   d device   ↓ line   h hint   + zoom in   w words   q back   S save screen   ? help
    "#);
}

#[test]
fn space_and_b_move_the_pane_as_j_and_k_do() {
    let mut play = lab(80, 24);
    play.keys("r");
    let run = play.asked().run;
    let text = (1..=40)
        .map(|it| format!("printed {it}"))
        .collect::<Vec<_>>()
        .join("\n")
        + "\n";
    play.reply(Reply::Output {
        run,
        text,
        to: warpup_protocol::Standard::Output,
    });
    play.reply(Reply::Finished {
        run,
        report: report(Outcome::Done),
    });
    assert!(play.screen().contains("printed 1\n"), "{}", play.screen());
    play.keys(" ");
    assert!(!play.screen().contains("printed 1\n"), "{}", play.screen());
    play.keys("b");
    assert!(play.screen().contains("printed 1\n"), "{}", play.screen());
}

#[test]
fn a_failing_line_comes_into_sight_and_the_program_scrolls_beside_the_pane() {
    let mut play = lab(40, 12);
    play.keys("e");
    let text = "a = 1\n".repeat(30);
    play.send(crate::app::Event::Paste(text)).ctrl('r');
    play.press(KeyCode::Esc);
    let run = play.asked().run;
    let Outcome::Raised(raised) = raised("SyntaxError", false) else {
        return;
    };
    play.reply(Reply::Finished {
        run,
        report: Report {
            lines: Vec::new(),
            ..report(Outcome::Raised(UncaughtException { line: 28, ..raised }))
        },
    });
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device        on CPU
             lines 27–29 of 33  placement.py
    27 │ a = 1
    28 ✗ a = 1
    29 │ a = 1
    ✗ SyntaxError on line 28: Expected all…
    ── task [output] checks  timeline›──────
    Traceback (most recent call last):
      File "placement.py", line 2
    RuntimeError: Expected all tensors to be
    ↪ on the same device
    r run  e edit  o pane  q back  ? help
    "#);
    play.press(KeyCode::PageUp).press(KeyCode::PageUp);
    assert!(play.screen().contains("26 │ a = 1"), "{}", play.screen());
}
