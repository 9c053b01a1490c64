//! The lesson *First-line debugging* shows what `warpup trace --example` prints.

use crate::support::lab_runner::shipped_course;
use crate::support::temp_home::TempHome;
use warpup::course::BlockKind;

/// The drawings on the page about the example.
fn figures() -> Vec<String> {
    let lessons = shipped_course().lessons.iter();
    let pages = lessons
        .filter(|it| it.id.as_str() == "first-line-debugging")
        .flat_map(|it| &it.pages)
        .filter(|it| it.id.as_str() == "slow-run");
    let blocks = pages.flat_map(|it| &it.blocks);
    let art = blocks.filter_map(|it| {
        let BlockKind::Figure { art, .. } = &it.kind else {
            return None;
        };
        Some(art.clone())
    });
    art.collect()
}

/// The first part of a figure that is not printed after the part before it. `…` is for lines that are left out.
fn not_printed(figure: &str, printed: &str) -> Option<String> {
    let mut rest = format!("\n{printed}");
    for part in format!("\n{}\n", figure.trim_end()).split("\n…") {
        let part = part.trim_end();
        let Some((_, after)) = rest.split_once(&format!("{part}\n")) else {
            return Some(part.to_owned());
        };
        rest = format!("\n{after}");
    }
    None
}

#[test]
fn the_lesson_shows_what_the_example_prints() {
    let output = TempHome::new().run(&["trace", "--example"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let figures = figures();
    assert_eq!(figures.len(), 1);
    assert_eq!(not_printed(&figures[0], &printed), None, "{printed}");
    assert!(figures[0].contains("is synthetic"), "{}", figures[0]);
}

#[test]
fn a_line_that_is_not_printed_is_found() {
    let printed = "one\ntwo\nthree\nfour\n";
    assert_eq!(not_printed("one\n…\nthree\n…\n", printed), None);
    assert_eq!(not_printed("two\nthree\n", printed), None);
    let wrong = [
        "one\nthree\n",
        "two\n…\none\n",
        "one\n…\nfour and more\n",
        "ne\n",
    ];
    for figure in wrong {
        assert!(not_printed(figure, printed).is_some(), "{figure}");
    }
}
