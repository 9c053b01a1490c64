//! Links, Backspace after them, and Tab through the labs of a lesson.

use super::Play;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use warpup_course::sample;

/// A course whose second lesson has a page with these lines and enough text to scroll.
pub(super) fn play(width: u16, height: u16, lines: &str) -> Play {
    let text = "A paragraph.\n\n".repeat(30);
    let more = format!("## Sources {{#sources}}\n\n{text}{lines}\n");
    let course = sample::course_with("lessons/copies.md", &more);
    let mut play = Play::with(width, height, course, Vec::new());
    play.keys(":sources\nG");
    play
}

fn head(play: &Play) -> String {
    play.screen().lines().next().unwrap_or("").trim().to_owned()
}

#[test]
fn a_number_opens_a_link_of_the_course_and_backspace_returns_to_the_line() {
    let mut play = play(
        80,
        24,
        "Read [there](places.md#labs), [here](#the-bus) or [all](places.md).",
    );
    let before = play.screen();
    insta::assert_snapshot!(before, @"
    What a copy costs · Sources                           page 3 of 3 ██████████


    A paragraph.

    A paragraph.

    A paragraph.

    A paragraph.

    A paragraph.

    A paragraph.

    A paragraph.

    A paragraph.

    Read there[1], here[2] or all[3].

    n  quiz: 4 questions

    Backspace return  n quiz  p previous  1 link  / search  q back  ? help
    ");
    for (key, title) in [
        ("1", "Put it there"),
        ("2", "The bus"),
        ("3", "Where a tensor lives"),
    ] {
        play.keys(key);
        let heading = play.screen().lines().nth(2).unwrap_or("").trim().to_owned();
        assert_eq!(heading, title, "{}", play.screen());
        play.press(KeyCode::Backspace);
        // The footer no longer offers to return.
        assert_eq!(play.screen(), before);
    }
    play.keys("4");
    assert_eq!(play.screen(), before);
}

#[test]
fn a_number_waits_for_its_second_digit_where_there_are_so_many_links() {
    let links: Vec<_> = (1..=12)
        .map(|it| format!("[{it}](https://example.org/{it})"))
        .collect();
    let mut play = play(80, 24, &links.join(", "));
    play.keys("1");
    insta::assert_snapshot!(head(&play), @"What a copy costs · Sources           link 1… Enter goes there · page 3 of 3");
    play.keys("2");
    insta::assert_snapshot!(play.screen().trim_end(), @"
    Link

    This is outside of the course. Open it in a browser:

    https://example.org/12


















    q back
    ");
    play.press(KeyCode::Esc).keys("1\n");
    assert!(
        play.screen().contains("https://example.org/1\n"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Esc).keys("1").press(KeyCode::Esc);
    assert!(head(&play).contains("Sources"), "{}", play.screen());
}

#[test]
fn an_address_is_shown_whole_and_links_are_in_the_palette() {
    let long = format!("https://example.org/{}", "very-long/".repeat(9));
    let mut play = play(40, 12, &format!("See [the page]({long})."));
    play.keys(":example\n");
    insta::assert_snapshot!(play.screen(), @"
    Link
    This is outside of the course. Open it
    in a browser:

    https://example.org/very-long/very-long/
    very-long/very-long/very-long/very-long/
    very-long/very-long/very-long/




    q back
    ");
}

#[test]
fn tab_goes_through_all_labs_of_the_lesson() {
    let lab = "\n```python lab id=late title=\"A late lab\"\nprint(2)\n```\n";
    let text = "A paragraph.\n\n".repeat(30);
    let more = format!("## No lab {{#none}}\n\nText.\n\n## Late {{#late}}\n\n{text}{lab}");
    let course = sample::course_with("lessons/places.md", &more);
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\n");
    let chosen = |play: &Play| {
        let screen = play.screen();
        let marked = screen.lines().find(|it| it.contains('▶'));
        marked.unwrap_or_default().trim().to_owned()
    };
    let mut labs = Vec::new();
    for _ in 0..4 {
        play.press(KeyCode::Tab);
        labs.push(chosen(&play));
    }
    play.press(KeyCode::BackTab);
    labs.push(chosen(&play));
    play.send(crate::app::Event::Key(KeyEvent::new(
        KeyCode::Tab,
        KeyModifiers::NONE,
    )));
    labs.push(chosen(&play));
    play.press(KeyCode::Tab)
        .press(KeyCode::BackTab)
        .press(KeyCode::BackTab);
    labs.push(chosen(&play));
    insta::assert_snapshot!(labs.join("\n"), @"
    ▶ Put it on the device  ○ new
    ▶ Time a sum  ○ new
    ▶ A late lab  ○ new
    ▶ Put it on the device  ○ new
    ▶ Put it on the device  ○ new
    ▶ Time a sum  ○ new
    ▶ Put it on the device  ○ new
    ");
}

#[test]
fn looking_a_word_up_begins_no_lesson_and_backspace_returns() {
    use super::words::course;
    // From the map.
    let mut play = Play::with(80, 24, course(), Vec::new());
    let map = play.screen();
    play.keys(":memory\n");
    assert!(head(&play).contains("page 3 of 3"), "{}", play.screen());
    play.keys("kGgp").press(KeyCode::PageUp);
    play.press(KeyCode::BackTab);
    assert!(play.saved().is_empty(), "{:?}", play.saved());
    play.press(KeyCode::Backspace);
    assert_eq!(play.screen(), map);
    // Who reads on there was in the lesson, and can still go back.
    play.keys(":the bus\nn");
    assert_eq!(play.saved().len(), 1);
    play.press(KeyCode::Backspace);
    assert!(
        play.screen().contains("where you were"),
        "{}",
        play.screen()
    );
    // From a page, also to a word on the same page.
    let mut play = Play::with(80, 12, course(), Vec::new());
    play.keys(":words\nj");
    let before = play.screen();
    play.keys(":memory\n");
    play.press(KeyCode::Backspace);
    assert_eq!(play.screen(), before);
}

#[test]
fn tab_does_not_lead_from_a_word_to_the_start_of_its_lesson() {
    let mut play = Play::with(80, 24, super::words::course(), Vec::new());
    play.keys(":memory\n").press(KeyCode::Tab);
    assert!(head(&play).contains("page 3 of 3"), "{}", play.screen());
    let screen = play.screen();
    let notice = screen.lines().last().unwrap_or("").trim();
    insta::assert_snapshot!(notice, @"No lab follows on the pages from here.");
}

#[test]
fn tab_shows_the_lab_of_the_page_that_was_read_past() {
    let lab = "\n```python lab id=early title=\"An early lab\"\nprint(2)\n```\n";
    let text = "A paragraph.\n\n".repeat(30);
    let late = lab.replace("early", "late");
    let more = format!("## Early {{#early}}\n{lab}\n{text}\n## Late {{#late}}\n{late}");
    let course = sample::course_with("lessons/places.md", &more);
    let mut play = Play::with(80, 24, course, Vec::new());
    let shows = |play: &Play, wanted: &str| {
        let screen = play.screen();
        assert!(screen.contains(wanted), "{screen}");
    };
    // At the end of its page, and again after a page was turned back.
    play.keys("\nnnG").press(KeyCode::Tab);
    shows(&play, "▶ An early lab");
    play.press(KeyCode::Tab);
    shows(&play, "▶ An late lab");
    play.keys("pGnp").press(KeyCode::Tab);
    shows(&play, "▶ An early lab");
    // Who was in the lab and read on goes on.
    play.keys("\nqG").press(KeyCode::Tab);
    shows(&play, "▶ An late lab");
}

#[test]
fn a_whole_address_on_the_screen_is_one_that_the_terminal_opens() {
    let text = "Read [there](https://docs.example.org/a), [here](#the-bus), [far](https://docs.example.org/a/path/that/is/longer/than/one/line/of/this/terminal/is).";
    let mut play = play(60, 24, text);
    let links = play.app.hyperlinks();
    let said: Vec<_> = links.iter().map(|it| it.address().to_owned()).collect();
    assert_eq!(said, ["https://docs.example.org/a"]);
    let screen = play.screen();
    let row = screen.lines().nth(usize::from(links[0].row())).unwrap();
    let columns = links[0].columns();
    let shown: String = row
        .chars()
        .skip(usize::from(columns.start))
        .take(columns.len())
        .collect();
    assert_eq!(shown, said[0]);
    // The help covers the page and its links.
    play.keys("?");
    assert_eq!(play.app.hyperlinks(), []);
    play.keys("?1");
    assert_eq!(play.app.hyperlinks().len(), 1);
}

#[test]
fn tab_past_pages_says_where_that_is_and_backspace_comes_back() {
    let lab = "\n```python lab id=late title=\"A late lab\"\nprint(2)\n```\n";
    let more = format!("## Between {{#between}}\n\nText.\n\n## Late {{#late}}\n{lab}");
    let course = sample::course_with("lessons/places.md", &more);
    let mut play = Play::with(80, 24, course, Vec::new());
    let last = |play: &Play| {
        let screen = play.screen();
        screen.lines().last().unwrap_or("").trim().to_owned()
    };
    // The labs of the page itself and of the next one are no jump.
    play.keys("\n").press(KeyCode::Tab).press(KeyCode::Tab);
    assert!(!last(&play).contains("Page "), "{}", play.screen());
    play.keys("k");
    let before = play.screen();
    play.press(KeyCode::Tab);
    insta::assert_snapshot!(last(&play), @"Page 4 of 4, at a lab: Backspace goes back to page 2.");
    play.press(KeyCode::Backspace);
    assert_eq!(play.screen(), before);
    // Round to the first lab, and back with the other key.
    play.press(KeyCode::Tab).press(KeyCode::Tab);
    insta::assert_snapshot!(last(&play), @"Page 2 of 4, at a lab: Backspace goes back to page 4.");
    play.press(KeyCode::Tab).press(KeyCode::BackTab);
    insta::assert_snapshot!(last(&play), @"Enter open  Backspace return  r run  n next page  p previous  q back  ? help");
}
