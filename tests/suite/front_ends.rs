//! The shipped lessons name to each learner what that one can do: keys on the screens, words in plain mode.

use crate::support::pty::Start;
use crate::support::temp_home::TempHome;
use std::io::Write;
use std::process::Stdio;
use warpup_course::{FrontEnd, Sources, plain};
use warpup_store::course::embedded;

/// What only the screens have, as the lessons write it.
const OF_SCREENS: [&str; 9] = [
    "(`d`",
    "(`n`",
    "(`o`",
    "(`e` ",
    "`Enter`",
    "`Esc`",
    "`?`",
    "press `",
    "on the screens",
];

/// What only plain mode has.
const OF_PLAIN: [&str; 1] = ["`warpup --plain`"];

/// `lesson/page: words` of each of these words in the lessons as a front end shows them.
fn named(front_end: Option<FrontEnd>, words: &[&str]) -> Vec<String> {
    let sources = Sources {
        front_end,
        ..embedded()
    };
    let course = warpup_course::open(&sources);
    let mut found = Vec::new();
    for lesson in &course.lessons {
        for page in &lesson.pages {
            let text = plain::page(lesson, page, "warpup", 1000);
            let of_page = words.iter().filter(|it| text.as_str().contains(**it));
            found.extend(of_page.map(|it| format!("{}/{}: {it}", lesson.id, page.id)));
        }
    }
    found
}

#[test]
fn no_lesson_names_what_its_reader_does_not_have() {
    assert_eq!(named(Some(FrontEnd::Plain), &OF_SCREENS), [""; 0]);
    assert_eq!(named(Some(FrontEnd::Screen), &OF_PLAIN), [""; 0]);
}

#[test]
fn what_is_looked_for_is_in_the_lessons() {
    let all = named(None, &[&OF_SCREENS[..], &OF_PLAIN[..]].concat());
    for words in OF_SCREENS.iter().chain(&OF_PLAIN) {
        assert!(all.iter().any(|it| it.ends_with(words)), "{words}: {all:?}");
    }
}

#[test]
fn the_app_plain_mode_and_a_printed_lesson_show_a_page_to_different_readers() {
    let (keys, words) = ("`Enter`, until", "`device model:t4`");
    let home = TempHome::new();
    let printed = home.run(&["read", "two-workers", "--page", "first-run"]);
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(
        printed.contains(keys) && printed.contains(words),
        "{printed}"
    );

    let mut plain = home.warpup(&["--plain"]);
    let plain = plain.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut plain = plain.spawn().unwrap();
    let input = plain.stdin.as_mut().unwrap();
    input.write_all(b"two-workers\nnext\nquit\n").unwrap();
    let shown = plain.wait_with_output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(!shown.contains(keys) && shown.contains(words), "{shown}");

    let mut app = Start::warpup().size(100, 60).spawn();
    app.wait_for(|it| it.contains("next: Two workers"), "the map");
    app.press("<Enter>");
    app.wait_for(|it| it.contains("Welcome."), "the lesson");
    app.press("n");
    let shown = app.wait_for(|it| it.contains("Open the lab below"), "the page");
    assert!(
        shown.contains("Enter, until") && !shown.contains("device model:t4"),
        "{shown}"
    );
}
