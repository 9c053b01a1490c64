//! What `warpup check` would say about a quiz that was just written.

use warpup_course::{self as course, Diagnostic, Severity, Sources, template};
use warpup_grade as grade;

const LESSON: &str = r#"+++
format = 1
id = "imported"
title = "Imported"
summary = "A lesson around an imported quiz."
minutes = 1
objectives = []
quiz = "quiz.toml"
+++

Text.
"#;
const QUIZ: &str = "quizzes/quiz.toml";

/// The first mistake of a quiz of one question, if it has one.
pub(super) fn mistake(quiz: &str) -> Option<String> {
    let files = [
        (
            "lessons/course.toml",
            template::course("imported", "lesson"),
        ),
        ("lessons/lesson.md", LESSON.to_owned()),
        (QUIZ, quiz.to_owned()),
    ];
    let files = files.map(|(file, text)| (file.to_owned(), text.into()));
    let (course, found) = course::parse(&Sources::of(files));
    let proved = grade::prove(&course);
    let wrong = found.iter().chain(&proved);
    let wrong: Vec<&Diagnostic> = wrong
        .filter(|it| it.severity == Severity::Error && it.file == QUIZ)
        // A quiz of one explanation cannot be passed, but that is no mistake of the explanation.
        .filter(|it| !it.message.contains("nobody can pass it"))
        .collect();
    // What is wrong with a question comes before what that makes of the quiz.
    let of_question = wrong.iter().find(|it| it.span != (0..0));
    let wrong = of_question.or(wrong.first())?;
    let hint = wrong
        .hint
        .as_ref()
        .map_or(String::new(), |it| format!(" ({it})"));
    Some(format!("{}{hint}", wrong.message))
}
