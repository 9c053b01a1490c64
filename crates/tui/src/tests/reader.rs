//! The pages of a lesson.

use super::{Play, sample};
use crate::app::Event;
use ratatui::crossterm::event::KeyCode;
use warpup_course::{Course, LessonId, PageId};
use warpup_progress::Event as Done;

#[test]
fn a_page_shows_its_labs_among_the_text() {
    insta::assert_snapshot!(Play::new(80, 24).keys("\nn").screen(), @r#"
    Where a tensor lives                                  page 2 of 2 ██████████

    Put it there

    Decide what it prints, then run it.

    ▶ Put it on the device  ○ new
    │ import torch
    │ x = torch.ones(3).to("cuda")
    │ print(x.device)
    └ r run   e edit   Enter open

    ┌ Time a sum  ○ new
    │ print(1)
    └ r run   e edit   Enter open

    n  quiz: 5 questions






    Enter open  r run  n quiz  p previous  Tab lab  / search  q back  ? help
    "#);
    insta::assert_snapshot!(Play::new(40, 12).keys("\nn").screen(), @r#"
    Where a tensor lives         page 2 of 2
    Put it there

    Decide what it prints, then run it.

    ▶ Put it on the device  ○ new
    │ import torch
    │ x = torch.ones(3).to("cuda")
    │ print(x.device)
    └ r run   e edit   Enter open

    Enter open  r run  q back  ? help    ↓ 5
    "#);
}

#[test]
fn reading_goes_on_where_it_was_left() {
    let read = Done::Read {
        lesson: LessonId::new("places"),
        page: PageId::new("labs"),
    };
    let play = Play::with(80, 24, sample::course(), vec![read]);
    assert!(
        play.screen()
            .starts_with("  Where a tensor lives                                  page 2")
    );
    assert_eq!(play.saved(), Vec::<&Done>::new());
}

#[test]
fn turning_a_page_is_saved() {
    let mut play = Play::new(80, 24);
    play.keys("\nnp");
    let pages = ["start", "labs", "start"].map(|page| Done::Read {
        lesson: LessonId::new("places"),
        page: PageId::new(page),
    });
    assert_eq!(play.saved(), pages.iter().collect::<Vec<_>>());
}

#[test]
fn the_end_of_a_lesson_is_said_before_space_leads_to_the_quiz() {
    let mut play = Play::new(80, 24);
    play.keys("\nn ");
    let said = "This is the end of the lesson: n, or this key again, takes the quiz.";
    assert!(play.screen().contains(said), "{}", play.screen());
    play.keys(" ");
    assert!(play.screen().contains("1 of 5"), "{}", play.screen());
    let mut course = sample::course();
    for lesson in &mut course.lessons {
        lesson.quiz = None;
    }
    let mut play = Play::with(80, 24, course, Vec::new());
    // To the second lesson, and past its end.
    play.keys("\nn n  ");
    let said = "This is the end of the lesson: q goes back to the map.";
    assert!(play.screen().contains(said), "{}", play.screen());
}

#[test]
fn tab_leads_to_the_lab_of_the_page_before_it_leads_to_a_later_one() {
    let more = "
## Last {#last}

Run it.

```python lab id=last title=\"The last one\"
print(1)
```
";
    let course = warpup_course::sample::course_with("lessons/places.md", more);
    let mut play = Play::with(80, 24, course, Vec::new());
    // To the last lab of the second page, and from there to the next page.
    play.keys("\nn").press(KeyCode::Tab);
    assert!(play.screen().contains("page 2 of 3"), "{}", play.screen());
    play.press(KeyCode::Tab);
    assert!(play.screen().contains("page 3 of 3"), "{}", play.screen());
    // Who turns to a page with one lab is led to that one first.
    play.keys("pn").press(KeyCode::Tab).keys("\n");
    assert!(
        play.screen().contains("lab · The last one"),
        "{}",
        play.screen()
    );
}

#[test]
fn end_of_the_last_page_leads_to_the_quiz() {
    let mut play = Play::new(80, 24);
    play.keys("\nn");
    // The page, and its footer, say so.
    assert!(play.screen().contains("n  quiz: 5 questions"));
    assert!(play.screen().contains("  n quiz  "), "{}", play.screen());
    play.keys("n");
    assert!(play.screen().contains("· 1 of 5 ·"));
    play.press(KeyCode::Esc);
    assert!(play.screen().contains("page 2 of 2"));
}

#[test]
fn the_bar_is_full_on_the_last_page_only() {
    let mut course = sample::course();
    let lesson = course.lessons.first_mut().unwrap();
    let page = lesson.pages.first().unwrap().clone();
    for number in 0..11 {
        let mut page = page.clone();
        page.id = PageId::new(format!("more-{number}"));
        lesson.pages.insert(1, page);
    }
    let mut play = Play::with(80, 24, course, Vec::new());
    let head = |play: &Play| play.screen().lines().next().unwrap_or("").to_owned();
    play.keys("\n");
    assert!(head(&play).ends_with("page 1 of 13 █░░░░░░░░░"));
    play.keys("nnnnnnnnnnn");
    assert!(head(&play).ends_with("page 12 of 13 █████████░"));
    play.keys("n");
    assert!(head(&play).ends_with("page 13 of 13 ██████████"));
}

/// A course whose first page is long, with a lab at its end.
fn long() -> Play {
    let mut play = Play::with(80, 24, long_course(), Vec::new());
    play.keys("\nn");
    play
}

fn long_course() -> Course {
    let mut course = sample::course();
    let page = course
        .lessons
        .first_mut()
        .unwrap()
        .pages
        .get_mut(1)
        .unwrap();
    let labs = page.blocks.split_off(1);
    page.blocks
        .extend((0..400).map(|it| sample::paragraph(&format!("paragraph {it}"))));
    page.blocks.extend(labs);
    course
}

#[test]
fn a_long_page_is_laid_out_as_far_as_it_is_read() {
    let mut play = long();
    assert!(play.screen().contains("↓ more"));
    for _ in 0..200 {
        if !play.screen().contains("n  quiz: 5 questions") {
            play.keys(" ");
        }
    }
    assert!(
        play.screen().contains("n  quiz: 5 questions"),
        "{}",
        play.screen()
    );
    play.keys("gG");
    assert!(play.screen().contains("n  quiz: 5 questions"));
    play.keys("g").send(Event::Resize(60, 20));
    assert!(play.screen().contains("paragraph 0"));
}

#[test]
fn tab_finds_a_lab_that_is_far_below() {
    let mut play = long();
    play.press(KeyCode::Tab);
    assert!(
        play.screen().contains("▶ Put it on the device"),
        "{}",
        play.screen()
    );
    play.keys("\n");
    assert!(play.screen().contains("lab · Put it on the device"));
}

#[test]
fn a_change_of_width_keeps_the_place() {
    let mut play = long();
    for _ in 0..20 {
        play.keys(" ");
    }
    let before = play.screen();
    let first = before
        .lines()
        .find(|it| it.contains("paragraph"))
        .unwrap()
        .trim()
        .to_owned();
    play.send(Event::Resize(70, 24));
    assert!(
        play.screen().contains(&first),
        "{first} in {}",
        play.screen()
    );
}

/// The first line of text on screen.
fn first_line(play: &Play) -> String {
    let screen = play.screen();
    let found = screen.lines().find(|it| it.contains("paragraph"));
    found.unwrap_or_default().trim().to_owned()
}

#[test]
fn reading_goes_on_at_the_line_that_was_left() {
    let mut play = long();
    play.keys("    ").keys("jjj");
    let line = first_line(&play);
    assert_eq!(line, "paragraph 36");
    play.keys("q\n");
    assert_eq!(first_line(&play), line);
    // A visit that scrolls nowhere records nothing.
    let saved = play.saved().len();
    play.keys("q\n");
    assert_eq!(play.saved().len(), saved);
    // A new start of the app.
    play.keys("Q");
    let done = play.saved().into_iter().cloned().collect();
    let again = Play::with(80, 24, long_course(), done);
    assert_eq!(first_line(&again), line);
}

#[test]
fn a_line_is_kept_through_every_width() {
    let mut course = sample::course();
    let words = "All work of a stream happens in order, and the host does not wait for it. ";
    let blocks =
        (0..60).map(|it| sample::paragraph(&format!("paragraph {it}. {}", words.repeat(4))));
    course.lessons[0].pages[0].blocks = blocks.collect();
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\n    jj");
    let before = play.screen();
    for (width, height) in [(40, 12), (120, 40), (60, 20), (44, 30), (80, 24)] {
        play.send(Event::Resize(width, height));
    }
    assert_eq!(play.screen(), before);
}

#[test]
fn a_lesson_is_gone_through_from_the_tops_of_its_pages() {
    let mut play = long();
    play.keys("    ");
    let line = first_line(&play);
    play.keys("p");
    assert!(play.screen().contains("page 1 of 2"), "{}", play.screen());
    play.keys("n");
    assert!(play.screen().contains("paragraph 0"), "{}", play.screen());
    assert_ne!(first_line(&play), line);
}

#[test]
fn the_footer_offers_what_the_page_has() {
    let mut play = Play::new(80, 24);
    let footer = |play: &Play| play.screen().lines().last().unwrap_or_default().to_owned();
    play.keys("\n");
    assert_eq!(
        footer(&play),
        "  Enter next page   / search   w words   q back   ? help"
    );
    play.press(KeyCode::Tab);
    assert_eq!(
        footer(&play),
        "  Enter open  r run  n quiz  p previous  Tab lab  / search  q back  ? help"
    );
}

#[test]
fn space_and_enter_go_through_the_pages_and_no_further() {
    let mut play = Play::new(80, 24);
    play.keys("\n\n");
    assert!(play.screen().contains("page 2 of 2"), "{}", play.screen());
    play.keys("p  ");
    assert!(play.screen().contains("page 2 of 2"), "{}", play.screen());
}

#[test]
fn a_lesson_without_a_quiz_leads_to_the_next_lesson() {
    let mut course = sample::with_short_end();
    course.lessons.first_mut().unwrap().quiz = None;
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn");
    assert!(play.screen().contains("n  next lesson: What a copy costs"));
    assert!(play.screen().contains("n next lesson"), "{}", play.screen());
    play.keys("n");
    insta::assert_snapshot!(play.screen(), @"
    Lesson 2 of 2                                         page 1 of 1 ██████████

    What a copy costs

    A copy is never free.

    This was the last page of the course.
















    / search   w words   q back   ? help
    ");
}

/// Where reading goes on after these keys: the page, and the line at its top.
fn goes_on_at(play: &mut Play) -> (bool, String) {
    play.keys("Q");
    let done = play.saved().into_iter().cloned().collect();
    let again = Play::with(80, 24, long_course(), done);
    (again.screen().contains("page 2 of 2"), first_line(&again))
}

#[test]
fn only_reading_on_moves_the_place_where_reading_goes_on() {
    let begin = || {
        let mut play = long();
        play.keys("    ");
        let line = first_line(&play);
        (play, (true, line))
    };
    // A search to another page, and one on this page.
    let (mut play, kept) = begin();
    play.keys("/lives\n\n");
    assert!(play.screen().contains("page 1 of 2"), "{}", play.screen());
    play.press(KeyCode::Esc).keys("q");
    assert_eq!(goes_on_at(&mut play), kept);
    let (mut play, kept) = begin();
    play.keys("/paragraph 300\n");
    assert_eq!(goes_on_at(&mut play), kept);
    // Who scrolls or turns the page there, reads on there.
    let (mut play, _) = begin();
    play.keys("/paragraph 300\n");
    play.press(KeyCode::Esc).keys("j");
    let line = first_line(&play);
    assert_eq!(goes_on_at(&mut play), (true, line));
    let (mut play, _) = begin();
    play.keys("/lives\n\n");
    play.press(KeyCode::Esc).keys("n");
    assert_eq!(goes_on_at(&mut play), (true, "paragraph 0".to_owned()));
    // Reading a page again from the results.
    let (mut play, kept) = begin();
    play.keys("zxy").press(KeyCode::Down).keys("\n");
    assert!(play.screen().contains("page "), "{}", play.screen());
    assert_eq!(goes_on_at(&mut play), kept);
}

#[test]
fn tab_shows_a_lab_whose_card_is_cut_before_it_goes_to_the_next() {
    let mut course = sample::course();
    let page = &mut course.lessons[0].pages[1];
    for number in 0..5 {
        page.blocks
            .insert(1, sample::paragraph(&format!("paragraph {number}")));
    }
    let mut play = Play::with(40, 12, course, Vec::new());
    play.keys("\nn");
    for _ in 0..9 {
        if !play.screen().contains("▶ Put it on the device") {
            play.keys("j");
        }
    }
    assert!(
        !play.screen().contains("print(x.device)"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Tab);
    assert!(play.screen().contains("└ r run"), "{}", play.screen());
    assert!(
        play.screen().contains("▶ Put it on the device"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Tab).keys("\n");
    assert!(
        play.screen().contains("lab · Time a sum"),
        "{}",
        play.screen()
    );
}

#[test]
fn enter_reads_on_until_a_lab_is_on_the_screen() {
    let mut course = sample::course();
    let page = &mut course.lessons[0].pages[1];
    for number in (0..9).rev() {
        let text = sample::paragraph(&format!("paragraph {number}"));
        page.blocks.insert(1, text);
    }
    let mut play = Play::with(40, 12, course, Vec::new());
    let footer = |play: &Play| play.screen().lines().last().unwrap_or_default().to_owned();
    play.keys("\nn");
    insta::assert_snapshot!(footer(&play), @"Enter continue  q back  ? help    ↓ more");
    play.keys("\n");
    assert!(play.screen().contains("paragraph 4"), "{}", play.screen());
    play.keys("\n");
    let screen = play.screen();
    assert!(screen.contains("▶ Put it on the device"), "{screen}");
    insta::assert_snapshot!(footer(&play), @"Enter open  r run  q back  ? help    ↓ 7");
    play.keys("\n");
    let screen = play.screen();
    assert!(screen.contains("lab · Put it on the device"), "{screen}");
}
