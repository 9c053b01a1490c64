//! The runs of a lab: what is kept of them, two side by side, and what a run says of its time.

use super::*;
use crate::app::Event;

#[test]
fn a_lab_keeps_its_run_its_pane_and_its_hints_for_the_session() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("hoooo");
    let before = play.screen();
    assert!(before.contains("[timeline]"), "{before}");
    // Enter reads on after a lab that has passed; who comes to it again opens it.
    play.keys("q")
        .press(KeyCode::Tab)
        .press(KeyCode::BackTab)
        .keys("\n");
    assert_eq!(play.screen(), before);
    play.keys("oo");
    assert!(play.screen().contains("hint 1 of 1"), "{}", play.screen());
}

#[test]
fn enter_reads_on_after_a_lab_that_has_passed() {
    let mut play = lab(80, 24);
    play.keys("q\n");
    assert!(play.screen().contains("[task]"), "{}", play.screen());
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("q");
    assert!(
        play.screen().contains("Enter continue"),
        "{}",
        play.screen()
    );
    play.keys("\n");
    assert!(play.screen().contains("page 2 of 2"), "{}", play.screen());
    play.keys("pn\n");
    assert!(play.screen().contains("lab · "), "{}", play.screen());
}

#[test]
fn a_run_that_is_left_does_not_go_on_and_leaves_the_one_before() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("rq")
        .press(KeyCode::Tab)
        .press(KeyCode::BackTab)
        .keys("\n");
    assert!(play.screen().contains("✓ passed"), "{}", play.screen());
}

#[test]
fn a_second_run_is_shown_beside_the_first_line_by_line() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("e#").press(KeyCode::Esc).keys("r");
    let run = play.asked().run;
    let mut faster = report(Outcome::Done);
    faster.host_ns = 400_000;
    for line in &mut faster.lines {
        line.host_ns /= 4;
    }
    let device = warpup_protocol::DeviceInfo::cpu(2);
    play.reply(Reply::Started { run, device });
    play.reply(Reply::Finished {
        run,
        report: faster,
    });
    play.keys("ooo");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

           host device   MODELLED  * first use                      placement.py
     1  3.00 µs        │ import torch
     2  *210 µs 300 µs ▸ #x = torch.ones(3).to("cuda")
     3  97.0 µs        │ print(x.device)

    ✓ passed: it ran to its end
    host 400 µs (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    without first use: host 990 µs → 150 µs · device 310 µs → 310 µs
    CPU, 2 threads
    ── task  output  checks  timeline [memory] runs  hints  diff ───────────────
    MODELLED: tensors held at most 12 B at line 2, the allocator 2.00 MiB, of
    16.0 GiB
    at the peak
      all tensors                12 B  below 0.1 % of 16.0 GiB







    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
    play.send(Event::Resize(40, 12));
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device        on CPU
           host device   MODELLED
     1  3.00 µs        │ import torch
     2  *210 µs 300 µs ▸ #x = torch.ones(3)›
     3  97.0 µs        │ print(x.device)
    ✓ passed: it ran to its end
    ──‹checks  timeline [memory] runs›── ↓ 1
    MODELLED: tensors held at most 12 B at
    line 2, the allocator 2.00 MiB, of 16.0
    GiB
    at the peak
    Enter read on  r run  q back  ? help
    ");
}

#[test]
fn a_run_says_how_long_it_has_taken_and_only_a_run_wakes_the_app() {
    let mut play = lab(80, 24);
    play.keys("r");
    assert_eq!(play.app.wake_at(), None, "the worker has not begun");
    let run = play.asked().run;
    let device = warpup_protocol::DeviceInfo::cpu(2);
    play.reply(Reply::Started { run, device });
    let began = play.now_ms;
    assert_eq!(play.app.wake_at(), Some(began + 1000));
    play.send(Event::Tick).send(Event::Tick);
    assert_eq!(play.app.wake_at(), Some(began + 3000));
    let screen = play.screen();
    assert!(
        screen.contains("… running on CPU, 2 s of 20 s: c cancels"),
        "{screen}"
    );
    play.reply(Reply::Finished {
        run,
        report: report(Outcome::Done),
    });
    assert_eq!(play.app.wake_at(), None);
}

#[test]
fn the_slowest_lines_are_bold_and_those_of_no_weight_dim() {
    use ratatui::style::Modifier;
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    let buffer = play.buffer();
    let row_of = |text: &str| {
        play.screen()
            .lines()
            .position(|it| it.contains(text))
            .unwrap()
    };
    let look = |text: &str| {
        let row = u16::try_from(row_of(text)).unwrap();
        let cells = (0..14).filter_map(|column| buffer.cell((column, row)));
        let digits = cells.filter(|it| it.symbol().contains(['µ']));
        digits.map(|it| it.modifier).next()
    };
    assert_eq!(look("x = torch.ones"), Some(Modifier::BOLD));
    assert_eq!(look("import torch"), Some(Modifier::empty()));
}
