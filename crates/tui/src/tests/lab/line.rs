//! The chosen line of a program: its work is marked in the timeline, which says what it waited for.

use super::super::mouse::click;
use super::*;
use crate::stack::Wheel;

fn after_a_run(width: u16, height: u16) -> Play {
    let mut play = lab(width, height);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play
}

/// The rows of the screen that have one of these words.
fn rows(play: &Play, words: &[&str]) -> String {
    let screen = play.screen();
    let rows = screen
        .lines()
        .filter(|row| words.iter().any(|it| row.contains(it)));
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_slowest_line_is_chosen_after_a_run_and_arrows_choose_others() {
    let mut play = after_a_run(80, 24);
    play.keys("oo");
    insta::assert_snapshot!(rows(&play, &["▸", "line 2:", "▁", "host  ", "copy to"]), @r#"
     2   840 µs 300 µs ▸ x = torch.ones(3).to("cuda")
    line 2: host 840 µs · device 300 µs · 59 % of the run without first use
    line           2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    host           ██████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  100 µs
    line             2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    copy to device ··▂█████████████████▄································  300 µs
    not drawn: first use of the card on line 2: the CUDA context, 250 µs, once
    "#);
    play.press(KeyCode::Down);
    insta::assert_snapshot!(rows(&play, &["▸", "line 3:", "▁"]), @"
     3   388 µs        ▸ print(x.device)
    line 3: host 388 µs · 39 % of the run without first use
    ");
    play.press(KeyCode::Up).press(KeyCode::Up);
    assert!(play.screen().contains("line 1: host"), "{}", play.screen());
    // The first line has none above.
    play.press(KeyCode::Up);
    assert!(play.screen().contains("line 1: host"), "{}", play.screen());
}

#[test]
fn a_click_on_a_bar_or_on_the_program_chooses_the_line() {
    let mut play = after_a_run(80, 24);
    play.keys("oo").press(KeyCode::Down);
    assert!(play.screen().contains("line 3: host"), "{}", play.screen());
    click(&mut play, "██");
    assert!(play.screen().contains("line 2: host"), "{}", play.screen());
    click(&mut play, "import torch");
    assert!(play.screen().contains("line 1: host"), "{}", play.screen());
}

#[test]
fn editing_begins_in_the_chosen_line_and_an_edited_program_has_no_marks() {
    let mut play = after_a_run(80, 24);
    play.keys("oo").press(KeyCode::Down).keys("e# ");
    assert!(
        play.screen().contains("# print(x.device)"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Esc);
    assert!(!play.screen().contains("line 3: host"), "{}", play.screen());
}

#[test]
fn the_wheel_scrolls_the_pane_and_chooses_no_line() {
    let mut play = after_a_run(80, 24);
    play.keys("oo");
    play.send(crate::app::Event::Wheel(Wheel::Down));
    let screen = play.screen();
    assert!(screen.contains("300 µs ▸ x = torch"), "{screen}");
    assert!(!screen.contains("lines 1–"), "{screen}");
}

#[test]
fn a_wide_screen_shows_output_timeline_and_memory_together() {
    let mut play = lab(160, 50);
    let mut report = report(Outcome::Done);
    let held = report.memory.as_mut().unwrap();
    held.peak_live = 48 << 20;
    held.peak.weights = 48 << 20;
    play.keys("r");
    let run = play.asked().run;
    play.reply(Reply::Output {
        run,
        text: "cuda:0\n".to_owned(),
        to: warpup_protocol::Standard::Output,
    });
    let spans = vec![
        span(Lane::Host, "to", 0, 100_000),
        span(Lane::CopyToDevice, "copy", 50_000, 90_000),
    ];
    play.reply(Reply::Spans { run, spans });
    play.reply(Reply::Finished { run, report });
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                                                                                                            on CPU

           host waited device   MODELLED              placement.py   ✓ passed: it ran to its end
     1  12.0 µs               │ import torch                         host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 48.0 MiB (line 2)
     2   840 µs        300 µs ▸ x = torch.ones(3).to("cuda")
     3   388 µs 380 µs        │ print(x.device)                      ── task [output] checks  timeline  memory  hints ──────────────────────────────────────────
                                                                     cuda:0
    ── memory ────────────────────────────────────────────────────
    MODELLED: tensors held at most 48.0 MiB at line 2, the
    allocator 2.00 MiB, of 16.0 GiB
    at the peak
      weights                48.0 MiB  ██████████████████████████
      all tensors            48.0 MiB  0.3 % of 16.0 GiB

                                                                     ── timeline ───────────────────────────────────────────────────────────────────────────────
                                                                     line 2: host 840 µs · device 300 µs · 59 % of the run without first use
                                                                     line 3 waited 800 µs for it
                                                                     line           2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
                                                                     host           ████████████████████████████████████████████████████████████████████  100 µs
                                                                     line                                             2▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
                                                                     copy to device ··································███████████████████████████▂······ 40.0 µs
                                                                                    0 ns         20.0 µs       40.0 µs      60.0 µs       80.0 µs
                                                                     ▂▄▆█ busy  ░ waiting  ─ Python  · idle   MODELLED
                                                                     not drawn: first use of the card on line 2: the CUDA context, 250 µs, once in a run
                                                                     line 3 waited 800 µs, 300 µs of it for line 2 (item())
                                                                     most device time: line 2 (40.0 µs)
                                                                     memory: peak 48.0 MiB of 16.0 GiB, 12 B held at the end; reserved: peak 2.00 MiB, 2.00 MiB
                                                                     at the end





















    Enter read on   r run   e edit   o pane   d device   ↓ line   h hint   + zoom in   w words   q back   S save screen   ? help
    "#);
}
