//! The states of a lab at the sizes that people have.

use super::*;
use crate::app::Event;

/// What the screen shows, without the empty rows above the footer.
fn shown(play: &Play) -> String {
    let screen = play.screen();
    let mut rows: Vec<&str> = screen.lines().collect();
    let footer = rows.pop().unwrap_or_default();
    while rows.last().is_some_and(|it| it.trim().is_empty()) {
        rows.pop();
    }
    [rows.join("\n"), footer.to_owned()].join("\n")
}

fn opened(width: u16, height: u16) -> String {
    shown(&lab(width, height))
}

fn edited(width: u16, height: u16) -> String {
    let mut play = lab(width, height);
    play.keys("r");
    play_run(&mut play, raised("RuntimeError", false));
    play.keys("e# ");
    shown(&play)
}

fn predicting(width: u16, height: u16) -> String {
    let mut play = Play::new(width, height);
    play.keys("\nn").press(KeyCode::Tab).keys("\nrj");
    shown(&play)
}

fn timeline(width: u16, height: u16) -> String {
    let mut play = lab(width, height);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("oo");
    shown(&play)
}

/// A program that has no room beside the pane.
fn long_lines(width: u16, height: u16) -> String {
    let mut play = lab(width, height);
    let line = format!("words = \"{}\"\n", "long ".repeat(17));
    play.keys("e").send(Event::Paste(line)).press(KeyCode::Esc);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    shown(&play)
}

