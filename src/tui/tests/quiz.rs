//! Taking a quiz.

use super::Play;
use crate::course::sample;
use crate::grade::Confidence;
use crate::progress::Event as Done;
use crate::tui::app::Event;
use ratatui::crossterm::event::KeyCode;

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
    insta::assert_snapshot!(Play::new(80, 24).keys("z").screen(), @r"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    Where does y live?

      1 ○ the host
      2 ○ the card

















    ↓ choose   h hint   x hand in   q back   ? help
    ");
    insta::assert_snapshot!(Play::new(80, 24).keys("z1\n").screen(), @r"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    ✗ not right

    Where does y live?

    ✗ yours  1 the host
               Not host.
    ✓ right  2 the card

    Because it is so.
    read again: Put it there











    Enter next   q back   ? help
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
fn what_cannot_be_read_is_asked_again_and_no_attempt() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n").keys("many\n");
    insta::assert_snapshot!(play.screen(), @r"
    Where a tensor lives · 2 of 5 · 1 right                  needs 4 of 5 points

    How many bytes are six float32?

    › many B

    `many` is not a number: write something like 14.9 or 2e9. (Not counted.)
















    Enter answer   F2 hint   F3 sure?   F4 hand in   Esc back   F1 help
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
            } => format!("{question} {}", score.earned),
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
fn results_say_how_the_gate_was_met_and_what_to_read_again() {
    insta::assert_snapshot!(taken(80, 24).screen(), @r"
    Where a tensor lives · quiz                                    4 of 5 points

    ● passed: this lesson is done
    4 of 5 points. You needed 4.

    n  next lesson: What a copy costs

      1  ✓ right
        Where does y live?

        your answer: the card

        Because it is so.
        read again: Put it there

    ▸ 2  ✗ missed
        How many bytes are six float32?

        ✗ yours  25 B
        ✓ right  24 B

        Because it is so.
                                                                            ↓ 25
    n next lesson   r missed again   Enter read   a all again   q back   ? help
    ");
    insta::assert_snapshot!(taken(40, 12).screen(), @"
    Where a tensor lives · q…  4 of 5 points
    ● passed: this lesson is done
    4 of 5 points. You needed 4.

    n  next lesson: What a copy costs

      1  ✓ right
        Where does y live?

        your answer: the card

    n next lesson  q back  ? help       ↓ 36
    ");
}

#[test]
fn a_retry_asks_only_what_was_missed() {
    let mut play = taken(80, 24);
    play.keys("r");
    let place = "· 1 of 1 missed · 4 right";
    assert!(play.screen().contains(place), "{}", play.screen());
    play.keys("24\n\n");
    assert!(play.screen().contains("5 of 5 points. You needed 4."));
}

#[test]
fn a_quiz_goes_on_where_it_was_left() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n");
    play.press(KeyCode::Esc).keys("z");
    assert!(play.screen().contains("2 of 5 · "), "{}", play.screen());
}

#[test]
fn handing_in_early_is_asked_about() {
    let mut play = Play::new(80, 24);
    play.keys("zx");
    insta::assert_snapshot!(play.screen(), @r"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    Where does y live?

      1 ○ the host
      2 ○ the card











          ┌──────────────────────────────────────────────────────────────┐
          │ 5 questions are open and would earn nothing. Hand in?        │
          │                                                              │
          │ y yes    n no                                                │
          └──────────────────────────────────────────────────────────────┘

    y yes   n no
    ");
    play.keys("y");
    assert!(play.screen().contains("✗ not passed yet"));
}

#[test]
fn right_sides_are_listed_and_chosen_by_letter() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n24\n\n12\n\nJ\n\n");
    play.keys("b");
    insta::assert_snapshot!(play.screen(), @r"
    Where a tensor lives · 5 of 5 · 4 right                  needs 4 of 5 points

    Which belongs to which?

      1 · host
           → b  the CPU
    ▸ 2 · card
           → ?

    A letter chooses for the marked row:
      a  the GPU
      b  the CPU











    → change   ↓ row   h hint   x hand in   q back   ? help
    ");
    play.keys("a\n");
    assert!(play.screen().contains(" yours  "), "{}", play.screen());
}

#[test]
fn a_letter_in_a_row_that_has_a_partner_changes_it_and_the_mark_stays() {
    let mut play = at_pairs(80, 24);
    play.keys("bakb");
    assert!(
        play.screen().contains("▸ 1 · host\n         → b"),
        "{}",
        play.screen()
    );
    play.keys("a");
    assert!(
        play.screen().contains("▸ 1 · host\n         → a"),
        "{}",
        play.screen()
    );
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
    insta::assert_snapshot!(play.screen(), @r"
    Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points

    Where does y live?

      1 ○ the host
      2 ○ the card

    Choose an answer first. (Not counted.)















    ↓ choose   h hint   x hand in   q back   ? help
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
fn a_row_without_a_partner_is_named_by_what_it_says() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n24\n\n12\n\nJ\n\n").keys("b\n");
    let said = "Not everything is answered yet: “card” has no partner. (Not counted.)";
    assert!(play.screen().contains(said), "{}", play.screen());
    assert_eq!(answers(&play), 4);
}

/// A match question with more rows than a small terminal.
const FOUR_PAIRS: &str = r##"
[[question]]
id = "q-four"
type = "match"
prompt = "Which belongs to which?"
pairs = [
  { id = "a", left = "A", right = "one" },
  { id = "b", left = "B", right = "two" },
  { id = "c", left = "C", right = "three" },
  { id = "d", left = "D", right = "four" },
]
hints = ["Count."]
explain = "Because it is so."
see = "#labs"
"##;

/// The match question, the last one.
fn at_pairs(width: u16, height: u16) -> Play {
    let mut play = Play::new(width, height);
    play.keys("z2\n\n24\n\n12\n\nJ\n\n");
    play
}

#[test]
fn on_a_small_terminal_the_letters_of_a_match_question_can_be_reached() {
    let mut course = sample::course_with("quizzes/places.toml", FOUR_PAIRS);
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.retain(|it| it.id.as_str() == "q-four");
    }
    let mut play = Play::with(40, 12, course, Vec::new());
    play.keys("z");
    assert!(play.screen().contains("↓ 6"), "{}", play.screen());
    play.press(KeyCode::PageDown);
    insta::assert_snapshot!(play.screen(), @r"
    1 of 1 · 0 right                 needs 1
      3 · C
           → ?
      4 · D
           → ?

    A letter chooses for the marked row:
      a  four
      b  one
      c  three
      d  two
    → change  ↓ row  h hint  q back  ? help
    ");
    play.keys("b");
    assert!(play.screen().contains("  1 · A"), "{}", play.screen());
    assert!(play.screen().contains("→ b"), "{}", play.screen());
    assert!(play.screen().contains("▸ 2 · B"), "{}", play.screen());
}

#[test]
fn a_pasted_text_that_goes_nowhere_is_not_swallowed() {
    let mut play = at_pairs(80, 24);
    play.send(Event::Paste("b".to_owned()));
    let said = "Nothing can be pasted here: choose with the keys.";
    assert!(play.screen().contains(said), "{}", play.screen());
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
fn enter_in_the_results_opens_only_what_is_on_the_screen() {
    let mut play = taken(40, 12);
    play.keys("\n");
    assert!(play.screen().contains("▸ 2  ✗ missed"), "{}", play.screen());
    play.keys("  ");
    assert!(!play.screen().contains("▸ 2"), "{}", play.screen());
    assert!(play.screen().contains("▸"), "{}", play.screen());
}

#[test]
fn reading_again_comes_back_to_the_results_as_they_were() {
    let mut play = taken(80, 24);
    play.keys("jj");
    let before = play.screen();
    play.keys("\n");
    assert!(play.screen().contains("page 2 of"), "{}", play.screen());
    play.keys("q");
    assert_eq!(play.screen(), before);
    play.keys("r");
    let place = "1 of 1 missed · ";
    assert!(play.screen().contains(place), "{}", play.screen());
}

#[test]
fn a_key_goes_to_the_next_missed_question_and_round_to_the_first() {
    let mut play = Play::new(80, 24);
    play.keys("z1\n\n24\n\n13\n\nJ\n\n");
    right_pairs(&mut play);
    assert!(play.screen().contains("▸ 1  ✗ missed"), "{}", play.screen());
    assert!(
        play.screen().contains("Tab next missed"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Tab);
    assert!(play.screen().contains("▸ 3  ✗ missed"), "{}", play.screen());
    play.press(KeyCode::Tab);
    assert!(play.screen().contains("▸ 1  ✗ missed"), "{}", play.screen());
}

#[test]
fn where_everything_is_right_there_is_no_key_for_the_next_missed_question() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n24\n\n12\n\nJ\n\n");
    right_pairs(&mut play);
    assert!(!play.screen().contains("next missed"), "{}", play.screen());
}

#[test]
fn who_is_sure_can_say_so_and_sees_first_where_that_was_wrong() {
    let mut play = Play::new(80, 24);
    play.keys("zs");
    assert!(!play.screen().contains("You are"), "{}", play.screen());
    play.keys("2");
    assert!(play.screen().contains("s sure?"), "{}", play.screen());
    play.keys("ss");
    assert!(
        play.screen().contains("You are not sure."),
        "{}",
        play.screen()
    );
    play.keys("\n\n25");
    play.ctrl('s');
    assert!(play.screen().contains("You are sure."), "{}", play.screen());
    play.keys("\n\n12\n\nJ\n\n");
    right_pairs(&mut play);
    insta::assert_snapshot!(play.screen(), @r"
    Where a tensor lives · quiz                                    4 of 5 points

    ● passed: this lesson is done
    4 of 5 points. You needed 4.

    n  next lesson: What a copy costs

    You were sure, and it was not right:
    ▸ 2  ✗ missed · you were sure
        How many bytes are six float32?

        ✗ yours  25 B
        ✓ right  24 B

        Because it is so.
        Enter  read again: Put it there

    The other questions:
      1  ✓ right · you were not sure
        Where does y live?

        your answer: the card
                                                                            ↓ 27
    n next lesson   r missed again   Enter read   a all again   q back   ? help
    ");
    let said = play.saved().into_iter().filter_map(|it| match it {
        Done::Answered {
            confidence, score, ..
        } => Some((*confidence, score.earned)),
        Done::Read { .. }
        | Done::Left { .. }
        | Done::Edited { .. }
        | Done::Ran { .. }
        | Done::Predicted { .. }
        | Done::Attempted { .. }
        | Done::Reset { .. }
        | Done::Explained { .. }
        | Done::Chose { .. }
        | Done::Unknown => None,
    });
    let said: Vec<_> = said.take(3).collect();
    let (sure, not_sure) = (Some(Confidence::Sure), Some(Confidence::NotSure));
    assert_eq!(said, [(not_sure, 100), (sure, 0), (None, 100)]);
}
