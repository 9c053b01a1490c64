//! The small course of `tests/fixtures/course`, for the tests of every room.
//!
//! It is read as any course is, so that no test sees a course which no file can hold. What a single test needs
//! in addition it adds as text, in the language of course files.

use super::{Course, Diagnostic, Question, Severity, Sources, open, parse};
use std::borrow::Cow;

/// The files of the course, as a folder would give them.
const FILES: [(&str, &str); 5] = [
    (
        "lessons/course.toml",
        include_str!("../../../tests/fixtures/course/lessons/course.toml"),
    ),
    (
        "lessons/places.md",
        include_str!("../../../tests/fixtures/course/lessons/places.md"),
    ),
    (
        "lessons/copies.md",
        include_str!("../../../tests/fixtures/course/lessons/copies.md"),
    ),
    (
        "quizzes/places.toml",
        include_str!("../../../tests/fixtures/course/quizzes/places.toml"),
    ),
    (
        "quizzes/copies.toml",
        include_str!("../../../tests/fixtures/course/quizzes/copies.toml"),
    ),
];

/// Two lessons with two labs and a quiz each; the first quiz has one of each kind of question that is chosen or typed.
pub fn course() -> Course {
    course_of(FILES)
}

/// The files of the same course.
pub fn sources() -> Sources {
    let files = FILES.map(|(name, text)| (name.to_owned(), text.into()));
    Sources::of(files)
}

/// The same course, one of whose files goes on with this text.
///
/// # Panics
///
/// If the course has no such file.
pub fn course_with(file: &str, more: &str) -> Course {
    assert!(
        FILES.iter().any(|(name, _)| *name == file),
        "no file {file}"
    );
    course_of(FILES.map(|(name, text)| {
        let more = if name == file { more } else { "" };
        (name, format!("{text}\n{more}"))
    }))
}

/// The same course and what is wrong in it, as its files are after a change; a file with an empty text is not there.
pub fn changed(change: impl Fn(&str, &str) -> String) -> (Course, Vec<Diagnostic>) {
    let files = FILES.map(|(name, text)| (name.to_owned(), change(name, text).into()));
    let files = files
        .into_iter()
        .filter(|(_, text): &(_, Cow<'_, str>)| !text.is_empty());
    parse(&Sources::of(files))
}

/// A question of the sample course's last lesson, from its keys but for `prompt` and `explain`.
///
/// # Panics
///
/// If a course with it has mistakes.
pub fn question(keys: &str) -> Question {
    let text = format!("[[question]]\nprompt = \"Which?\"\nexplain = \"This.\"\n{keys}\n");
    let course = course_with("quizzes/copies.toml", &text);
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    let Some(question) = quizzes.flat_map(|it| &it.questions).next_back() else {
        unreachable!("the file ends with a question");
    };
    question.clone()
}

/// The course of these files, of which nothing may be missing.
fn course_of<const N: usize>(files: [(&str, impl Into<String>); N]) -> Course {
    let files = files.map(|(name, text)| (name.to_owned(), text.into().into()));
    let sources = Sources::of(files);
    let (_, diagnostics) = parse(&sources);
    let mut errors = diagnostics.iter();
    let error = errors.find(|it| it.severity == Severity::Error);
    assert_eq!(error, None);
    open(&sources)
}
