//! The results of a quiz, and what leads on from them.

use super::*;

#[test]
fn results_say_how_the_gate_was_met_and_what_to_read_again() {
    insta::assert_snapshot!(taken(80, 24).screen(), @"
    Where a tensor lives · quiz                                    4 of 5 points

    ● passed: this lesson is done
    4 of 5 points. You needed 4.

    Enter  next lesson: What a copy costs

    ▸ 2  ✗ not right
        How many bytes are six float32?

        ✗ yours  25 B
        ✓ right  24 B

        Because it is so.
        l  read again: Put it there

    Right:
      1  ✓ right
        Where does y live?

        your answer: the card

                                                                            ↓ 26
    Enter next lesson  r missed again  l read again  a all again  q back  ? help
    ");
    insta::assert_snapshot!(taken(40, 12).screen(), @"
    Where a tensor lives · q…  4 of 5 points
    ● passed: this lesson is done
    4 of 5 points. You needed 4.

    Enter  next lesson: What a copy costs

    ▸ 2  ✗ not right
        How many bytes are six float32?

        ✗ yours  25 B
        ✓ right  24 B
    Enter next lesson  q back  ? help   ↓ 37
    ");
}

#[test]
fn a_retry_asks_only_what_was_missed() {
    let mut play = taken(80, 24);
    play.keys("r");
    let place = "· 1 of 1 missed · 4 of 5 right";
    assert!(play.screen().contains(place), "{}", play.screen());
    play.keys("24\n\n");
    assert!(play.screen().contains("5 of 5 points. You needed 4."));
    let screen = taken(40, 12).keys("r").screen();
    let head = screen.lines().next().unwrap_or_default().trim();
    assert_eq!(head, "1 of 1 missed           4 right, needs 4");
}

#[test]
fn enter_in_the_results_opens_only_what_is_on_the_screen() {
    let mut play = taken(40, 12);
    // What was missed is there without a key.
    assert!(
        play.screen().contains("▸ 2  ✗ not right"),
        "{}",
        play.screen()
    );
    play.keys("  ");
    assert!(!play.screen().contains("▸ 2"), "{}", play.screen());
    assert!(play.screen().contains("▸"), "{}", play.screen());
}

#[test]
fn enter_goes_on_after_a_pass_and_reads_again_before_one() {
    let mut play = taken(80, 24);
    assert!(
        play.screen().contains("Enter  next lesson"),
        "{}",
        play.screen()
    );
    play.keys("\n");
    assert!(play.screen().contains("Lesson 2 of 2"), "{}", play.screen());
}

#[test]
fn reading_again_comes_back_to_the_results_as_they_were() {
    let mut play = taken(80, 24);
    play.keys("jj");
    let before = play.screen();
    play.keys("l");
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
    assert!(
        play.screen().contains("▸ 1  ✗ not right"),
        "{}",
        play.screen()
    );
    assert!(
        play.screen().contains("Tab next missed"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Tab);
    assert!(
        play.screen().contains("▸ 3  ✗ not right"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Tab);
    assert!(
        play.screen().contains("▸ 1  ✗ not right"),
        "{}",
        play.screen()
    );
}

#[test]
fn the_key_that_the_map_has_for_missed_questions_names_the_one_here() {
    let mut play = taken(40, 12);
    play.keys("m");
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · q…  4 of 5 points
    ● passed: this lesson is done
    4 of 5 points. You needed 4.

    Enter  next lesson: What a copy costs

    ▸ 2  ✗ not right
        How many bytes are six float32?

        ✗ yours  25 B
    Here r, not m: only the missed questions
    again
    ");
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
    // What that is for is said at the first answer.
    let about = "s  mark how sure you are: the results show where you were sure and wrong";
    assert!(play.screen().contains(about), "{}", play.screen());
    play.keys("ss");
    assert!(
        play.screen().contains("You are not sure."),
        "{}",
        play.screen()
    );
    play.keys("\n\n25");
    assert!(!play.screen().contains("mark how"), "{}", play.screen());
    play.ctrl('s');
    assert!(play.screen().contains("You are sure."), "{}", play.screen());
    play.keys("\n\n12\n\nJ\n\n");
    right_pairs(&mut play);
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · quiz                                    4 of 5 points

    ● passed: this lesson is done
    4 of 5 points. You needed 4.

    Enter  next lesson: What a copy costs

    You were sure, and it was not right:
    ▸ 2  ✗ not right · you were sure
        How many bytes are six float32?

        ✗ yours  25 B
        ✓ right  24 B

        Because it is so.
        l  read again: Put it there

    Right:
      1  ✓ right · you were not sure
        Where does y live?

        your answer: the card
                                                                            ↓ 27
    Enter next lesson  r missed again  l read again  a all again  q back  ? help
    ");
    let said = play.saved().into_iter().filter_map(|it| match it {
        Done::Answered {
            confidence, score, ..
        } => Some((*confidence, score.unwrap().earned)),
        Done::Read { .. }
        | Done::Left { .. }
        | Done::Edited { .. }
        | Done::Ran { .. }
        | Done::Predicted { .. }
        | Done::Attempted { .. }
        | Done::HandedIn { .. }
        | Done::Reset { .. }
        | Done::Explained { .. }
        | Done::Chose { .. }
        | Done::Unknown => None,
    });
    let said: Vec<_> = said.take(3).collect();
    let (sure, not_sure) = (Some(Confidence::Sure), Some(Confidence::NotSure));
    assert_eq!(said, [(not_sure, 100), (sure, 0), (None, 100)]);
}

#[test]
fn a_quiz_that_was_not_passed_opens_with_its_results_and_asks_what_was_missed() {
    let mut play = Play::new(80, 24);
    play.keys("\nnz2\n\n").press(KeyCode::F(4)).keys("y");
    assert!(play.screen().contains("not passed"), "{}", play.screen());
    play.keys("q");
    assert!(play.screen().contains("page 2 of 2"), "{}", play.screen());
    for again in ["n", "z"] {
        play.keys(again);
        assert!(play.screen().contains("not passed"), "{}", play.screen());
        play.keys("q");
    }
    play.keys("zr");
    assert!(play.screen().contains("1 of 4 missed"), "{}", play.screen());
    play.press(KeyCode::Esc).keys("za");
    assert!(play.screen().contains("1 of 5"), "{}", play.screen());
}

#[test]
fn the_missed_questions_of_the_map_do_not_take_the_place_of_an_open_attempt() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n").press(KeyCode::F(4)).keys("y");
    play.keys("a2\n\n").press(KeyCode::Esc);
    play.keys("m");
    let screen = play.screen();
    assert!(screen.contains("2 of 5 · 1 right"), "{screen}");
}
