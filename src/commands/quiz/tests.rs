//! Answers in, text out.

use super::*;
use crate::commands::sample;

/// Answers a quiz by what is typed.
fn typed(input: &str) -> (String, Exit) {
    sample::seat(input, |seat| ask(seat, "copies"))
}

/// Grades a file.
fn graded(answers: &str, format: Format) -> (String, Exit) {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, answers).unwrap();
    let (text, exit) = sample::seat("", |seat| from_file(seat, "copies", &path, format));
    (text.replace(path.to_str().unwrap(), "answers.toml"), exit)
}

const ALL_RIGHT: &str = r#"
q-bus = "narrow"
q-bytes = "24 B"
q-order = ["copy", "run"]
q-words = { host = "host", card = "card" }
"#;

#[test]
fn a_wrong_answer_is_told_why_and_what_is_needed_is_said() {
    let (text, exit) = typed("x\n1\n?\n24 B\n2 1\n1 2\nn\n");
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @"");
}

#[test]
fn a_quiz_that_is_left_goes_on_where_it_was() {
    let (text, exit) = sample::seat("2\n24 B\n", |seat| {
        ask(seat, "copies")?;
        ask(seat, "copies")
    });
    assert_eq!(exit, Exit::Wrong);
    assert!(text.contains("Left open. Your answers are kept."));
    assert!(text.contains("Going on where you left: 2 of 4 answered."));
}

#[test]
fn only_what_was_missed_is_asked_again() {
    let (text, _) = typed("1\n24 B\n2 1\n1 2\ny\n");
    let again = text.split("[y/N]").nth(1).unwrap();
    assert!(again.contains("Question 1 of 4"), "{again}");
    assert!(!again.contains("Question 2 of 4"), "{again}");
}

#[test]
fn right_answers_in_a_file_pass_and_are_stored() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, ALL_RIGHT).unwrap();
    let (text, exit) = sample::seat("", |seat| {
        from_file(seat, "copies", &path, Format::Text)?;
        let lesson = seat.learner.progress.lesson(&LessonId::new("copies"));
        assert_eq!(lesson.open, None);
        Ok(Exit::of(Some(lesson.is_done())))
    });
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"");
}

#[test]
fn three_of_four_are_not_enough_and_open_questions_are_named() {
    let answers = ALL_RIGHT.replace("q-bytes = \"24 B\"", "");
    let (text, exit) = graded(&answers, Format::Text);
    assert_eq!(exit, Exit::Wrong);
    assert!(
        text.contains("- open       q-bytes: not answered"),
        "{text}"
    );
    assert!(
        text.contains("Score: 3 of 4 points. To pass, you need 4: more than 75 %."),
        "{text}"
    );
    assert!(text.contains("Not passed yet. Missed: q-bytes."), "{text}");
}

#[test]
fn programs_get_the_same_as_json() {
    let answers = ALL_RIGHT.replace("24 B", "24 B per row");
    let (text, exit) = graded(&answers, Format::Json);
    assert_eq!(exit, Exit::Wrong);
    let mut shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    shown["attempt"] = "ID".into();
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap(), @"");
}

#[test]
fn a_file_with_a_mistake_is_refused_and_nothing_is_stored() {
    let (text, exit) = graded("q-buss = \"narrow\"\n", Format::Text);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @"");
}
