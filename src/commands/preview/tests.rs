//! Which course a file belongs to, and what is said of it.

use super::edited_file::EditedFile;
use super::status::status;
use crate::commands::failure::Exit;
use crate::commands::sample;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use warpup_course::{FrontEnd, template};

/// A folder with these files.
fn folder(files: &[(&str, String)]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for (file, text) in files {
        let file = dir.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    dir
}

/// A course with one listed lesson and one that is not listed yet.
fn course() -> TempDir {
    folder(&[
        ("lessons/course.toml", template::course("mine", "first")),
        ("lessons/first.md", template::lesson("first")),
        ("lessons/second.md", template::lesson("second")),
    ])
}

/// What is opened for a file, and the line about its problems.
fn opened(dir: &Path, file: &str) -> String {
    let place = EditedFile::of(&dir.join(file), FrontEnd::Screen).unwrap();
    let opened = place.read().unwrap();
    let start = place.start(&opened);
    let start = start.map(|(lesson, is_quiz)| format!("{lesson}, quiz: {is_quiz}"));
    let status = status(&opened, place.file.as_deref());
    let lessons = opened.course.lessons.len();
    format!("{start:?} of {lessons}: {}", status.said)
}

#[test]
fn a_lesson_is_shown_in_its_course_also_before_the_course_lists_it() {
    let dir = course();
    insta::assert_snapshot!(opened(dir.path(), "lessons/first.md"), @r#"Some("first, quiz: false") of 1: preview · first.md: no problems here; 1 in other files (p on the map)"#);
    insta::assert_snapshot!(opened(dir.path(), "lessons/second.md"), @r#"Some("second, quiz: false") of 2: preview · second.md, line 1: this lesson is not listed in `lessons/course.toml`"#);
    insta::assert_snapshot!(opened(dir.path(), "."), @"None of 1: preview · second.md, line 1: this lesson is not listed in `lessons/course.toml`");
}

#[test]
fn a_lesson_without_a_course_is_shown_alone() {
    let dir = folder(&[("alone.md", template::lesson("alone"))]);
    insta::assert_snapshot!(opened(dir.path(), "alone.md"), @r#"Some("alone, quiz: false") of 1: preview · alone.md: no problems"#);
}

#[test]
fn the_worst_problem_is_named_with_its_line() {
    let lesson = template::lesson("first").replace("format = 1", "format = 1\nminuets = 3");
    let lesson = format!("{lesson}\n## Last {{#start}}\n\n[away](nowhere.md)\n");
    let dir = folder(&[
        ("lessons/course.toml", template::course("mine", "first")),
        ("lessons/first.md", lesson),
    ]);
    insta::assert_snapshot!(opened(dir.path(), "lessons/first.md"), @r#"Some("first, quiz: false") of 1: preview · first.md, line 3: unknown key `minuets` in a lesson (2 more)"#);
    insta::assert_snapshot!(opened(dir.path(), "."), @"None of 1: preview · first.md, line 3: unknown key `minuets` in a lesson (2 more)");
}

#[test]
fn a_file_of_no_course_is_refused() {
    let dir = folder(&[("notes.txt", String::new())]);
    for file in ["notes.txt", "missing.md"] {
        let (text, exit) = sample::console("", |_| {
            EditedFile::of(&dir.path().join(file), FrontEnd::Screen).map(|_| Exit::Fine)
        });
        assert_eq!(exit, Exit::Arguments);
        let shown = dir.path().display().to_string();
        let text = text.replace(&shown, "DIR");
        if file == "notes.txt" {
            insta::assert_snapshot!(text, @"
            error: DIR/notes.txt is neither a lesson nor a quiz of a course
            hint: give a lesson (lessons/*.md), a quiz (quizzes/*.toml), or the folder of a course
            ");
        } else {
            insta::assert_snapshot!(text, @"
            error: cannot read DIR/missing.md
            cause: there is no such file
            hint: `ls DIR` lists what is there
            ");
        }
    }
}
