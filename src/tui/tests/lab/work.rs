//! What a learner does in a lab: edit, predict, ask for a hint.

use super::*;
use crate::tui::app::Event;

#[test]
fn edits_are_kept_on_leaving_and_on_running() {
    let mut play = lab(80, 24);
    play.keys("e#").press(KeyCode::Esc);
    play.keys("q");
    assert!(matches!(
        play.saved().last(),
        Some(Done::Edited { source: Some(source), .. }) if source.starts_with("#import")
    ));
    play.keys("\n");
    assert!(play.screen().contains("1 │ #import"), "{}", play.screen());
    play.keys("Ry");
    assert!(matches!(
        play.saved().last(),
        Some(Done::Edited { source: None, .. })
    ));
}

#[test]
fn edits_are_kept_while_typing_and_an_idle_lab_wakes_nobody() {
    let mut play = lab(80, 24);
    assert_eq!(play.app.wake_at(), None);
    play.keys("e");
    assert_eq!(play.app.wake_at(), None);
    play.keys("#");
    let first = play.now_ms;
    play.keys("#");
    assert_eq!(
        play.app.wake_at(),
        Some(first + 1500),
        "from the first letter on"
    );
    play.send(Event::Tick);
    assert!(matches!(
        play.saved().last(),
        Some(Done::Edited { source: Some(source), .. }) if source.starts_with("##import")
    ));
    assert_eq!(play.app.wake_at(), None);
    let saved = play.saved().len();
    play.press(KeyCode::Left).send(Event::Tick);
    assert_eq!(play.saved().len(), saved, "nothing has changed");
}

#[test]
fn a_line_feed_is_enter_and_the_help_names_what_deletes() {
    let mut play = lab(80, 24);
    play.keys("edef f(:")
        .ctrl('j')
        .keys("x")
        .ctrl('j')
        .keys("y");
    let screen = play.screen();
    for line in ["1 │ def f(:", "2 │     x", "3 │     yimport"] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    play.ctrl('k');
    assert!(!play.screen().contains("yimport"), "{}", play.screen());
    play.press(KeyCode::F(1));
    let help = play.screen();
    assert!(help.contains("delete to the end of the line"), "{help}");
}

#[test]
fn clocks_of_another_text_are_not_shown() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    assert!(play.screen().contains("MODELLED"));
    play.keys("e#").press(KeyCode::Esc);
    assert!(!play.screen().contains("840 µs"), "{}", play.screen());
    assert!(
        play.screen()
            .contains("Result of the previous version: ✓ passed"),
        "{}",
        play.screen()
    );
    play.keys("Ry");
    assert!(!play.screen().contains("✓ passed"), "{}", play.screen());
}

#[test]
fn a_prediction_unlocks_the_run_and_is_compared_with_it() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Tab).keys("\nr");
    insta::assert_snapshot!(play.screen(), @r"
    lab · Time a sum                                                      on CPU

                                                                       timing.py
      1 │ print(1)

    Choose an answer; Enter starts the run.

    ──[predict before you run] task ────────────────────────────────────────────
    How long does the sum take?

      1 ○ under 1 ms
      2 ○ 1 ms or more











    Enter commit   o pane   q back   ? help
    ");
    assert!(play.effects.iter().all(|it| !matches!(it, Effect::Run(_))));
    play.keys("\n");
    assert!(
        play.screen().contains("Choose an answer first."),
        "{}",
        play.screen()
    );
    assert!(!matches!(play.saved().last(), Some(Done::Predicted { .. })));
    play.keys("j\n");
    assert!(matches!(play.saved().last(), Some(Done::Predicted { .. })));
    let run = play.asked().run;
    play.reply(Reply::Finished {
        run,
        report: report(Outcome::Done),
    });
    insta::assert_snapshot!(play.screen(), @r"
    lab · Time a sum                                                      on CPU

            host  device   MODELLED                                    timing.py
      1  12.0 µs         │ print(1)

    ✓ passed: it ran to its end
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task  output [checks] timeline  memory ──────────────────────────────────
    You predicted: under 1 ms
    This run: 1 ms or more (1.24 ms, modelled)
    ✗ not right

    Because it is so.










    r run   e edit   d device   o pane   q back   ? help
    ");
}

#[test]
fn hints_come_one_at_a_time_and_the_solution_is_asked_about() {
    let mut play = lab(80, 24);
    play.keys("hs");
    assert!(
        play.screen()
            .contains("Show the solution before you have passed?")
    );
    play.keys("y");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

                                                                    placement.py
      1 │ import torch
      2 │ x = torch.ones(3).to("cuda")
      3 │ print(x.device)

    r runs this on CPU

    ── task  output  checks  timeline [hints]───────────────────────────────────
    solution
    print('solved')
    hint 1 of 1
    Look at the device of x.









    r run   e edit   d device   o pane   q back   ? help
    "#);
}

#[test]
fn pasted_code_keeps_its_lines() {
    let mut play = lab(80, 24);
    play.keys("e");
    play.send(Event::Paste("a = 1\rb = 2\r".to_owned()));
    play.ctrl('r');
    assert!(play.asked().source.starts_with("a = 1\nb = 2\nimport"));
}

#[test]
fn a_line_of_300_000_wide_letters_is_laid_out_within_a_budget() {
    let mut play = lab(80, 24);
    play.keys("r");
    let run = play.asked().run;
    play.reply(Reply::Output {
        run,
        text: "漢".repeat(300_000),
        to: crate::protocol::Standard::Output,
    });
    play.reply(Reply::Finished {
        run,
        report: report(Outcome::Done),
    });
    let begin = std::time::Instant::now();
    play.keys("oojjkkGG");
    play.keys("oooo");
    assert!(!play.screen().is_empty());
    // In a build without optimization, and beside other tests: the budget itself counts bytes.
    let took = begin.elapsed();
    assert!(took < std::time::Duration::from_secs(2), "{took:?}");
}

#[test]
fn a_lab_keeps_its_run_its_pane_and_its_hints_for_the_session() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("hoooo");
    let before = play.screen();
    assert!(before.contains("[timeline]"), "{before}");
    play.keys("q\n");
    assert_eq!(play.screen(), before);
    play.keys("oo");
    assert!(play.screen().contains("hint 1 of 1"), "{}", play.screen());
}

