//! The words of the glossary that are on the screen.

use ratatui::buffer::Cell;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Position;
use ratatui::style::Modifier;

use super::Play;
use crate::app::Event;
use warpup_course::{Course, sample};

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
















    Enter glossary   l its lesson   ↓ next word   Esc back
    ");
    play.press(KeyCode::Esc);
    assert_eq!(play.screen(), page);
    play.keys("K\n");
    assert!(play.screen().contains("Words"), "{}", play.screen());
    play.press(KeyCode::Backspace);
    assert_eq!(play.screen(), page);
}

#[test]
fn a_word_leads_to_the_lesson_that_introduces_it() {
    let mut play = play();
    play.keys(":words\n");
    let words = play.screen();
    play.keys("wjl");
    // This entry names none.
    let screen = play.screen();
    assert!(screen.contains("▸ device"), "{screen}");
    assert!(!screen.contains("its lesson"), "{screen}");
    play.keys("kl");
    insta::assert_snapshot!(play.screen().lines().take(4).collect::<Vec<_>>().join("\n"), @"
    Lesson 1 of 2                                         page 1 of 2 █████░░░░░

    Where a tensor lives
    ");
    play.press(KeyCode::Backspace);
    assert_eq!(play.screen(), words);
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

/// The part of the screen that is drawn as chosen.
fn reversed(play: &Play) -> String {
    let buffer = play.buffer();
    let cells = buffer.content.iter();
    let cells = cells.filter(|it| it.modifier.contains(Modifier::REVERSED));
    cells.map(Cell::symbol).collect()
}

/// A course whose last lesson has a glossary of several screens.
fn long() -> Course {
    let words: Vec<_> = (0..60)
        .map(|it| format!("- **word{it}x**: what it means."))
        .collect();
    let more = format!("## Words {{#glossary}}\n\n{}\n", words.join("\n"));
    sample::course_with("lessons/copies.md", &more)
}

#[test]
fn a_word_that_was_looked_up_is_marked_and_reading_around_it_begins_nothing() {
    let mut play = Play::with(80, 24, long(), Vec::new());
    let map = play.screen();
    play.keys(":word40x\n");
    insta::assert_snapshot!(play.screen(), @"
    What a copy costs · Words                             page 3 of 3 ██████████

    • word34x: what it means.
    • word35x: what it means.
    • word36x: what it means.
    • word37x: what it means.
    • word38x: what it means.
    • word39x: what it means.
    • word40x: what it means.
    • word41x: what it means.
    • word42x: what it means.
    • word43x: what it means.
    • word44x: what it means.
    • word45x: what it means.
    • word46x: what it means.
    • word47x: what it means.
    • word48x: what it means.
    • word49x: what it means.
    • word50x: what it means.
    • word51x: what it means.
    • word52x: what it means.
    • word53x: what it means.
                                                                             ↓ 8
    Backspace back   Enter continue   p previous   / search   w words   ? help
    ");
    assert_eq!(reversed(&play), "word40x");
    // All that scrolls, to the end and beyond.
    play.keys("jjk \n");
    for _ in 0..9 {
        play.press(KeyCode::PageDown);
    }
    insta::assert_snapshot!(play.screen(), @"
    What a copy costs · Words                             page 3 of 3 ██████████

    • word42x: what it means.
    • word43x: what it means.
    • word44x: what it means.
    • word45x: what it means.
    • word46x: what it means.
    • word47x: what it means.
    • word48x: what it means.
    • word49x: what it means.
    • word50x: what it means.
    • word51x: what it means.
    • word52x: what it means.
    • word53x: what it means.
    • word54x: what it means.
    • word55x: what it means.
    • word56x: what it means.
    • word57x: what it means.
    • word58x: what it means.
    • word59x: what it means.

    Backspace  back to where you looked the word up

    This is the end of the page: Backspace goes back.
    ");
    assert!(play.saved().is_empty(), "{:?}", play.saved());
    play.keys("n");
    assert!(
        play.screen().contains("Backspace goes back"),
        "{}",
        play.screen()
    );
    for back in [KeyCode::Backspace, KeyCode::Esc, KeyCode::Char('q')] {
        play.press(back);
        assert_eq!(play.screen(), map);
        play.keys(":word7x\nj");
    }
    assert!(play.saved().is_empty(), "{:?}", play.saved());
    // The quiz of that lesson is work there.
    play.keys("z");
    assert!(play.screen().contains("1 of 4"), "{}", play.screen());
    assert_eq!(play.saved().len(), 1, "{:?}", play.saved());
}

#[test]
fn a_word_that_was_looked_up_in_a_page_or_a_lab_leads_back_there() {
    let mut play = play();
    play.keys("\n");
    let page = play.screen();
    play.keys("w\njj").press(KeyCode::Esc);
    assert_eq!(play.screen(), page);
    play.keys("n\n");
    let lab = play.screen();
    play.keys("w\n");
    assert_eq!(reversed(&play), "run");
    play.keys("jq");
    assert_eq!(play.screen(), lab);
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
