//! Folded parts of a page.

use super::mouse::click;
use super::{Play, sample};
use crate::theme::Letters;
use ratatui::crossterm::event::KeyCode;
use warpup_course::{Course, sample::course_with};

fn course() -> Course {
    let more = "
## Why the bus is slow {#why}

Why does the copy take longer than the sum?

<details><summary>Answer</summary>

The bus moves fewer bytes in a second than the memory of the card.

- The narrow part decides.

</details>

Which one would you make faster?

<details><summary>Another answer</summary>

Neither: copy less, as the [course](https://x.y) says.

</details>

Now go on.
";
    course_with("lessons/places.md", more)
}

fn play(width: u16, height: u16) -> Play {
    let mut play = Play::with(width, height, course(), Vec::new());
    play.keys("\nnn");
    play
}

#[test]
fn an_answer_is_closed_until_a_key_opens_it() {
    let mut play = play(80, 24);
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives                                  page 3 of 3 ██████████

    Why the bus is slow

    Why does the copy take longer than the sum?

    ▸ Answer

    Which one would you make faster?

    ▸ Another answer

    Now go on.

    n  quiz: 5 questions








    a unfold   n quiz   p previous   / search   w words   q back   ? help
    ");
    insta::assert_snapshot!(play.keys("a").screen(), @"
    Where a tensor lives                                  page 3 of 3 ██████████

    Why the bus is slow

    Why does the copy take longer than the sum?

    ▾ Answer
      The bus moves fewer bytes in a second than the memory of the card.

      • The narrow part decides.

    Which one would you make faster?

    ▸ Another answer

    Now go on.

    n  quiz: 5 questions





    a unfold   n quiz   p previous   / search   w words   q back   ? help
    ");
    // The next one, and after the last one the key closes it again.
    insta::assert_snapshot!(play.keys("a").screen(), @"
    Where a tensor lives                                  page 3 of 3 ██████████

    Why the bus is slow

    Why does the copy take longer than the sum?

    ▾ Answer
      The bus moves fewer bytes in a second than the memory of the card.

      • The narrow part decides.

    Which one would you make faster?

    ▾ Another answer
      Neither: copy less, as the course[1] says.

    Now go on.

    [1] https://x.y

    n  quiz: 5 questions


    n quiz   p previous   1 link   / search   w words   q back   ? help
    ");
    insta::assert_snapshot!(play.keys("a").screen(), @"
    Where a tensor lives                                  page 3 of 3 ██████████

    Why the bus is slow

    Why does the copy take longer than the sum?

    ▾ Answer
      The bus moves fewer bytes in a second than the memory of the card.

      • The narrow part decides.

    Which one would you make faster?

    ▸ Another answer

    Now go on.

    n  quiz: 5 questions





    a unfold   n quiz   p previous   / search   w words   q back   ? help
    ");
}

#[test]
fn an_answer_that_was_opened_stays_open_while_the_lesson_is() {
    let mut play = play(80, 24);
    play.keys("a");
    let open = play.screen();
    assert_eq!(play.keys("pn").screen(), open);
    assert!(play.keys("q\n").screen().contains("▸ Answer"));
}

#[test]
fn an_answer_below_the_screen_comes_into_sight_as_it_opens() {
    let mut play = play(40, 12);
    insta::assert_snapshot!(play.keys("j").screen(), @"
    Where a tensor lives · Why…  page 3 of 3

    Why does the copy take longer than the
    sum?

    ▸ Answer

    Which one would you make faster?

    ▸ Another answer

    Enter continue  q back  ? help       ↓ 3
    ");
    play.keys("a");
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · Why…  page 3 of 3

    Why does the copy take longer than the
    sum?

    ▾ Answer
      The bus moves fewer bytes in a second
      than the memory of the card.

      • The narrow part decides.

    Enter continue  q back  ? help       ↓ 7
    ");
    insta::assert_snapshot!(play.keys("jja").screen(), @"
    Where a tensor lives · Why…  page 3 of 3
    sum?

    ▸ Answer

    Which one would you make faster?

    ▸ Another answer

    Now go on.

    Enter continue  q back  ? help       ↓ 1
    ");
}

#[test]
fn a_click_opens_an_answer_and_closes_it() {
    let mut play = play(80, 24);
    let closed = play.screen();
    click(&mut play, "Another answer");
    assert!(play.screen().contains("▾ Another answer"));
    click(&mut play, "Another answer");
    assert_eq!(play.screen(), closed);
}

#[test]
fn a_search_opens_the_answer_with_the_hit() {
    let mut play = play(80, 24);
    play.keys("q/copy less\n");
    assert!(
        play.screen().contains("Neither: copy less"),
        "{}",
        play.screen()
    );
    assert!(play.screen().contains("▸ Answer"));
    assert!(play.screen().contains("▾ Another answer"));
}

#[test]
fn a_key_that_finds_no_answer_says_so() {
    let mut play = Play::with(80, 24, sample::course(), Vec::new());
    assert!(
        play.keys("\na")
            .screen()
            .contains("No closed answer (▸) is on the screen.")
    );
}

#[test]
fn ascii_has_signs_of_its_own() {
    let mut play = play(80, 24);
    play.app.session.theme.letters = Letters::Ascii;
    let screen = play.keys("a").screen();
    assert!(
        screen.contains("v Answer") && screen.contains("> Another answer"),
        "{screen}"
    );
}

#[test]
fn the_task_of_a_lab_shows_no_answer() {
    let more = "
<details><summary>Answer</summary>

It prints cuda.

</details>
";
    let mut play = Play::with(80, 24, course_with("lessons/places.md", more), Vec::new());
    play.keys("\nn\t\n").press(KeyCode::Tab);
    assert!(
        !play.screen().contains("It prints cuda"),
        "{}",
        play.screen()
    );
}

#[test]
fn the_footer_names_a_closed_answer_and_enter_goes_on() {
    let more = "\n## Why {#why}\n\nWhy?\n\n<details><summary>Answer</summary>\n\nSo.\n\n</details>\n\n## End {#end}\n\nDone.\n";
    let course = course_with("lessons/places.md", more);
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nnn");
    let screen = play.screen();
    let footer = screen.lines().last().unwrap_or_default().trim();
    insta::assert_snapshot!(footer, @"Enter next page  a unfold  p previous  / search  w words  q back  ? help");
    play.keys("\n");
    assert!(play.screen().contains("page 4 of 4"), "{}", play.screen());
}
