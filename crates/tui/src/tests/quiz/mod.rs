//! Taking a quiz.

mod handed_in;
mod pairs;
mod results;
mod sizes;

use super::Play;
use crate::app::Event;
use ratatui::crossterm::event::KeyCode;
use warpup_course::sample;
use warpup_grade::Confidence;
use warpup_progress::Event as Done;

/// Answers all five questions, the second one wrong.
fn taken(width: u16, height: u16) -> Play {
    let mut play = Play::new(width, height);
    play.keys("z").keys("2\n\n");
    play.keys("25 B\n\n");
    play.keys("12\n\n");
    play.keys("J\n\n");
    right_pairs(&mut play);
    play
}

/// Puts the right sides beside the left ones, in whatever order they are offered.
fn right_pairs(play: &mut Play) {
    for (row, wanted) in [(0, "the CPU"), (1, "the GPU")] {
        for _ in 0..2 {
            play.press(KeyCode::Right);
            let screen = play.screen();
            let sides: Vec<_> = screen.lines().filter(|it| it.contains('→')).collect();
            if sides.get(row).is_some_and(|it| it.contains(wanted)) {
                break;
            }
        }
        play.press(KeyCode::Down);
    }
    play.keys("\n\n");
}

#[test]
fn a_question_is_asked_and_judged() {
    insta::assert_snapshot!(Play::new(80, 24).keys("z").screen(), @"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    Where does y live?

      1 ○ the host
      2 ○ the card

















    ↓ choose   h hint   x hand in quiz   q back   ? help
    ");
    insta::assert_snapshot!(Play::new(80, 24).keys("z1\n").screen(), @"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    ✗ not right

    Where does y live?

    ✗ yours  1 the host
               Not host.
    ✓ right  2 the card

    Because it is so.
    l  read again: Put it there











    Enter next   l read again   q back   ? help
    ");
    insta::assert_snapshot!(Play::new(40, 12).keys("z").screen(), @r"
    1 of 5 · 0 right                 needs 4
    Where does y live?

      1 ○ the host
      2 ○ the card






    ↓ choose  h hint  q back  ? help
    ");
}

#[test]
fn a_question_whose_answer_is_typed_says_so_in_its_line_and_in_the_footer() {
    let line = |keys: &str| {
        let mut play = Play::new(80, 24);
        let screen = play.keys(keys).screen();
        let line = screen.lines().find(|it| it.contains('›')).unwrap_or("");
        let footer = screen.lines().last().unwrap_or("");
        format!("{}\n{}", line.trim(), footer.trim())
    };
    insta::assert_snapshot!(line("z2\n\n"), @"
    › Type a number (B), then Enter
    Enter answer   F2 hint   F4 hand in quiz   Esc back   F1 help
    ");
    insta::assert_snapshot!(line("z2\n\n2"), @"
    › 2 B
    Enter answer   F2 hint   F4 hand in quiz   F3 sure?   Esc back   F1 help
    ");
    // Enter alone says what is missing.
    let screen = Play::new(80, 24).keys("z2\n\n\n").screen();
    assert!(screen.contains("(Not counted.)"), "{screen}");
}

#[test]
fn what_cannot_be_read_is_asked_again_and_no_attempt() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n").keys("many\n");
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · 2 of 5 · 1 right                  needs 4 of 5 points

    How many bytes are six float32?

    › many

    `many` is not a number: write it in digits. (Not counted.)
















    Enter answer   F2 hint   F4 hand in quiz   F3 sure?   Esc back   F1 help
    ");
    let before = play.saved().len();
    play.press(KeyCode::Backspace);
    assert!(!play.screen().contains("Not counted"));
    assert_eq!(play.saved().len(), before);
}

#[test]
fn every_answer_is_saved_and_the_attempt_at_the_end() {
    let play = taken(80, 24);
    let kinds: Vec<_> = play
        .saved()
        .iter()
        .map(|it| match it {
            Done::Answered {
                question, score, ..
            } => format!("{question} {}", score.unwrap().earned),
            Done::Attempted {
                score,
                passed,
                missed,
                ..
            } => {
                format!(
                    "{} of {}, {passed}, missed {missed:?}",
                    score.earned, score.max
                )
            }
            Done::Read { .. }
            | Done::Edited { .. }
            | Done::Ran { .. }
            | Done::Predicted { .. }
            | Done::HandedIn { .. }
            | Done::Reset { .. }
            | Done::Explained { .. }
            | Done::Left { .. }
            | Done::Chose { .. }
            | Done::Unknown => format!("{it:?}"),
        })
        .collect();
    insta::assert_snapshot!(kinds.join("\n"), @r#"
    q-place 100
    q-bytes 0
    q-which 100
    q-order 100
    q-pairs 100
    400 of 500, true, missed [QuestionId("q-bytes")]
    "#);
}

#[test]
fn a_quiz_goes_on_where_it_was_left() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n");
    play.press(KeyCode::Esc);
    let said = "Your answers are kept: the quiz goes on at question 2 of 5.";
    assert!(play.screen().contains(said), "{}", play.screen());
    play.keys("z");
    assert!(play.screen().contains("2 of 5 · "), "{}", play.screen());
}

#[test]
fn handing_in_early_is_asked_about() {
    let mut play = Play::new(80, 24);
    play.keys("zx");
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    Where does y live?

      1 ○ the host
      2 ○ the card










          ┌──────────────────────────────────────────────────────────────┐
          │ 5 questions are not answered and would earn nothing. Hand in │
          │ the quiz?                                                    │
          │                                                              │
          │ y yes    n no                                                │
          └──────────────────────────────────────────────────────────────┘

    y yes   n no
    ");
    play.keys("y");
    assert!(play.screen().contains("✗ not passed yet"));
}

/// How many answers are recorded.
fn answers(play: &Play) -> usize {
    let is_answer = |it: &&&Done| matches!(it, Done::Answered { .. });
    play.saved().iter().filter(is_answer).count()
}

#[test]
fn enter_answers_nothing_that_was_not_chosen() {
    let mut play = Play::new(80, 24);
    play.keys("z\n");
    assert_eq!(answers(&play), 0, "{}", play.screen());
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    Where does y live?

      1 ○ the host
      2 ○ the card

    Choose an answer first. (Not counted.)















    ↓ choose   h hint   x hand in quiz   q back   ? help
    ");
    play.keys("j");
    assert!(!play.screen().contains("Not counted"), "{}", play.screen());
    assert!(
        play.screen().contains("▸ 1 ● the host"),
        "{}",
        play.screen()
    );
}

#[test]
fn the_first_arrow_up_chooses_the_last_option_and_a_number_its_own() {
    let mut play = Play::new(80, 24);
    play.keys("zk");
    assert!(
        play.screen().contains("▸ 2 ● the card"),
        "{}",
        play.screen()
    );
    play.keys("1");
    assert!(
        play.screen().contains("▸ 1 ● the host"),
        "{}",
        play.screen()
    );
}

#[test]
fn a_held_enter_answers_no_further_question_of_any_kind() {
    let mut play = Play::new(80, 24);
    for (at, answer) in ["z2", "24", "12", "J"].into_iter().enumerate() {
        play.keys(answer).keys("\n\n\n\n\n");
        assert_eq!(answers(&play), at + 1, "{}", play.screen());
    }
    assert!(
        play.screen()
            .contains("Choose a partner for each row first."),
        "{}",
        play.screen()
    );
}

#[test]
fn the_footer_of_an_order_question_has_enter_on_a_small_terminal() {
    let mut play = Play::new(40, 12);
    play.keys("z2\n\n24\n\n12\n\nJ");
    let screen = play.screen();
    assert!(
        screen.lines().last().unwrap().starts_with("Enter answer"),
        "{screen}"
    );
}

#[test]
fn a_key_opens_the_page_to_read_again_and_comes_back_to_the_question() {
    let mut play = Play::new(40, 12);
    play.keys("z1\n ");
    let before = play.screen();
    assert!(before.contains("l  read again: Put it there"), "{before}");
    assert!(before.contains("l read again"), "{before}");
    for back in [KeyCode::Char('q'), KeyCode::Backspace] {
        play.keys("l");
        assert!(play.screen().contains("page 2 of 2"), "{}", play.screen());
        play.press(back);
        assert_eq!(play.screen(), before);
    }
    // A right answer points to nothing.
    let mut play = Play::new(80, 24);
    play.keys("z2\n");
    assert!(!play.screen().contains("read again"), "{}", play.screen());
    play.keys("l");
    assert!(
        play.screen().contains("nothing to read again"),
        "{}",
        play.screen()
    );
}

#[test]
fn enter_scrolls_through_what_is_said_of_an_answer_and_goes_on() {
    let mut play = Play::new(40, 12);
    play.keys("z2\n\n24\n\n13\n");
    assert!(play.screen().contains("Enter more"), "{}", play.screen());
    play.keys("\n");
    assert!(play.screen().contains("Enter next"), "{}", play.screen());
    play.keys("\n");
    assert!(play.screen().contains("4 of 5"), "{}", play.screen());
}

#[test]
fn the_keys_of_all_kinds_of_questions_are_alike() {
    use crate::keymap::{Action, Context, FormAction, Keys};
    use ratatui::crossterm::event::{KeyEvent, KeyModifiers};
    let kinds = [
        Context::SINGLE,
        Context::MULTI,
        Context::TYPING,
        Context::ORDER,
        Context::MATCH,
    ];
    let common = ["answer", "hint", "hand in quiz", "sure?", "back", "help"];
    for kind in kinds {
        let action = |code| Keys::default().action(kind, KeyEvent::new(code, KeyModifiers::NONE));
        for (key, deed) in [
            (KeyCode::Enter, FormAction::Submit),
            (KeyCode::F(2), FormAction::Hint),
            (KeyCode::F(3), FormAction::Confidence),
            (KeyCode::F(4), FormAction::GiveUp),
        ] {
            assert_eq!(action(key), Some(Action::Form(deed)), "{kind:?}");
        }
        let footer = Keys::default().footer(kind, |_, word| Some(std::borrow::Cow::Borrowed(word)));
        let words = footer.iter().map(|it| it.word.as_ref());
        let words: Vec<_> = words.filter(|it| common.contains(it)).collect();
        assert_eq!(words, common, "{kind:?}");
    }
}

#[test]
fn space_chooses_an_option_and_leaves_the_one_that_is_chosen() {
    let mut play = Play::new(80, 24);
    play.keys("z ");
    assert!(
        play.screen().contains("▸ 1 ● the host"),
        "{}",
        play.screen()
    );
    play.keys("j ");
    assert!(
        play.screen().contains("▸ 2 ● the card"),
        "{}",
        play.screen()
    );
}