#[test]
fn a_run_that_is_left_does_not_go_on_and_leaves_the_one_before() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("rq\n");
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
    let device = crate::protocol::DeviceInfo::cpu(2);
    play.reply(Reply::Started { run, device });
    play.reply(Reply::Finished {
        run,
        report: faster,
    });
    play.keys("ooo");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

            host  device   MODELLED                                 placement.py
      1  3.00 µs         │ #import torch
      2   210 µs  300 µs │ x = torch.ones(3).to("cuda")
      3  97.0 µs         │ print(x.device)

    ✓ passed: it ran to its end
    host 400 µs (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task  output  checks  timeline [runs] memory  hints ─────lines 1–12 of 14
    the run before → the last run
    in all, MODELLED:
      host   1.24 ms → 400 µs
      waited 380 µs → 380 µs
      device 310 µs → 310 µs
     line  host before → now  device before → now
    ~   1  12.0 µs → 3.00 µs                     #import torch
        2   840 µs → 210 µs    300 µs → 300 µs   x = torch.ones(3).to("cuda")
        3   388 µs → 97.0 µs                     print(x.device)
    ~ edited

    the runs of this session, the last one first

    r run   e edit   d device   o pane   h hint   ↓ pane down   q back   ? help
    "#);
    play.send(Event::Resize(40, 12));
    insta::assert_snapshot!(play.screen(), @r"
    lab · Put it on the device        on CPU
            host  device   MODELLED
      1  3.00 µs         │ #import torch
      2   210 µs  300 µs │ x = torch.ones(3›
      3  97.0 µs         │ print(x.device)

    ✓ passed: it ran to its end
    ── checks  timeline [runs] memory ──────
    the run before → the last run
    in all, MODELLED:
      host   1.24 ms → 400 µs
    r run  e edit  d device  q back  ? more
    ");
}

#[test]
fn the_task_is_in_the_lab_before_the_first_run_and_while_editing() {
    let mut play = lab(80, 24);
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

                                                                    placement.py
      1 │ import torch
      2 │ x = torch.ones(3).to("cuda")
      3 │ print(x.device)

    r runs this on CPU

    ──[task] output  checks  timeline  hints ───────────────────────────────────
    Decide what it prints, then run it.

    It passes when
    ○ y is on the card









    r run   e edit   d device   o pane   h hint   q back   ? help
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
    lab · Put it on the device                                            on CPU

            host  device   MODELLED                                 placement.py
      1  12.0 µs         │ import torch
      2   840 µs  300 µs │ x = torch.ones(3).to("cuda")
      3   388 µs         │ print(x.device)

    ✓ passed: 1 of 1 checks hold
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ──[task] output  checks  timeline  memory  hints ───────────────────────────
    Decide what it prints, then run it.

    It passes when
    ✓ y is on the card









    Ctrl-R run   Esc stop editing   Ctrl-U undo   F6 pane   F1 help
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
    insta::assert_snapshot!(play.screen(), @r"
    lab · Time a sum                                                      on CPU

                                                     lines 1–12 of 30  timing.py
      1 │ print(1)
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

    ▸ 1 ● under 1 ms
      2 ○ 1 ms or more

    Enter commit   o pane   h hint   PgDn program   q back   ? help
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
fn the_timeline_goes_closer_and_along_the_run() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("oo++");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

            host  device   MODELLED                                 placement.py
      1  12.0 µs         │ import torch
      2   840 µs  300 µs │ x = torch.ones(3).to("cuda")
      3   388 µs         │ print(x.device)

    ✓ passed: 1 of 1 checks hold
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task  output  checks [timeline] memory  hints ───────────lines 1–12 of 13
    line           2
    host           ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0 ns
                   busy 0 ns · waited 225 µs
    line           2
    copy to device ███·················································· 12.5 µs
                   at 338 µs  +50.0 µs    +100 µs     +150 µs
    █ busy  ▒ partly  ░ waiting  · idle   MODELLED · this part
    not drawn: first use of the card on line 2: the CUDA context, 250 µs, once
    in a run
    line 3 waited 800 µs, 300 µs of it for line 2 (item())
    most device time: line 2 (300 µs)
    memory: peak 12 B of 16.0 GiB, 12 B held at the end; reserved: peak 2.00

    r run  e edit  d device  o pane  h hint  + closer  - farther  q back  ? more
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
fn a_run_says_how_long_it_has_taken_and_only_a_run_wakes_the_app() {
    let mut play = lab(80, 24);
    play.keys("r");
    assert_eq!(play.app.wake_at(), None, "the worker has not begun");
    let run = play.asked().run;
    let device = crate::protocol::DeviceInfo::cpu(2);
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
