//! Answers from a file.

use super::*;

/// Grades a file.
fn graded(answers: &str, format: Format) -> (String, Exit) {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, answers).unwrap();
    let (text, exit) = sample::with_context("", |context| {
        from_file(context, "copies", &path, (Round::Whole, format))
    });
    (text.replace(path.to_str().unwrap(), "answers.toml"), exit)
}

#[test]
fn right_answers_in_a_file_pass_and_are_stored() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, ALL_RIGHT).unwrap();
    let (text, exit) = sample::with_context("", |context| {
        from_file(context, "copies", &path, (Round::Whole, Format::Text))?;
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        assert_eq!(lesson.open, None);
        Ok(Exit::of(Some(lesson.is_done())))
    });
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r"
    ✓ right        q-bus: 1 of 1 point
      Because it is so.
    ✓ right        q-bytes: 1 of 1 point
      Because it is so.
    ✓ right        q-order: 1 of 1 point
      Because it is so.
    ✓ right        q-words: 1 of 1 point
      Because it is so.

    Score: 4 of 4 points. You needed 4.
    Passed. The lesson `copies` is done.
    ");
}

#[test]
fn three_of_four_are_not_enough_and_open_questions_are_named() {
    let answers = ALL_RIGHT.replace("q-bytes = \"24 B\"", "");
    let (text, exit) = graded(&answers, Format::Text);
    assert_eq!(exit, Exit::Wrong);
    assert!(
        text.contains("- open         q-bytes: not answered"),
        "{text}"
    );
    assert!(
        text.contains("Score: 3 of 4 points is exactly 75 %, and does not pass. You need 4."),
        "{text}"
    );
    assert!(text.contains("Not passed yet. Missed: q-bytes."), "{text}");
}

#[test]
fn an_answer_that_cannot_be_read_is_refused_and_nothing_is_handed_in() {
    let answers = ALL_RIGHT
        .replace("24 B", "24 B per row")
        .replace("narrow", "narow");
    let (text, exit) = graded(&answers, Format::Text);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @r#"
    error[answer-form]: `q-bus`: the answer does not belong to this question: there is no option `narow`
     --> answers.toml:2:9
      |
    2 | q-bus = "narow"
      |         ^^^^^^^
      |
      = help: there are `slow`, `narrow`
    error[answer-form]: `q-bytes`: `B per row` does not fit: answer in B
     --> answers.toml:3:11
      |
    3 | q-bytes = "24 B per row"
      |           ^^^^^^^^^^^^^^
    error: answers.toml cannot be graded: nothing is stored
    "#);
}

#[test]
fn programs_get_the_same_as_json() {
    let answers = ALL_RIGHT.replace("24 B", "23 B");
    let (text, exit) = graded(&answers, Format::Json);
    assert_eq!(exit, Exit::Wrong);
    let mut shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    shown["attempt"] = "ID".into();
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap(), @r#"
    {
      "above_percent": 75,
      "attempt": "ID",
      "earned": 3.0,
      "graded_by": "warpup",
      "lesson": "copies",
      "max": 4.0,
      "needed": 4,
      "own_words": [],
      "passed": false,
      "questions": [
        {
          "answered": true,
          "earned": 1.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-bus",
          "right": true,
          "unread": null
        },
        {
          "answered": true,
          "earned": 0.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-bytes",
          "right": false,
          "unread": null
        },
        {
          "answered": true,
          "earned": 1.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-order",
          "right": true,
          "unread": null
        },
        {
          "answered": true,
          "earned": 1.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-words",
          "right": true,
          "unread": null
        }
      ],
      "quiz": "copies",
      "saved": true,
      "short": false
    }
    "#);
}

#[test]
fn a_file_with_a_mistake_is_refused_and_nothing_is_stored() {
    let (text, exit) = graded("q-buss = \"narrow\"\n", Format::Text);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @r#"
    error[unknown-question]: the quiz has no question `q-buss`
     --> answers.toml:1:1
      |
    1 | q-buss = "narrow"
      | ^^^^^^
      |
      = help: did you mean `q-bus`?
    error: answers.toml cannot be graded: nothing is stored
    "#);
}
