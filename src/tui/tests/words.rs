//! The words of the glossary that are on the screen.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Position;

use super::Play;
use crate::course::{Course, sample};
use crate::tui::app::Event;

/// The sample course with a glossary on its last page.
pub(super) fn course() -> Course {
    sample::course_with(
        "lessons/copies.md",
        "## Words {#glossary}\n\n- **tensor**: numbers in a row. *Where a tensor lives*\n- **device**: where work \
         happens.\n- **run**: one go of a program.\n- **memory**: where bytes are.\n",
    )
}

fn play() -> Play {
    Play::with(80, 24, course(), Vec::new())
}

#[test]
fn a_key_shows_what_the_words_on_the_screen_mean() {
    let mut play = play();
    play.keys("\n");
    let page = play.screen();
    insta::assert_snapshot!(play.keys("w").screen(), @"
    Words on the screen

    ▸ tensor
        numbers in a row (Where a tensor lives)

      memory
        where bytes are.
















    Enter go there   ↓ next   Esc back
    ");
    play.press(KeyCode::Esc);
    assert_eq!(play.screen(), page);
    play.keys("K\n");
    assert!(play.screen().contains("Words"), "{}", play.screen());
    play.press(KeyCode::Backspace);
    assert_eq!(play.screen(), page);
}

#[test]
fn without_such_a_word_a_notice_says_so_until_the_next_key() {
    let mut play = Play::new(80, 24);
    play.keys("\n");
    let page = play.screen();
    play.keys("w");
    let last = |play: &Play| play.screen().lines().last().unwrap_or("").trim().to_owned();
    insta::assert_snapshot!(last(&play), @"This course has no glossary.");
    play.press(KeyCode::F(5));
    assert_eq!(play.screen(), page);
    let lab = "\n```python lab id=alone title=\"Alone\"\nprint(2)\n```\n";
    let more = format!("## Alone\n{lab}\n## Words {{#glossary}}\n\n- **bus**: between.\n");
    let course = sample::course_with("lessons/copies.md", &more);
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys(":alone\n\now");
    insta::assert_snapshot!(last(&play), @"No word of the glossary is in this pane or in the task.");
}

#[test]
fn words_are_found_in_every_pane_of_a_lab_and_in_its_task() {
    let mut play = play();
    play.keys("\nn\now");
    let screen = play.screen();
    assert!(screen.contains("▸ run"), "{screen}");
}

#[test]
fn a_click_on_a_word_opens_it() {
    let mut play = play();
    play.keys("\n");
    let screen = play.screen();
    let (row, line) = screen
        .lines()
        .enumerate()
        .find(|it| it.1.contains("memories"))
        .unwrap();
    let before = line.split_once("memories").unwrap().0.chars().count();
    let at = Position::new(
        u16::try_from(before + 2).unwrap(),
        u16::try_from(row).unwrap(),
    );
    play.send(Event::Click(at));
    assert!(play.screen().contains("▸ memory"), "{}", play.screen());
}

#[test]
fn the_words_of_a_labs_task_are_explained_there() {
    let mut play = Play::with(80, 24, course(), Vec::new());
    play.keys("\nn\nw");
    let screen = play.screen();
    assert!(screen.contains("▸ run"), "{screen}");
    play.keys("q");
    assert!(play.screen().contains("[task]"), "{}", play.screen());
}