#[test]
fn at_80_by_24_nothing_is_missing() {
    insta::assert_snapshot!(opened(80, 24), @r#"
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
    insta::assert_snapshot!(edited(80, 24), @r#"
    EDITING · Put it on the device                                        on CPU

           host device   MODELLED  before your edit                 placement.py
     1  12.0 µs        │ import torch
     2                 │ # x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    Before your edit: ✗ RuntimeError on line 2: Expected all tensors to be on
    the same device
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task [output] checks  timeline  memory  hints  diff ─────────────────────
    cuda:0
    Traceback (most recent call last):
      File "placement.py", line 2
    RuntimeError: Expected all tensors to be on the same device
    Ctrl-R run  Esc stop editing  Ctrl-Z undo  F6 pane  Ctrl-F find  F1 help
    "#);
    insta::assert_snapshot!(predicting(80, 24), @"
    lab · Time a sum                                                      on CPU

                                                                       timing.py
     1 ▸ print(1)

    Choose an answer; Enter starts the run.

    ──[predict before you run] task ────────────────────────────────────────────
    How long does the sum take?

    ▸ 1 ● under 1 ms
      2 ○ 1 ms or more
    ↓ choose   Enter commit   o pane   d device   w words   q back   ? help
    ");
    insta::assert_snapshot!(timeline(80, 24), @r#"
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
fn at_40_by_12_all_can_be_read() {
    insta::assert_snapshot!(opened(40, 12), @r#"
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
    insta::assert_snapshot!(edited(40, 12), @r#"
    EDITING · Put it on the device    on CPU
                                placement.py
     1 │ import torch
     2 │ # x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    Before your edit: ✗ RuntimeError on…
    ── task [output] checks  timeline›──────
      File "placement.py", line 2
    RuntimeError: Expected all tensors to be
    ↪ on the same device
    Ctrl-R run  Esc stop editing  F1 help
    "#);
    insta::assert_snapshot!(predicting(40, 12), @"
    lab · Time a sum                  on CPU
                                   timing.py
     1 ▸ print(1)

    Choose an answer; Enter starts the run.
    ──[predict before you run] task ────────
    How long does the sum take?

    ▸ 1 ● under 1 ms
      2 ○ 1 ms or more
    ↓ choose  Enter commit  q back  ? help
    ");
    insta::assert_snapshot!(timeline(40, 12), @"
    lab · Put it on the device        on CPU
           host device   MODELLED
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ▸ x = torch.ones(3).›
     3   388 µs        │ print(x.device)
    ✓ passed: 1 of 1 checks hold
    ──‹checks [timeline] memory›─────── ↓ 16
    line 2: host 840 µs · device 300 µs
    59 % of the run without first use
    line 3 waited 800 µs for it
    line           2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    Enter read on  r run  q back  ? help
    ");
}

#[test]
fn at_160_by_50_a_program_that_fits_has_its_panes_beside_it() {
    insta::assert_snapshot!(opened(160, 50), @r#"
    lab · Put it on the device                                                                                                                            on CPU

                                                      placement.py   r runs this on CPU
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)                                             ──[task] output  checks  timeline  hints ──────────────────────────────────────────────────
                                                                     It passes when
                                                                     ○ y is on the card

                                                                     Decide what it prints, then run it.
    r run   e edit   o pane   d device   ↓ line   h hint   w words   q back   S save screen   ? help
    "#);
    insta::assert_snapshot!(edited(160, 50), @r#"
    EDITING · Put it on the device                                                                                                                        on CPU

           host waited device   MODELLED  before your edit           Before your edit: ✗ RuntimeError on line 2: Expected all tensors to be on the same device
     1  12.0 µs               │ import torch                         host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
     2                        │ # x = torch.ones(3).to("cuda")
     3   388 µs 380 µs        │ print(x.device)                      ── task [output] checks  timeline  memory  hints  diff ────────────────────────────────────
                                                                     cuda:0
    ── memory ────────────────────────────────────────────────────   Traceback (most recent call last):
    MODELLED: tensors held at most 12 B at line 2, the allocator       File "placement.py", line 2
    2.00 MiB, of 16.0 GiB                                            RuntimeError: Expected all tensors to be on the same device
    at the peak
      all tensors                12 B  below 0.1 % of 16.0 GiB


                                                                     ── timeline ───────────────────────────────────────────────────────────────────────────────
                                                                     line           2
                                                                     host           ███████▄░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  100 µs
                                                                                    busy 100 µs · waited 800 µs
                                                                     line              2
                                                                     copy to device ···▂██████████████████████▄·········································  300 µs
                                                                                    0 ns           200 µs         400 µs         600 µs         800 µs
                                                                     ▂▄▆█ busy  ░ waiting  ─ Python  · idle   MODELLED
                                                                     not drawn: first use of the card on line 2: the CUDA context, 250 µs, once in a run
                                                                     line 3 waited 800 µs, 300 µs of it for line 2 (item())
                                                                     most device time: line 2 (300 µs)
                                                                     memory: peak 12 B of 16.0 GiB, 12 B held at the end; reserved: peak 2.00 MiB, 2.00 MiB at
                                                                     the end
    Ctrl-R run   Esc stop editing   Ctrl-Z undo   F6 pane   Ctrl-F find   F1 help
    "#);
}

#[test]
fn at_160_by_50_a_prediction_and_a_run_are_beside_the_program() {
    insta::assert_snapshot!(predicting(160, 50), @"
    lab · Time a sum                                                                                                                                      on CPU

                                                         timing.py   Choose an answer; Enter starts the run.
     1 ▸ print(1)

                                                                     ──[predict before you run] task ───────────────────────────────────────────────────────────
                                                                     How long does the sum take?

                                                                     ▸ 1 ● under 1 ms
                                                                       2 ○ 1 ms or more
    ↓ choose   Enter commit   o pane   d device   w words   q back   ? help
    ");
    insta::assert_snapshot!(timeline(160, 50), @r#"
    lab · Put it on the device                                                                                                                            on CPU

           host waited device   MODELLED              placement.py   ✓ passed: 1 of 1 checks hold
     1  12.0 µs               │ import torch                         host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
     2   840 µs        300 µs ▸ x = torch.ones(3).to("cuda")
     3   388 µs 380 µs        │ print(x.device)                      ── task  output  checks [timeline] memory  hints ──────────────────────────────────────────
                                                                     line 2: host 840 µs · device 300 µs · 59 % of the run without first use
    ── memory ────────────────────────────────────────────────────   line 3 waited 800 µs for it
    MODELLED: tensors held at most 12 B at line 2, the allocator     line           2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    2.00 MiB, of 16.0 GiB                                            host           ███████▄░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  100 µs
    at the peak                                                                     busy 100 µs · waited 800 µs
      all tensors                12 B  below 0.1 % of 16.0 GiB       line              2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
                                                                     copy to device ···▂██████████████████████▄·········································  300 µs
                                                                                    0 ns           200 µs         400 µs         600 µs         800 µs
                                                                     ▂▄▆█ busy  ░ waiting  ─ Python  · idle   MODELLED
                                                                     not drawn: first use of the card on line 2: the CUDA context, 250 µs, once in a run
                                                                     line 3 waited 800 µs, 300 µs of it for line 2 (item())
                                                                     most device time: line 2 (300 µs)
                                                                     memory: peak 12 B of 16.0 GiB, 12 B held at the end; reserved: peak 2.00 MiB, 2.00 MiB at
                                                                     the end
    Enter read on   r run   e edit   o pane   d device   ↓ line   h hint   + zoom in   w words   q back   S save screen   ? help
    "#);
}

#[test]
fn at_160_by_50_a_program_that_does_not_fit_is_cut() {
    insta::assert_snapshot!(long_lines(160, 50), @r#"
    lab · Put it on the device                                                                                                                            on CPU

           host waited device   MODELLED                                                         placement.py   ✓ passed: 1 of 1 checks hold
     1  12.0 µs               │ words = "long long long long long long long long long long long long long lo›   host 1.24 ms · device 310 µs · MODELLED
     2   840 µs        300 µs ▸ import torch                                                                    peak 12 B (line 2)
     3   388 µs 380 µs        │ x = torch.ones(3).to("cuda")                                                    ── task [output] checks  timeline  memory›──────
     4                        │ print(x.device)                                                                 cuda:0







                                                                                                                ── timeline ────────────────────────────────────
                                                                                                                line 2: host 840 µs · device 300 µs
                                                                                                                59 % of the run without first use
                                                                                                                line 3 waited 800 µs for it
                                                                                                                line           2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
                                                                                                                host           ██▆░░░░░░░░░░░░░░░░░░░░░░  100 µs
                                                                                                                               busy 100 µs · waited 800 µs
                                                                                                                line            2▁▁▁▁▁▁▁▁
                                                                                                                copy to device ·▄███████▆···············  300 µs
                                                                                                                               0 ns         500 µs
                                                                                                                ▂▄▆█ busy  ░ waiting  ─ Python  · idle
                                                                                                                MODELLED
                                                                                                                not drawn: first use of the card on line 2: the
                                                                                                                CUDA context, 250 µs, once in a run
                                                                                                                line 3 waited 800 µs, 300 µs of it for line 2
                                                                                                                (item())
                                                                                                                most device time: line 2 (300 µs)
                                                                                                                memory: peak 12 B of 16.0 GiB, 12 B held at the
                                                                                                                end; reserved: peak 2.00 MiB, 2.00 MiB at the
                                                                                                                end
    Enter read on   r run   e edit   o pane   d device   ↓ line   h hint   → scroll   + zoom in   w words   q back   S save screen   ? help
    "#);
}

#[test]
fn lines_that_are_cut_say_so_on_both_sides() {
    let mut play = lab(40, 12);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.press(KeyCode::Right);
    let screen = play.screen();
    let program: Vec<_> = screen.lines().skip(2).take(3).collect();
    insta::assert_snapshot!(program.join("\n"), @r#"
    1  12.0 µs        │ ‹rch
    2   840 µs 300 µs ▸ ‹.ones(3).to("cuda›
    3   388 µs        │ ‹evice)
    "#);
    // While it is edited, the cursor is beside the mark.
    play.keys("e").press(KeyCode::Down).press(KeyCode::End);
    play.keys("aaaaaaaaaaaaaaaaaaaa");
    for _ in 0..40 {
        play.press(KeyCode::Left);
    }
    let screen = play.screen();
    let program: Vec<_> = screen.lines().skip(2).take(3).collect();
    insta::assert_snapshot!(program.join("\n"), @r#"
    1 │ import torch
    2 │ x = torch.ones(3).to("cuda")
    3 │ print(x.device)aaaaaaaaaaaaaaaaaaaa
    "#);
}
