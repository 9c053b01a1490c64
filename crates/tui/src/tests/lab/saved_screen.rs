//! `S` in a lab: the effect that keeps the screen, and what it says.

use super::{lab, play_run};
use crate::app::Event;
use crate::effect::{Effect, SavedScreen};
use crate::session::{DiskState, Receipt, SaveReport};
use crate::tests::Play;
use ratatui::crossterm::event::KeyCode;
use warpup_protocol::Outcome;

/// The screen that was to be saved last.
pub(in crate::tests) fn saved(play: &Play) -> Option<SavedScreen> {
    let mut effects = play.effects.iter().rev();
    effects.find_map(|it| match it {
        Effect::SaveScreen(saved) => Some(saved.clone()),
        Effect::Run(_)
        | Effect::Cancel(_)
        | Effect::ReleaseCard
        | Effect::RunDoctor
        | Effect::AskCards
        | Effect::KeepConsent
        | Effect::KeepSeen(_)
        | Effect::AskBackground
        | Effect::Set(_)
        | Effect::Copy(_)
        | Effect::EditOutside { .. }
        | Effect::Save(_)
        | Effect::SaveElsewhere
        | Effect::SaveProgram(_)
        | Effect::Suspend
        | Effect::Quit => None,
    })
}

#[test]
fn a_run_is_summed_up_with_its_lines_and_the_command_that_repeats_it() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("S");
    let saved = saved(&play).unwrap();
    assert_eq!(saved.name, "places-placement");
    insta::assert_snapshot!(saved.summary, @r#"
    # Put it on the device

    - lesson: Where a tensor lives (`places`)
    - lab: `placement`
    - device: CPU
    - result: ✓ passed: 1 of 1 checks hold
    - times: MODELLED: computed from the figures of the card, not measured
    - in all: host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    - again: `warpup run places/placement --device cpu`

    ## Time by line, MODELLED

    | line | times | host | waited | device | program |
    | --: | --: | --: | --: | --: | :-- |
    | 1 | 1 | 12.0 µs |  |  | `import torch` |
    | 2 | 1 | 840 µs |  | 300 µs | `x = torch.ones(3).to("cuda")` |
    | 3 | 1 | 388 µs | 380 µs |  | `print(x.device)` |

    ## Program

    ```python
    import torch
    x = torch.ones(3).to("cuda")
    print(x.device)
    ```
    "#);
}

#[test]
fn a_lab_that_did_not_run_says_so() {
    let mut play = lab(80, 24);
    play.keys("S");
    insta::assert_snapshot!(saved(&play).unwrap().summary, @r#"
    # Put it on the device

    - lesson: Where a tensor lives (`places`)
    - lab: `placement`
    - device: CPU
    - result: not run yet
    - again: `warpup run places/placement --device cpu`

    ## Program

    ```python
    import torch
    x = torch.ones(3).to("cuda")
    print(x.device)
    ```
    "#);
}

#[test]
fn a_program_that_was_changed_after_its_run_is_the_one_that_ran() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("e# new");
    play.press(KeyCode::Esc).keys("S");
    let summary = saved(&play).unwrap().summary;
    assert!(summary.contains("changed after this run"), "{summary}");
    assert!(!summary.contains("# new"), "{summary}");
}

#[test]
fn while_saving_fails_the_key_saves_elsewhere() {
    let mut play = lab(80, 24);
    play.send(Event::Saved(SaveReport {
        upto: Receipt::default(),
        disk: DiskState::Failing("disk full".to_owned()),
    }));
    play.keys("S");
    assert_eq!(saved(&play), None);
    assert!(play.effects.contains(&Effect::SaveElsewhere));
}

#[test]
fn on_other_screens_and_over_the_help_nothing_is_saved() {
    let mut play = Play::new(80, 24);
    play.keys("S\nSn\n?S");
    assert_eq!(saved(&play), None);
}

#[test]
fn where_the_files_are_is_said_until_the_next_key() {
    let mut play = lab(80, 24);
    let said = "saved copies-bus-1.svg and copies-bus-1.md in ~/runs".to_owned();
    play.send(Event::ScreenSaved(Ok(said.clone())));
    assert!(play.screen().contains(&said), "{}", play.screen());
    play.keys("j");
    assert!(!play.screen().contains(&said), "{}", play.screen());
}

#[test]
fn the_run_before_is_beside_the_last_one() {
    let mut play = lab(80, 24);
    for _ in 0..2 {
        play.keys("r");
        play_run(&mut play, Outcome::Done);
    }
    play.keys("S");
    let summary = saved(&play).unwrap().summary;
    let beside = summary
        .split("## The run before")
        .nth(1)
        .unwrap_or_default();
    insta::assert_snapshot!(beside.split("## Program").next().unwrap_or_default(), @r#"
     → this run

    ```text
    in all, MODELLED:
      host   1.24 ms → 1.24 ms (without first use 990 µs → 990 µs)
      waited 380 µs → 380 µs
      device 310 µs → 310 µs
    lines, without the first use of the card and its libraries:
     line  host before → now  device before → now
        1  12.0 µs → 12.0 µs                     import torch
        2   590 µs → 590 µs    300 µs → 300 µs   x = torch.ones(3).to("cuda")
        3   388 µs → 388 µs                      print(x.device)
    ```
    "#);
}
