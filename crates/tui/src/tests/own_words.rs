//! Explaining in one's own words.

use super::{Play, sample};
use crate::app::Event;
use ratatui::crossterm::event::KeyCode;
use warpup_progress::Event as Done;

fn play(width: u16, height: u16) -> Play {
    Play::with(width, height, sample::with_words(), Vec::new())
}

const WORDS: &str =
    "The host only puts the kernel into a queue, and the card takes it from there when it is free.";

/// What was explained, oldest first: the question, the words, the parts they say.
fn explained(play: &Play) -> Vec<(String, String, Vec<usize>)> {
    let saved = play.saved().into_iter().filter_map(|it| match it {
        Done::Explained {
            question,
            text,
            said,
            ..
        } => Some((
            question.to_string(),
            text.clone(),
            said.iter().copied().collect(),
        )),
        Done::Read { .. }
        | Done::Edited { .. }
        | Done::Ran { .. }
        | Done::Predicted { .. }
        | Done::Answered { .. }
        | Done::Attempted { .. }
        | Done::HandedIn { .. }
        | Done::Reset { .. }
        | Done::Left { .. }
        | Done::Chose { .. }
        | Done::Unknown => None,
    });
    saved.collect()
}

#[test]
fn words_are_written_kept_and_compared() {
    let mut play = play(80, 24);
    play.keys("o").keys(WORDS).keys("\nIt waits.");
    insta::assert_snapshot!(play.screen(), @r"
    in your own words 1 of 2                                          not graded

    Why does the call return before the card is done?

    › The host only puts the kernel into a queue, and the card takes it from
      there when it is free.
      It waits.

    A few sentences, as you would say it to a colleague. Nobody grades them.














    Ctrl-S keep   Tab skip   F2 hint   Esc back   F1 help
    ");
    assert_eq!(explained(&play), []);
    play.ctrl('s');
    let text = format!("{WORDS}\nIt waits.");
    let kept = ("q-why".to_owned(), text.clone(), Vec::new());
    assert_eq!(explained(&play), std::slice::from_ref(&kept));
    play.keys("2j ");
    insta::assert_snapshot!(play.screen(), @r"
    in your own words 1 of 2                                          not graded

    Why does the call return before the card is done?

    your words
    The host only puts the kernel into a queue, and the card takes it from there
    when it is free.
    It waits.

    one way to say it
    The host only queues the kernel and goes on; the card runs it later.

    Tick what your words say, too:
      1 [ ] The call only puts the kernel into the stream's queue.
      2 [x] The card runs it later.
    ▸ 3 [x] Reading a value waits for it.







    Space tick   Enter next   q back   ? help
    ");
    play.keys("\n");
    assert_eq!(
        explained(&play),
        [kept, ("q-why".to_owned(), text, vec![1, 2])]
    );
    assert!(play.screen().contains("in your own words 2 of 2"));
}

#[test]
fn a_small_terminal_shows_what_is_worked_on() {
    let mut play = play(40, 12);
    play.keys("o").keys(WORDS).keys(WORDS).keys(WORDS);
    insta::assert_snapshot!(play.screen(), @"
    in your own words 1 of 2      not graded
    is done?

    › The host only puts the kernel into a
      queue, and the card takes it from
      there when it is free.The host only
      puts the kernel into a queue, and the
      card takes it from there when it is
      free.The host only puts the kernel
      into a queue, and the card takes it
      from there when it is free.
    Ctrl-S keep  Esc back  F1 help       ↓ 3
    ");
    play.ctrl('s').keys("3");
    insta::assert_snapshot!(play.screen(), @r"
    in your own words 1 of 2      not graded

    one way to say it
    The host only queues the kernel and goes
    on; the card runs it later.

    Tick what your words say, too:
      1 [ ] The call only puts the kernel
            into the stream's queue.
      2 [ ] The card runs it later.
    ▸ 3 [x] Reading a value waits for it.
    Space tick  Enter next  q back  ? help
    ");
}

#[test]
fn nothing_written_skips_and_loses_nothing() {
    let mut play = play(80, 24);
    play.keys("o").ctrl('s');
    assert!(play.screen().contains("in your own words 2 of 2"));
    play.press(KeyCode::Tab);
    assert!(play.screen().contains("lessons done"));
    assert_eq!(explained(&play), []);
}

#[test]
fn words_are_kept_while_typing() {
    let mut play = play(80, 24);
    play.keys("oIt is");
    assert!(explained(&play).is_empty());
    assert!(play.app.wake_at().is_some());
    play.send(Event::Tick);
    assert_eq!(explained(&play)[0].1, "It is");
    assert_eq!(play.app.wake_at(), None);
    play.keys(" queued.").press(KeyCode::Esc);
    assert_eq!(explained(&play)[1].1, "It is queued.");
}

#[test]
fn words_that_are_left_are_kept_and_gone_on_with() {
    let mut play = play(80, 24);
    play.keys("oIt is queued.").press(KeyCode::Esc);
    assert_eq!(explained(&play).len(), 1);
    // The question without words comes first; both have some then.
    play.keys("o");
    assert!(play.screen().contains("in your own words 2 of 2"));
    play.keys("When it reads.").press(KeyCode::Esc);
    play.keys("o");
    assert!(play.screen().contains("It is queued."), "{}", play.screen());
    play.press(KeyCode::Esc);
    assert_eq!(explained(&play).len(), 2);
}

#[test]
fn the_result_says_what_is_explained_apart_from_the_score() {
    let mut play = play(80, 24);
    play.keys("zxy");
    let screen = play.screen();
    assert!(
        screen.contains("o  explained 0 of 2 in your own words"),
        "{screen}"
    );
    play.keys("oIt is queued.").press(KeyCode::Esc);
    let screen = play.screen();
    assert!(
        screen.contains("o  explained 1 of 2 in your own words"),
        "{screen}"
    );
    assert!(screen.contains("0 of 5 points"), "{screen}");
    play.keys("oIt reads.").press(KeyCode::Esc);
    let screen = play.screen();
    assert!(
        screen.contains("\n  explained 2 of 2 in your own words"),
        "{screen}"
    );
}

#[test]
fn pasted_words_are_kept_up_to_their_limit() {
    let mut play = play(80, 24);
    play.keys("o")
        .send(Event::Paste("a\rb\u{1b}[2J ".repeat(900)));
    assert!(
        play.screen().contains("full: 4000 characters"),
        "{}",
        play.screen()
    );
    play.ctrl('s');
    let kept = explained(&play);
    let (_, text, _) = &kept[0];
    assert!(text.chars().count() <= 4000 && text.starts_with("a\nb␛[2J a\n"));
}

#[test]
fn the_model_explanation_is_in_sight_however_long_the_words_are() {
    let mut play = play(80, 24);
    play.keys("o").send(Event::Paste("It waits. ".repeat(390)));
    play.ctrl('s');
    let screen = play.screen();
    assert!(
        screen.contains("one way to say it") && screen.contains("[ ]"),
        "{screen}"
    );
}
