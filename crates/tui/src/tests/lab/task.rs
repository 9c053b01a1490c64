//! The task of a lab, and what can be read while a prediction is made.

use super::*;
use warpup_course::{Block, BlockKind, Text};

#[test]
fn the_task_is_in_the_lab_before_the_first_run_and_while_editing() {
    let mut play = lab(80, 24);
    insta::assert_snapshot!(play.screen(), @r#"
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
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("e").press(KeyCode::F(6)).press(KeyCode::F(6));
    assert!(play.screen().contains("[timeline]"), "{}", play.screen());
    for _ in 0..5 {
        if !play.screen().contains("[task]") {
            play.press(KeyCode::F(6));
        }
    }
    insta::assert_snapshot!(play.screen(), @r#"
    EDITING · Put it on the device                                        on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs │ x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    ✓ passed: 1 of 1 checks hold
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ──[task] output  checks  timeline  memory  hints ───────────────────────────
    It passes when
    ✓ y is on the card

    Decide what it prints, then run it.









    Ctrl-R run  Esc stop editing  Ctrl-Z undo  F6 pane  Ctrl-F find  F1 help
    "#);
}

#[test]
fn while_predicting_the_program_scrolls_and_task_and_hints_can_be_read() {
    let mut course = sample::course();
    course.lessons[0].labs[1].starter = (1..=30)
        .map(|it| format!("print({it})"))
        .collect::<Vec<_>>()
        .join("\n");
    course.lessons[0].labs[1].hints = course.lessons[0].labs[0].hints.clone();
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn").press(KeyCode::Tab).keys("\nr");
    insta::assert_snapshot!(play.screen(), @"
    lab · Time a sum                                                      on CPU

                                                     lines 1–12 of 30  timing.py
     1 ▸ print(1)
     2 │ print(2)
     3 │ print(3)
     4 │ print(4)
     5 │ print(5)
     6 │ print(6)
     7 │ print(7)
     8 │ print(8)
     9 │ print(9)
    10 │ print(10)
    11 │ print(11)
    12 │ print(12)
    Choose an answer; Enter starts the run.

    ──[predict before you run] task  hints ─────────────────────────────────────
    How long does the sum take?

      1 ○ under 1 ms
      2 ○ 1 ms or more

    ↓ choose  o pane  h hint  d device  PgDn program  w words  q back  ? help
    ");
    play.press(KeyCode::PageDown).keys("JJ");
    let screen = play.screen();
    assert!(
        screen.contains("print(14)") && !screen.contains("print(1)"),
        "{screen}"
    );
    play.keys("o");
    assert!(
        play.screen().contains("It passes when"),
        "{}",
        play.screen()
    );
    play.keys("h");
    assert!(play.screen().contains("hint 1 of 1"), "{}", play.screen());
    play.keys("\n");
    assert!(
        play.screen().contains("How long does the sum"),
        "{}",
        play.screen()
    );
    assert!(!play.effects.iter().any(|it| matches!(it, Effect::Run(_))));
}

#[test]
fn what_follows_on_the_page_is_in_the_task_once_it_is_predicted() {
    let mut course = sample::course();
    let lab = course.lessons[0].labs[1].clone();
    let page = course.lessons[0]
        .pages
        .iter_mut()
        .find(|it| it.id == lab.page);
    let blocks = &mut page.unwrap().blocks;
    let is_lab = |it: &Block| matches!(&it.kind, BlockKind::Lab(id) if *id == lab.id);
    let at = blocks.iter().position(is_lab).unwrap() + 1;
    let said = BlockKind::Paragraph(Text::of("It took 2 ms."));
    blocks.insert(
        at,
        Block {
            kind: said,
            ..blocks[0].clone()
        },
    );
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn").press(KeyCode::Tab).keys("\n");
    assert!(play.screen().contains("[task]"), "{}", play.screen());
    assert!(
        !play.screen().contains("It took 2 ms."),
        "{}",
        play.screen()
    );
    play.keys("r1").press(KeyCode::Enter);
    for _ in 0..8 {
        if !play.screen().contains("[task]") {
            play.keys("o");
        }
    }
    assert!(play.screen().contains("It took 2 ms."), "{}", play.screen());
}

#[test]
fn a_long_task_begins_at_its_first_line_and_scrolls() {
    let mut course = sample::course();
    let page = course.lessons[0].pages.last_mut().unwrap();
    let more = (1..=12).map(|it| sample::paragraph(&format!("Words number {it}.")));
    page.blocks.splice(0..0, more);
    let mut play = Play::with(40, 12, course, Vec::new());
    play.keys("\nn").press(KeyCode::Tab).keys("\n");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device        on CPU
                                placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)
    r runs this on CPU
    ──[task] output  checks›─────────── ↓ 25
    It passes when
    ○ y is on the card

    Decide what it prints, then run it.
    r run  e edit  o pane  q back  ? help
    "#);
    // The words next to the lab come first, then those before them.
    play.keys("  ");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device        on CPU
                                placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)
    r runs this on CPU
    ──[task] output  checks›─────────── ↓ 21

    earlier on the page:
    Words number 1.

    r run  e edit  o pane  q back  ? help
    "#);
    play.keys("G");
    let screen = play.screen();
    assert!(screen.contains("Words number 12."), "{screen}");
}

#[test]
fn a_lab_that_has_passed_before_shows_what_held() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    let done = play.saved().into_iter().cloned().collect();
    let mut again = Play::with(80, 24, sample::course(), done);
    again.keys("\nn\n");
    let screen = again.screen();
    assert!(screen.contains("✓ y is on the card"), "{screen}");
    again.keys("ex");
    let screen = again.screen();
    assert!(screen.contains("○ y is on the card"), "{screen}");
}
