//! Pauses: what follows on a page is hidden until the learner goes on.

use super::Play;
use ratatui::crossterm::event::KeyCode;
use warpup_course::{Course, LessonId, PageId, sample::course_with};
use warpup_progress::Event as Done;

fn course() -> Course {
    let more = "
## Why the bus is slow {#why}

What do you expect?

<!-- pause -->

The bus is narrow.

```python lab id=narrow
print(1)
```

<!-- pause -->

Was it what you expected? See [below](#end).

## The end {#end}

That was all.
";
    course_with("lessons/places.md", more)
}

fn play(width: u16, height: u16) -> Play {
    let mut play = Play::with(width, height, course(), Vec::new());
    play.keys("\nnn");
    play
}

fn read(page: &str) -> Done {
    Done::Read {
        lesson: LessonId::new("places"),
        page: PageId::new(page),
    }
}

#[test]
fn a_page_ends_at_its_pause_and_every_key_that_goes_on_shows_what_follows() {
    insta::assert_snapshot!(play(80, 24).screen(), @"
    Where a tensor lives                                  page 3 of 4 ███████░░░

    Why the bus is slow

    What do you expect?

    · · ·  Space shows what follows
















    Enter more   p previous   Tab lab   / search   w words   q back   ? help
    ");
    let keys = [
        KeyCode::Char(' '),
        KeyCode::Char('n'),
        KeyCode::Char('j'),
        KeyCode::PageDown,
    ];
    for key in keys
        .into_iter()
        .chain([KeyCode::Down, KeyCode::Right, KeyCode::Enter])
    {
        let mut play = play(80, 24);
        play.press(key);
        assert!(play.screen().contains("The bus is narrow."), "{key}");
        assert!(!play.screen().contains("Was it what"), "{key}");
    }
    let mut play = play(80, 24);
    insta::assert_snapshot!(play.keys("nn").screen(), @"
    Where a tensor lives                                  page 3 of 4 ███████░░░

    Why the bus is slow

    What do you expect?

    The bus is narrow.

    ▶ Narrow  ○ new
    │ print(1)
    └ r run   e edit   Enter open

    Was it what you expected? See below[1].

    n  The end








    Enter open  r run  n next page  p previous  Tab lab  1 link  q back  ? help
    ");
    assert!(play.keys("n").screen().contains("That was all."));
}

#[test]
fn what_was_shown_stays_shown() {
    let mut play = play(80, 24);
    play.keys("nnp");
    assert!(
        play.keys("n")
            .screen()
            .contains("Was it what you expected?")
    );
    // Also when the lesson is opened again.
    play.keys("q");
    assert!(
        play.keys("\n")
            .screen()
            .contains("Was it what you expected?")
    );
}

#[test]
fn a_page_that_was_read_to_its_end_has_no_pauses() {
    let done = ["start", "labs", "why", "end", "why"].map(read);
    let play = Play::with(80, 24, course(), done.to_vec());
    assert!(
        play.screen().contains("Was it what you expected?"),
        "{}",
        play.screen()
    );
    let done = ["start", "labs", "why"].map(read);
    let play = Play::with(80, 24, course(), done.to_vec());
    assert!(!play.screen().contains("Was it what you expected?"));
}

#[test]
fn a_search_and_tab_lead_behind_a_pause() {
    let mut by_search = play(80, 24);
    assert!(
        by_search
            .keys("/was it what\n")
            .screen()
            .contains("Was it what you expected?")
    );
    let mut by_tab = play(80, 24);
    by_tab.press(KeyCode::Tab);
    insta::assert_snapshot!(by_tab.screen(), @"
    Where a tensor lives                                  page 3 of 4 ███████░░░

    Why the bus is slow

    What do you expect?

    The bus is narrow.

    ▶ Narrow  ○ new
    │ print(1)
    └ r run   e edit   Enter open

    · · ·  Space shows what follows










    Enter open  r run  n more  p previous  Tab lab  / search  q back  ? help
    ");
}

#[test]
fn a_small_terminal_goes_on_at_what_follows() {
    let mut play = play(40, 12);
    insta::assert_snapshot!(play.keys(" ").screen(), @"
    Where a tensor lives · Why…  page 3 of 4

    What do you expect?

    The bus is narrow.

    ▶ Narrow  ○ new
    │ print(1)
    └ r run   e edit   Enter open

    · · ·  Space shows what follows
    Enter open  r run  q back  ? help
    ");
    insta::assert_snapshot!(play.keys(" ").screen(), @"
    Where a tensor lives · Why…  page 3 of 4

    The bus is narrow.

    ▶ Narrow  ○ new
    │ print(1)
    └ r run   e edit   Enter open

    Was it what you expected? See below[1].

    n  The end
    Enter open  r run  q back  ? help
    ");
}

#[test]
fn the_task_of_a_lab_ends_at_the_pause_behind_it() {
    let mut play = play(80, 24);
    play.press(KeyCode::Tab).press(KeyCode::Enter);
    assert!(
        play.screen().contains("The bus is narrow."),
        "{}",
        play.screen()
    );
    assert!(!play.screen().contains("Was it what"), "{}", play.screen());
}
