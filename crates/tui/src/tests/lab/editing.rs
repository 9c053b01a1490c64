//! What works while a program is edited: finding, copying during a run, going to a line, the help.

use super::*;
use crate::app::Event;
use ratatui::crossterm::event::{KeyEvent, KeyModifiers};

#[test]
fn a_program_is_run_and_compared_while_something_is_found_in_it() {
    let mut play = lab(80, 24);
    play.keys("e").ctrl('f').keys("ones").press(KeyCode::F(5));
    let screen = play.screen();
    assert!(screen.contains("[diff]"), "{screen}");
    assert!(screen.contains("find: ones"), "{screen}");
    play.ctrl('r');
    assert!(play.screen().contains("find: ones"), "{}", play.screen());
    assert!(play.asked().source.starts_with("import"));
}

#[test]
fn a_copy_during_a_run_is_copied_and_the_same_key_again_stops_the_run() {
    let mut play = lab(80, 24);
    play.keys("e").ctrl('r');
    play.send(Event::Key(KeyEvent::new(KeyCode::End, KeyModifiers::SHIFT)));
    play.ctrl('c');
    assert!(matches!(play.effects.last(), Some(Effect::Copy(_))));
    play.ctrl('c');
    assert!(matches!(play.effects.last(), Some(Effect::Cancel(_))));
}

#[test]
fn a_line_is_gone_to_in_the_line_below_the_program() {
    let mut play = lab(80, 24);
    play.keys("e").ctrl('g').keys("3");
    insta::assert_snapshot!(play.screen(), @r#"
    EDITING · Put it on the device                                        on CPU

                                                                    placement.py
     1 │ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)
    go to line: 3                                                           of 3
    r runs this on CPU

    ──[task] output  checks  timeline  hints ───────────────────────────────────
    It passes when
    ○ y is on the card

    Decide what it prints, then run it.









    Enter go there   Esc stay here   Ctrl-R run   F6 pane   F1 help
    "#);
    play.keys("\n#");
    assert!(play.screen().contains("3 │ #print"), "{}", play.screen());
}

#[test]
fn while_a_program_is_edited_the_help_names_no_key_that_is_typed_there() {
    let mut play = lab(80, 90);
    play.keys("e").press(KeyCode::F(1));
    let screen = play.screen();
    let everywhere = screen.split_once("Everywhere\n").unwrap().1;
    let everywhere = everywhere.split_once("Mouse").unwrap().0;
    insta::assert_snapshot!(everywhere.trim_end(), @"
        F1                  the keys of this screen: search them, run them
        Ctrl-P              go to anything: lessons, pages, labs, words, keys
        F9                  settings: theme, mouse, keys
        Ctrl-Q              quit from anywhere
    ");
    for key in ["Ctrl-D", "Ctrl-Delete", "Alt-Shift-↓"] {
        assert!(screen.contains(key), "{key}: {screen}");
    }
    // What is chosen there is done to the program.
    play.keys("ctrl-d\n");
    assert!(
        play.screen().contains("1 │ mport torch"),
        "{}",
        play.screen()
    );
}

#[test]
fn the_program_stays_in_its_place_from_run_to_run_while_it_is_edited() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    let column = |play: &Play| {
        let screen = play.screen();
        let row = screen.lines().find(|it| it.ends_with("torch")).unwrap();
        row.chars().position(|it| it == 'i')
    };
    let before = column(&play);
    play.keys("e#")
        .press(KeyCode::Backspace)
        .press(KeyCode::Down)
        .keys("y");
    assert_eq!(column(&play), before);
    let screen = play.screen();
    // The line that was edited has no time, and the others have those of the run.
    assert!(screen.contains("MODELLED  before your edit"), "{screen}");
    assert!(screen.contains(" 2   840 µs 300 µs │ x = "), "{screen}");
    assert!(screen.contains(" 3                 │ yprint"), "{screen}");
    play.ctrl('r');
    assert_eq!(column(&play), before);
}

#[test]
fn while_a_program_runs_again_its_times_are_those_of_the_run_before_and_of_no_edit() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("r");
    let screen = play.screen();
    assert!(screen.contains("MODELLED  the run before"), "{screen}");
    assert!(!screen.contains("before your edit"), "{screen}");
}
