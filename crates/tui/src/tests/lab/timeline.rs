//! The timeline and the memory of a run.

use super::*;
use crate::app::App;
use crate::session::Session;
use crate::theme::{Colours, Letters, Theme};
use warpup_progress::Progress;

/// The same on a terminal that draws nothing but ASCII.
fn lab_in_ascii(width: u16, height: u16) -> Play {
    let mut play = Play::new(width, height);
    let theme = Theme {
        colours: Colours::None,
        letters: Letters::Ascii,
    };
    let progress = Progress::from_records([], &sample::course().id);
    let session = Session::new(sample::course(), progress, theme, 7);
    play.app = App::new(session, play.size);
    play.keys("\nn\n");
    play
}

#[test]
fn an_interrupted_line_has_a_mark_and_a_sentence() {
    let mut play = lab(80, 24);
    play.keys("r");
    let run = play.asked().run;
    let mut report = report(Outcome::Done);
    report.lines[2].interrupted_ns = 300_000;
    let device = warpup_protocol::DeviceInfo::cpu(2);
    play.reply(Reply::Started { run, device });
    play.reply(Reply::Finished { run, report });
    play.keys("oo");
    let screen = play.screen();
    assert!(screen.contains("!│ print(x.device)"), "{screen}");
    let said = "! line 3 was interrupted for 300 µs of its 388 µs: other work had the core";
    assert!(screen.contains(said), "{screen}");
}

#[test]
fn the_timeline_goes_closer_and_along_the_run() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("oo++");
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
    host           ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0 ns
                   busy 0 ns · waited 225 µs
    line           2▁▁
    copy to device ███·················································· 12.5 µs
                   at 338 µs  +50.0 µs    +100 µs     +150 µs
    ▂▄▆█ busy  ░ waiting  ─ Python  · idle   MODELLED · this part
    not drawn: first use of the card on line 2: the CUDA context, 250 µs, once
    in a run
    line 3 waited 800 µs, 300 µs of it for line 2 (item())

    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
    play.keys("<<<<");
    let screen = play.screen();
    assert!(screen.contains("at 0 ns"), "{screen}");
    assert!(!screen.contains("< earlier"), "{screen}");
    play.keys("---");
    let screen = play.screen();
    assert!(screen.contains("   0 ns   "), "{screen}");
    assert!(!screen.contains("- farther"), "{screen}");
}

#[test]
fn an_ascii_terminal_has_a_sign_for_each_state_of_a_lane() {
    let mut play = lab_in_ascii(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("oo");
    let screen = play.screen();
    let lanes = screen
        .lines()
        .filter(|it| it.contains("host    ") || it.contains("busy  ") || it.contains("copy to"));
    insta::assert_snapshot!(lanes.collect::<Vec<_>>().join("\n"), @"
    host           ######wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww  100 us
    copy to device ..:#################=................................  300 us
    :=*# busy  w waiting  - Python  . idle   MODELLED
    ");
}

#[test]
fn a_run_that_held_memory_shows_for_what_and_when() {
    use warpup_protocol::{Moment, Purposes};
    let mut play = lab(80, 24);
    let mut report = report(Outcome::Done);
    let held = report.memory.as_mut().unwrap();
    held.peak_live = 48 << 20;
    held.peak = Purposes {
        weights: 12 << 20,
        activations: 36 << 20,
        ..Purposes::default()
    };
    let at = |at_ns, activations| Moment {
        at_ns,
        line: 2,
        held: Purposes {
            weights: 12 << 20,
            activations,
            ..Purposes::default()
        },
    };
    held.over_time = vec![at(0, 0), at(50, 36 << 20), at(90, 18 << 20), at(100, 0)];
    play.keys("r");
    let run = play.asked().run;
    play.reply(Reply::Finished { run, report });
    play.keys("ooo");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ▸ x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    ✓ passed: it ran to its end
    host 1.24 ms · device 310 µs · MODELLED · peak 48.0 MiB (line 2)
    ── task  output  checks  timeline [memory] hints ───────────────────────────
    MODELLED: tensors held at most 48.0 MiB at line 2, the allocator 2.00 MiB,
    of 16.0 GiB
    at the peak
      weights                12.0 MiB  ██████████
      saved activations      36.0 MiB  ██████████████████████████████
      all tensors            48.0 MiB  0.3 % of 16.0 GiB
    in the course of the run
      48.0 MiB                                 █████████████████████████
                                               █████████████████████████▄▄▄▄▄▄
                                               ███████████████████████████████
           0 B ████████████████████████████████████████████████████████████████
               0 ns        20 ns        40 ns        60 ns        80 ns

    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
}

#[test]
fn a_key_of_the_timeline_that_does_nothing_says_why() {
    let mut play = Play::new(80, 24);
    let said = |play: &Play| play.screen().lines().last().unwrap_or("").trim().to_owned();
    play.keys("\nn\n+");
    let mut all = vec![said(&play)];
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("+");
    all.push(said(&play));
    play.keys("oo-");
    all.push(said(&play));
    play.keys("<");
    all.push(said(&play));
    insta::assert_snapshot!(all.join("\n"), @"
    There is no timeline yet: run the lab first.
    Open the timeline first.
    The whole timeline is visible.
    The whole timeline is visible.
    ");
}

#[test]
fn an_empty_place_on_the_hosts_lane_is_python_and_not_idleness() {
    let mut play = lab(80, 24);
    play.keys("r");
    let run = play.asked().run;
    let spans = vec![
        span(Lane::Host, "add", 0, 1_000),
        span(Lane::Host, "add", 90_000, 91_000),
    ];
    play.reply(Reply::Spans { run, spans });
    let report = report(Outcome::Done);
    play.reply(Reply::Finished { run, report });
    play.keys("oo");
    let screen = play.screen();
    assert!(screen.contains("─ Python"), "{screen}");
    let lane = screen
        .lines()
        .find(|it| it.trim_start().starts_with("host      "));
    assert!(lane.is_some_and(|it| it.contains("▄───")), "{screen}");
}
