//! Match questions.

use super::*;

#[test]
fn right_sides_are_listed_and_chosen_by_letter() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n24\n\n12\n\nJ\n\n");
    play.keys("b");
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · 5 of 5 · 4 right                  needs 4 of 5 points

    Which belongs to which?

      1 · host
           → b  the CPU
    ▸ 2 · card
           → ?

    A letter chooses for the marked row:
      a  the GPU
      b  the CPU











    → change   ↓ row   h hint   x hand in quiz   q back   ? help
    ");
    play.keys("a\n");
    assert!(play.screen().contains(" yours  "), "{}", play.screen());
}

#[test]
fn letters_fill_the_rows_in_their_order_also_those_that_have_a_partner() {
    let mut play = at_pairs(80, 24);
    // Both rows, back to the first one, and both again.
    play.keys("bakkab");
    let screen = play.screen();
    assert!(screen.contains("1 · host\n         → a"), "{screen}");
    assert!(screen.contains("▸ 2 · card\n         → b"), "{screen}");
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
