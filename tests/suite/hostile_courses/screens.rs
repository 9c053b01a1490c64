//! Hostile courses in the app: it stays alive, and ends when it is asked to.

use super::folder::Folder;
use super::{MANIFEST, ONE, QUIZ};
use crate::support::pty::Start;

/// What makes a course hostile.
type Make = fn(&Folder);

/// Courses.
const COURSES: [(&str, Make); 8] = [
    ("the good one", |_| {}),
    ("a bomb", |it| it.append(ONE, "> ".repeat(500_000))),
    ("wide characters", |it| it.append(ONE, "漢".repeat(300_000))),
    ("10,000 pages", |it| {
        it.append(
            ONE,
            (0..10_000)
                .map(|n| format!("## P {n}\n\nx\n\n"))
                .collect::<String>(),
        );
    }),
    ("escape sequences", |it| {
        it.replace(
            ONE,
            "Read this.",
            "\x1b[2J\x1b]0;title\x07\u{9b}31m\u{202e}x",
        );
        it.replace(
            MANIFEST,
            "From a stranger",
            "\\u001b]0;title\\u0007From a stranger",
        );
        it.replace(QUIZ, "Which?", "\\u001b[?1049l\\u009b31mWhich?");
    }),
    ("no quiz", |it| it.remove("quizzes")),
    ("a link in the place of the lesson", |it| {
        it.link(ONE, "/dev/zero");
    }),
    ("no course.toml", |it| it.remove(MANIFEST)),
];

#[test]
fn the_app_lives_with_hostile_courses() {
    std::thread::scope(|scope| {
        for half in COURSES.chunks(COURSES.len() / 2) {
            scope.spawn(move || half.iter().for_each(|(name, make)| visit(name, *make)));
        }
    });
}

fn visit(name: &str, make: Make) {
    let folder = Folder::new();
    make(&folder);
    let mut terminal = Start::warpup()
        .args(["--course", folder.path().to_str().unwrap()])
        .spawn();
    terminal.wait_for(|it| it.contains("lessons done"), name);
    terminal.press("<Enter>");
    terminal.wait_for(
        |it| it.contains("page 1 of") || it.contains("lessons done"),
        name,
    );
    terminal.press("nnG");
    let screen = terminal.screen();
    assert!(screen.alternate_screen(), "{name}");
    terminal.press("<C-q>");
    assert_eq!(terminal.wait_exit().exit_code(), 0, "{name}");
}
