//! What a learner does in a lab: edit, predict, ask for a hint.

use super::*;
use crate::app::Event;
use ratatui::crossterm::event::{KeyEvent, KeyModifiers};

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
    assert!(play.screen().contains("1 ▸ #import"), "{}", play.screen());
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
    play.press(KeyCode::F(1)).keys("ctrl-k");
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
        play.screen().contains("Before your edit: ✓ passed"),
        "{}",
        play.screen()
    );
    play.keys("Ry");
    assert!(!play.screen().contains("✓ passed"), "{}", play.screen());
}

#[test]
fn a_pass_is_that_of_the_program_before_an_edit() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("q");
    assert!(play.screen().contains("device  ● passed\n"));
    play.keys("e#").press(KeyCode::Esc).keys("q");
    let said = "Put it on the device  ● passed before the last change\n";
    assert!(play.screen().contains(said), "{}", play.screen());
    // The starter again drops the run. It is the program that passed, and the records have that.
    play.keys("e").press(KeyCode::Esc).keys("Ry");
    assert!(play.screen().contains("● passed on "), "{}", play.screen());
    play.keys("q");
    assert!(
        play.screen().contains("device  ● passed\n"),
        "{}",
        play.screen()
    );
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("q");
    assert!(play.screen().contains("device  ● passed\n"));
}

