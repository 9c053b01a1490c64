//! A program of the learner's own in the screen of a lab.

use super::Play;
use super::lab::{play_run, saved_screen};
use crate::app::Event;
use crate::effect::Effect;
use ratatui::crossterm::event::KeyCode;
use warpup_lab::own_program::{OwnProgram, TIME_LIMIT};
use warpup_protocol::{DeviceName, Outcome};

fn program(source: &str) -> OwnProgram {
    OwnProgram {
        name: "train.py".to_owned(),
        source: source.to_owned(),
        modules: Vec::new(),
        place: None,
        time_limit: TIME_LIMIT,
    }
}

const SOURCE: &str = "import torch\nx = torch.ones(3)\nprint(x)\n";

fn opened() -> Play {
    let mut play = Play::new(80, 24);
    let device = Some(DeviceName::Model("t4".to_owned()));
    let asked = play.app.open_program(program(SOURCE), device, play.now_ms);
    play.effects.extend(asked);
    play
}

/// What was written to the file, oldest first.
fn written(play: &Play) -> Vec<&str> {
    let written = play.effects.iter().filter_map(|it| {
        if let Effect::SaveProgram(text) = it {
            Some(text.as_str())
        } else {
            None
        }
    });
    written.collect()
}

#[test]
fn a_run_has_the_text_of_the_screen_and_is_no_record() {
    let mut play = opened();
    play.keys("r");
    let asked = play.asked();
    assert_eq!(
        (asked.name.as_str(), asked.source.as_str()),
        ("train.py", SOURCE)
    );
    assert_eq!(asked.limits.time_ms, 300_000);
    play_run(&mut play, Outcome::Done);
    insta::assert_snapshot!(play.screen(), @"
    train.py                                              on Tesla T4 (modelled)

           host device   MODELLED                                       train.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ▸ x = torch.ones(3)
     3   388 µs        │ print(x)

    ✓ done: 1 of 1 checks hold
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ──[output] timeline  memory ────────────────────────────────────────────────
    cuda:0












    r run  e edit  o pane  d device  ↓ line  w words  q back  ? help
    ");
    assert_eq!(play.saved(), Vec::<&warpup_progress::Event>::new());
    assert_eq!(written(&play), Vec::<&str>::new());
}

#[test]
fn a_changed_program_is_written_before_it_runs_and_when_editing_ends() {
    let mut play = opened();
    play.keys("e# ");
    assert_eq!(written(&play), Vec::<&str>::new());
    play.ctrl('r');
    assert_eq!(written(&play), [format!("# {SOURCE}")]);
    play.keys("a").press(KeyCode::Esc);
    assert_eq!(
        written(&play).last(),
        Some(&format!("# a{SOURCE}").as_str())
    );
}

#[test]
fn what_another_editor_saves_is_taken_and_what_was_typed_here_stays() {
    let mut play = opened();
    play.send(Event::ProgramChanged(Box::new(program("y = 1\n"))));
    let screen = play.screen();
    assert!(
        screen.contains("│ y = 1") || screen.contains("▸ y = 1"),
        "{screen}"
    );
    assert!(screen.contains("read again"), "{screen}");
    play.keys("ez");
    play.send(Event::ProgramChanged(Box::new(program("w = 2\n"))));
    let screen = play.screen();
    assert!(screen.contains("zy = 1"), "{screen}");
    assert!(screen.contains("R takes"), "{screen}");
    play.press(KeyCode::Esc).keys("Ry");
    assert!(play.screen().contains("w = 2"), "{}", play.screen());
}

#[test]
fn our_own_save_is_no_change_from_outside_although_more_was_typed() {
    let mut play = opened();
    play.keys("e# ").ctrl('r').keys("more");
    let ours = program(&format!("# {SOURCE}"));
    play.send(Event::ProgramChanged(Box::new(ours)));
    let screen = play.screen();
    assert!(screen.contains("# more"), "{screen}");
    assert!(!screen.contains("outside of warpup"), "{screen}");
}

#[test]
fn a_file_that_cannot_be_written_is_said_and_the_program_runs() {
    let mut play = opened();
    play.keys("e# ").ctrl('r');
    play.send(Event::ProgramNotSaved("it is read-only".to_owned()));
    let screen = play.screen();
    assert!(
        screen.contains("train.py is not saved: it is read-only"),
        "{screen}"
    );
    play.press(KeyCode::Esc);
    assert_eq!(written(&play).len(), 2, "the next save tries again");
}

#[test]
fn the_limit_of_a_file_has_the_same_name_on_the_screen_and_in_the_summary() {
    let mut play = opened();
    play.keys("r");
    play_run(&mut play, Outcome::TimedOut);
    assert!(play.screen().contains("--limit"), "{}", play.screen());
    play.keys("S");
    let summary = saved_screen::saved(&play).unwrap().summary;
    assert!(summary.contains("that `--limit` allows"), "{summary}");
}

#[test]
fn the_key_for_back_leaves_a_program_or_the_app_when_it_is_pressed_again() {
    let mut play = opened();
    play.keys("q");
    assert!(!play.effects.contains(&Effect::Quit));
    play.keys("q");
    assert_eq!(play.effects.last(), Some(&Effect::Quit));
}

#[test]
fn the_map_leads_back_to_the_program_as_it_was_left() {
    let mut play = opened();
    play.keys("e# ").ctrl('r');
    play_run(&mut play, Outcome::Done);
    play.press(KeyCode::Esc).keys("oq");
    assert!(
        play.screen().contains("c opens the course"),
        "{}",
        play.screen()
    );
    play.keys("c");
    let map = play.screen();
    assert!(map.contains("b  back to train.py"), "{map}");
    play.keys("b");
    let screen = play.screen();
    assert!(screen.contains("# import torch"), "{screen}");
    assert!(screen.contains("[timeline]"), "{screen}");
    assert!(screen.contains("on Tesla T4 (modelled)"), "{screen}");
    play.keys("qc\n:");
    let screen = play.screen();
    assert!(screen.contains("▸ file   back to train.py"), "{screen}");
    play.keys("\n");
    assert!(
        play.screen().contains("# import torch"),
        "{}",
        play.screen()
    );
    play.keys(":");
    assert!(
        !play.screen().contains("back to train.py"),
        "{}",
        play.screen()
    );
}

#[test]
fn an_app_without_a_program_offers_none() {
    let mut play = Play::new(80, 40);
    play.keys("?");
    assert!(!play.screen().contains("own program"), "{}", play.screen());
    play.press(KeyCode::Esc).keys("b");
    assert!(
        play.screen().contains("opens a program of your own"),
        "{}",
        play.screen()
    );
}

#[test]
fn the_help_of_a_program_names_no_hints_and_no_solution() {
    let mut play = Play::new(80, 80);
    play.app.open_program(program(SOURCE), None, play.now_ms);
    play.keys("?");
    let help = play.screen();
    for word in ["hint", "solution", "what to do", "in Rust"] {
        assert!(!help.contains(word), "{word}: {help}");
    }
}

#[test]
fn the_runs_of_a_program_are_done_and_not_passed() {
    let mut play = opened();
    for _ in 0..2 {
        play.keys("r");
        play_run(&mut play, Outcome::Done);
    }
    play.keys("oooG");
    let screen = play.screen();
    assert!(
        screen.contains("[runs]") && screen.contains("2 ✓ done"),
        "{screen}"
    );
    assert!(!screen.contains("passed"), "{screen}");
}

#[test]
fn a_program_is_compared_with_the_text_that_was_opened() {
    let mut play = opened();
    play.keys("e# ").press(KeyCode::Esc).keys("v");
    let screen = play.screen();
    assert!(
        screen.contains("- the text that was opened   + your program"),
        "{screen}"
    );
}

#[test]
fn the_diff_of_a_program_is_there_after_the_map_and_its_file_is_said_to_be_saved() {
    let mut play = opened();
    assert!(!play.screen().contains("saved"), "{}", play.screen());
    play.keys("e# ").press(KeyCode::Esc).keys("qcb");
    let screen = play.screen();
    assert!(screen.contains("train.py · saved"), "{screen}");
    play.keys("v");
    let screen = play.screen();
    assert!(screen.contains("+   1  # import torch"), "{screen}");
}

#[test]
fn a_program_that_names_a_card_begins_on_one() {
    let on = |source: &str| {
        let mut play = Play::new(80, 24);
        play.app.open_program(program(source), None, play.now_ms);
        let title = play.screen().lines().next().unwrap_or_default().to_owned();
        title.split(" on ").nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(on(SOURCE), "CPU");
    assert_eq!(on("x = x.to(\"cuda\")\n"), "Tesla T4 (modelled)");
    let either = "device = \"cuda\" if torch.cuda.is_available() else \"cpu\"\n";
    assert_eq!(on(either), "CPU");
}

#[test]
fn ctrl_s_writes_the_file_and_editing_goes_on() {
    let mut play = opened();
    play.keys("e# ").ctrl('s');
    assert_eq!(written(&play), [format!("# {SOURCE}")]);
    let screen = play.screen();
    assert!(screen.contains("The file is saved."), "{screen}");
    assert!(screen.contains("EDITING"), "{screen}");
    assert!(screen.contains("Esc save and stop"), "{screen}");
}

#[test]
fn a_program_that_is_not_in_its_file_says_so_before_it_is_left_and_after_the_map() {
    let mut play = opened();
    play.keys("e# ").press(KeyCode::Esc);
    play.send(Event::ProgramNotSaved("it is read-only".to_owned()));
    play.keys("q");
    assert!(play.screen().contains("is lost"), "{}", play.screen());
    play.keys("c");
    play.send(Event::ProgramNotSaved("it is read-only".to_owned()));
    play.keys("b");
    let screen = play.screen();
    assert!(screen.contains("train.py · not saved"), "{screen}");
}
