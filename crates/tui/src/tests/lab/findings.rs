//! The pane of findings: each leads to the page that explains it, and back.

use super::super::mouse::click;
use super::*;
use warpup_course::{LessonId, PageId};
use warpup_protocol::{LineFacts, OptimizerSteps, ProgramFacts};

/// The end of a run of ten steps in which so many backward passes added to old gradients, and so many passes drew in training mode.
fn ends(play: &mut Play, uncleared: u64, training_passes: u64) {
    ends_after(play, 10, uncleared, training_passes);
}

fn ends_after(play: &mut Play, steps: u64, uncleared: u64, training_passes: u64) {
    let facts = LineFacts {
        line: 2,
        backward: 10,
        uncleared,
        training_passes,
        ..LineFacts::default()
    };
    let facts = ProgramFacts {
        lines: vec![facts],
        steps: OptimizerSteps {
            count: steps,
            ..OptimizerSteps::default()
        },
        ..ProgramFacts::default()
    };
    let report = Report {
        facts: Some(Box::new(facts)),
        ..report(Outcome::Done)
    };
    let run = play.asked().run;
    play.reply(Reply::Finished { run, report });
}

/// A lab after a run in which two things were found; the course has the page of the first.
fn found(width: u16, height: u16) -> Play {
    let mut course = sample::course();
    let last = course.lessons.last_mut().unwrap();
    last.id = LessonId::new("one-training-step");
    last.pages[0].id = PageId::new("update");
    let mut play = Play::with(width, height, course, Vec::new());
    play.keys("\nn\nr");
    ends(&mut play, 9, 4);
    play.keys("ooo");
    play
}

#[test]
fn the_page_of_a_finding_is_opened_and_left_again() {
    let mut play = found(80, 24);
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ▸ x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    ✓ passed: it ran to its end
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    found, line 2: 9 of 10 backward passes add to gradient… · 1 more in findings
    ── task  output  checks  timeline [findings] memory  hints ─────── Space ↓ 3
    j and k choose a finding, Enter opens its page.
    ▸ 1 9 of 10 backward passes add to gradients that an earlier step has used,
        and the next step uses the sum.
        where: line 2: x = torch.ones(3).to("cuda")
        try:   optimizer.zero_grad() in each step, before backward()
        read:  What a copy costs, What a copy costs

      2 In 4 passes without gradients, whose result is read, a dropout or batch
        norm is in training mode: it draws, or takes its statistics from the
        batch.
        where: line 2: x = torch.ones(3).to("cuda")

    Enter its page  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
    let before = play.screen();
    play.keys("\n");
    assert!(!play.screen().contains("findings"), "{}", play.screen());
    play.keys("q");
    assert_eq!(play.screen(), before);
}

#[test]
fn another_finding_is_chosen_by_a_key_or_a_click() {
    let mut play = found(80, 50);
    let chosen = |play: &Play| {
        let screen = play.screen();
        let row = screen.lines().find(|it| it.trim_start().starts_with("▸ "));
        row.unwrap_or_default().to_owned()
    };
    assert!(chosen(&play).contains("▸ 1"), "{}", play.screen());
    play.keys("j");
    assert!(chosen(&play).contains("▸ 2"), "{}", play.screen());
    // The sample course lacks its page.
    play.keys("\n");
    assert!(play.screen().contains("no such page"), "{}", play.screen());
    click(&mut play, "9 of 10 backward");
    assert!(chosen(&play).contains("▸ 1"), "{}", play.screen());
    click(&mut play, "9 of 10 backward");
    assert!(!play.screen().contains("findings"), "{}", play.screen());
}

/// The row of a lab that says what was found first.
fn finding_row(play: &Play) -> String {
    let screen = play.screen();
    let words = ["found, ", "✓ gone, "];
    let row = screen
        .lines()
        .find(|line| words.iter().any(|it| line.trim_start().starts_with(it)));
    row.unwrap_or("nothing").trim().to_owned()
}

#[test]
fn a_run_says_which_finding_of_the_run_before_is_gone() {
    let mut play = found(100, 40);
    let mut rows = vec![finding_row(&play)];
    for (edit, uncleared, training_passes) in [
        ("e#", 0, 4),
        ("e#", 0, 0),
        ("e#", 9, 4),
        // Both at once, and then the same program again.
        ("e#", 0, 0),
        ("", 0, 0),
    ] {
        play.keys(edit).press(KeyCode::Esc).keys("r");
        ends(&mut play, uncleared, training_passes);
        rows.push(finding_row(&play));
    }
    insta::assert_snapshot!(rows.join("\n"), @"
    found, line 2: 9 of 10 backward passes add to gradients that an earlier st… · 1 more in findings
    found, line 2: in 4 passes without gradients, whose result is read, a d… · 1 gone · see findings
    ✓ gone, line 2: in 4 passes without gradients, whose result is read, a dropout or batch norm is…
    found, line 2: 9 of 10 backward passes add to gradients that an earlier st… · 1 more in findings
    ✓ gone, line 2: 9 of 10 backward passes add to gradients that an earlier step has… · 1 more gone
    nothing
    ");
}

#[test]
fn a_finding_is_not_gone_in_a_run_of_fewer_steps() {
    let mut play = found(100, 40);
    play.keys("e#").press(KeyCode::Esc).keys("r");
    ends_after(&mut play, 3, 0, 0);
    assert_eq!(finding_row(&play), "nothing");
}

#[test]
fn without_steps_a_finding_is_gone_with_its_line() {
    let mut rows = Vec::new();
    for chooses_its_line in [false, true] {
        let mut play = lab(100, 40);
        play.keys("r");
        ends_after(&mut play, 0, 9, 0);
        play.press(KeyCode::Up).press(KeyCode::Up);
        if chooses_its_line {
            play.press(KeyCode::Down);
        }
        play.keys("e#").press(KeyCode::Esc).keys("r");
        ends_after(&mut play, 0, 0, 0);
        rows.push(finding_row(&play));
    }
    insta::assert_snapshot!(rows.join("\n"), @"
    nothing
    ✓ gone, line 2: 9 of 10 backward passes add to gradients that an earlier step has used, and the…
    ");
}