#[test]
fn a_prediction_unlocks_the_run_and_is_compared_with_it() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Tab).keys("\nr");
    insta::assert_snapshot!(play.screen(), @"
    lab · Time a sum                                                      on CPU

                                                                       timing.py
     1 ▸ print(1)

    Choose an answer; Enter starts the run.

    ──[predict before you run] task ────────────────────────────────────────────
    How long does the sum take?

      1 ○ under 1 ms
      2 ○ 1 ms or more











    ↓ choose   o pane   d device   w words   q back   ? help
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
    insta::assert_snapshot!(play.screen(), @"
    lab · Time a sum                                                      on CPU

           host device   MODELLED                                      timing.py
     1  12.0 µs        ▸ print(1)

    ✓ the program passed: it ran to its end
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task  output [checks] timeline  memory ──────────────────────────────────
    You predicted: under 1 ms
    This run: 1 ms or more (1.24 ms, modelled)
    ✗ your prediction was not right

    Because it is so.










    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
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
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    r runs this on CPU

    ── task  output  checks  timeline [hints]───────────────────────────────────
    solution
    print('solved')
    hint 1 of 1
    Look at the device of x.









    r run  e edit  o pane  d device  ↓ line  w words  q back  ? help
    "#);
}

#[test]
fn a_run_from_the_editor_shows_what_it_did_and_leaves_letters_letters() {
    let mut play = lab(80, 24);
    play.keys("ed").ctrl('r');
    assert!(
        play.screen().contains(": Ctrl-C cancels"),
        "{}",
        play.screen()
    );
    let run = play.asked().run;
    play.reply(Reply::Output {
        run,
        text: "it ran\n".to_owned(),
        to: warpup_protocol::Standard::Output,
    });
    play.reply(Reply::Finished {
        run,
        report: report(Outcome::Done),
    });
    assert!(play.screen().contains("it ran"), "{}", play.screen());
    play.keys("d");
    assert!(play.screen().contains("ddimport"), "{}", play.screen());
    assert!(play.screen().contains("on CPU"), "{}", play.screen());
}

#[test]
fn the_learners_own_editor_changes_the_program_or_says_why_not() {
    let mut play = lab(80, 24);
    play.keys("E");
    let Some(Effect::EditOutside { name, text }) = play.effects.last().cloned() else {
        panic!("no editor was asked for: {:?}", play.effects);
    };
    assert_eq!(name, "placement.py");
    play.send(Event::EditedOutside(Ok(format!("# mine\n{text}"))));
    assert!(play.screen().contains("# mine"), "{}", play.screen());
    play.send(Event::EditedOutside(Err("vi ended with 1.".to_owned())));
    assert!(
        play.screen().contains("vi ended with 1."),
        "{}",
        play.screen()
    );
    play.keys("j");
    assert!(
        !play.screen().contains("vi ended with 1."),
        "{}",
        play.screen()
    );
    play.keys("e").ctrl('z');
    assert!(!play.screen().contains("# mine"), "{}", play.screen());
}

#[test]
fn keys_that_cut_mean_in_a_program_what_they_mean_in_a_line() {
    let mut play = lab(80, 24);
    play.keys("e").press(KeyCode::Down);
    for _ in 0..4 {
        play.press(KeyCode::Right);
    }
    let first = |play: &Play| {
        let screen = play.screen();
        let lines = screen.lines().filter(|it| it.contains(" │ ")).take(2);
        lines.map(str::trim).collect::<Vec<_>>().join("\n")
    };
    play.ctrl('u');
    insta::assert_snapshot!(first(&play), @r#"
    1 │ import torch
    2 │ torch.ones(3).to("cuda")
    "#);
    // Not the line above.
    play.ctrl('u').ctrl('k');
    insta::assert_snapshot!(first(&play), @"
    1 │ import torch
    3 │ print(x.device)
    ");
    play.ctrl('z').ctrl('z');
    insta::assert_snapshot!(first(&play), @r#"
    1 │ import torch
    2 │ x = torch.ones(3).to("cuda")
    "#);
    play.ctrl('y').send(Event::Key(KeyEvent::new(
        KeyCode::Char('u'),
        KeyModifiers::ALT,
    )));
    assert!(
        play.screen().contains("x = torch.ones"),
        "{}",
        play.screen()
    );
    // The help does not say that Ctrl-Z suspends here.
    let help = play.press(KeyCode::F(1)).keys("ctrl-z").screen();
    assert!(
        help.contains("Ctrl-Z  Alt-u") && !help.contains("suspend"),
        "{help}"
    );
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
        to: warpup_protocol::Standard::Output,
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
fn who_has_the_starter_already_is_told_so_and_not_asked() {
    let mut play = lab(80, 24);
    play.keys("R");
    assert!(
        play.screen().contains("This is the starter already."),
        "{}",
        play.screen()
    );
    play.keys("e#").press(KeyCode::Esc).keys("R");
    assert!(
        play.screen().contains("Throw your program away"),
        "{}",
        play.screen()
    );
    play.keys("y");
    assert!(!play.screen().contains("#import"), "{}", play.screen());
    play.keys("R");
    assert!(
        play.screen().contains("This is the starter already."),
        "{}",
        play.screen()
    );
}

#[test]
fn who_stops_editing_a_long_line_sees_the_start_of_all_lines() {
    let mut play = lab(80, 24);
    play.keys("e").press(KeyCode::End);
    play.send(Event::Paste("# ".repeat(60)));
    assert!(
        !play.screen().contains("1 │ import torch"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Esc);
    assert!(
        play.screen().contains("1 ▸ import torch"),
        "{}",
        play.screen()
    );
}

/// A lab whose second line has 90 columns, which end with `END`.
fn lab_with_a_long_line() -> Play {
    let mut play = lab(80, 24);
    play.keys("e").press(KeyCode::Down);
    play.send(Event::Paste(format!("#{} END\n", "-".repeat(85))));
    play
}

#[test]
fn only_the_line_with_the_cursor_is_shifted_while_it_is_edited() {
    let mut play = lab_with_a_long_line();
    play.press(KeyCode::Up).press(KeyCode::End);
    let screen = play.screen();
    assert!(screen.contains("1 │ import torch"), "{screen}");
    assert!(screen.contains("2 │ ‹---"), "{screen}");
    assert!(screen.contains("- END\n"), "{screen}");
    play.press(KeyCode::Down);
    assert!(play.screen().contains("2 │ #---"), "{}", play.screen());
}

#[test]
fn cut_lines_can_be_scrolled_and_the_footer_says_with_which_keys() {
    let mut play = lab_with_a_long_line();
    play.press(KeyCode::Esc);
    assert!(play.screen().contains("→ scroll"), "{}", play.screen());
    assert!(!play.screen().contains("← scroll"), "{}", play.screen());
    // After a run the times take columns, and leave more of the line to scroll.
    play.keys("r");
    assert!(play.screen().contains("→ scroll"), "{}", play.screen());
    play_run(&mut play, Outcome::Done);
    for _ in 0..9 {
        play.press(KeyCode::Right);
    }
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device                                            on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ ‹
     2   840 µs 300 µs ▸ ‹-------------------------------------------------- END
     3   388 µs        │ ‹
     4                 │ ‹

    ✓ passed: 1 of 1 checks hold
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task [output] checks  timeline  memory  hints  diff ─────────────────────
    cuda:0











    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    ");
    for _ in 0..9 {
        play.press(KeyCode::Left);
    }
    assert!(
        play.screen().contains("│ import torch"),
        "{}",
        play.screen()
    );
    // A program whose lines are whole has no such key.
    let screen = lab(80, 24).screen();
    assert!(!screen.contains("→ scroll"), "{screen}");
}

#[test]
fn function_keys_do_the_same_while_a_lab_is_read_edited_and_run() {
    let chosen = |play: &Play| {
        let screen = play.screen();
        let open = screen.split_once("──").map_or("", |it| it.1);
        let name = open.split_once('[').and_then(|it| it.1.split_once(']'));
        name.map_or(String::new(), |it| it.0.to_owned())
    };
    let modes: [fn(&mut Play); 3] = [
        |_| {},
        |it| {
            it.keys("e");
        },
        |it| {
            it.keys("r").press(KeyCode::BackTab);
        },
    ];
    for (at, mode) in modes.into_iter().enumerate() {
        let mut play = lab(80, 24);
        mode(&mut play);
        let before = chosen(&play);
        play.press(KeyCode::F(6));
        assert_ne!(chosen(&play), before, "{at}");
        play.press(KeyCode::F(5));
        assert_eq!(chosen(&play), "diff", "{at}");
        play.press(KeyCode::F(2));
        assert_eq!(chosen(&play), "hints", "{at}");
    }
}

#[test]
fn the_help_names_every_pane_and_when_it_is_there() {
    let mut play = lab(80, 70);
    play.keys("?");
    insta::assert_snapshot!(play.screen(), @"
    Help

    ? a word or a key, such as F5                                       52 of 52

    On this screen
    ▸ Enter  n            after a pass: read on after the lab; among findings:
                          the page of the chosen one
      r  Ctrl-R           run the program
      e  i                edit the program; Esc leaves
      o  Tab  F6          next pane
      d                   choose the device from a list
      ↓  J  Shift-↓       the next line of the program: the timeline marks its
                          work and says what it waited for
      f                   the pane on the whole screen, or the program beside it
                          again
      PgDn                the program a screen down
      D                   previous device
      h  F2               next hint
      →                   the program to the right, where lines are cut (›)
      ←                   the program to the left
      +  =                zoom into the timeline
      -                   zoom out of the timeline
      <                   an earlier part of the timeline
      >                   a later part of the timeline
      j                   the pane down
      w                   what the words of the glossary here mean
      q  Esc              back
      Shift-Tab           previous pane
      v  F5               the diff of your program against the starter
      s                   solution after a pass; then other ways
      E                   edit the program in $VISUAL or $EDITOR
      R                   the starter program again
      S                   save the screen as a picture, with a summary
      k                   the pane up
      Space  F8           the pane a screen down
      b  F7               the pane a screen up
      g  Home             the pane to its top
      G  End              the pane to its end
      PgUp                the program a screen up
      ↑  K  Shift-↑       the line above

    Panes
      task                what to do, and what is checked
      output              what the last run printed, and its error
      checks              what was checked, and the prediction beside the run
      plot                what the program has drawn, after a run that drew
      timeline            what host and device did when, after a run
      findings            what costs time in the program, where, and what to
                          try; after a run in which something was found
      memory              what held memory, after a run whose tensors held some
      runs                the last two runs side by side; from the second run on
      hints               the hints, the solution and other ways of a lab
      in Rust             the same program in Rust, in a lab that has it
      diff                your program against the starter, once it differs; v
                          or F5 shows it at any time
      ‹  ›                there are more, and the key for the next pane goes on
                          to them
      F2 F5 F6 F7 F8      the same while you read, edit and wait for a run

    Everywhere
      ?  F1               the keys of this screen: search them, run them
      :  Ctrl-P           go to anything: lessons, pages, labs, words, keys
      ,  F9               settings: theme, mouse, keys
      Q  Ctrl-Q           quit from anywhere
      Ctrl-C              stop the run; without one, ask, then quit
      Ctrl-Z              suspend; `fg` comes back

    Mouse
                                                                             ↓ 6
    Enter run it   ↓ down   Esc close
    ");
}

#[test]
fn editing_begins_where_the_learner_has_scrolled_to() {
    let mut course = sample::course();
    let starter: Vec<String> = (1..=40).map(|it| format!("print({it})")).collect();
    course.lessons[0].labs[0].starter = starter.join("\n");
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn\n").press(KeyCode::PageDown);
    let first = |play: &Play| {
        let screen = play.screen();
        let line = screen.lines().find(|it| it.contains("│"));
        line.unwrap_or("").trim_end().to_owned()
    };
    let seen = first(&play);
    assert!(!seen.contains("print(1)"), "{seen}");
    play.keys("e#");
    assert_eq!(first(&play), seen.replace("print", "#print"));
    // A cursor that is in sight stays where it is.
    play.press(KeyCode::Esc).keys("e#");
    assert_eq!(first(&play), seen.replace("print", "##print"));
}
