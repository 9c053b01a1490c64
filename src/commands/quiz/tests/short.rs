//! The short form of a quiz.

use super::*;

/// The sample course, of whose quiz two questions make sense without the lesson.
fn with_short() -> Course {
    let mut course = with_words();
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        let alone = quiz.questions.iter_mut().filter(|it| it.counts).skip(1);
        alone.take(2).for_each(|it| it.short = true);
    }
    course
}

#[test]
fn a_short_form_asks_what_stands_alone_and_stores_nothing() {
    let (text, exit) = sample::with_context_in(&with_short(), "24 B\n1 2\n", |context| {
        let exit = ask_short(context, "copies")?;
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        assert!(!lesson.is_begun());
        Ok(exit)
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @"
    What a copy costs, short form: 2 points, you need 2

    Question 1 of 2 (1 point)

    How many bytes?

    Type a number in B, or with another unit (or hint, back,
    quit, help).
    > ✓ right: 1 of 1 point
      Because it is so.

    Question 2 of 2 (1 point)

    In which order?

      1  run
      2  copy

    Type all numbers in the right order, such as 2 1 3 (or hint,
    back, quit, help).
    > ✗ not right: 0 of 1 point
      your order
      ✗ yours  run
      ✗ yours  copy
      the right order
      ✓ right  copy
      ✓ right  run
      Because it is so.
      Look again: warpup read copies --page the-bus

    Score: 1 of 2 points. You need 2: one more.
    Not enough yet. This was the short form: nothing is stored, and it does not finish the lesson.
    The whole quiz: warpup quiz copies
    ");
}

#[test]
fn a_short_form_is_graded_from_a_file_and_stores_nothing() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, format!("{ALL_RIGHT}q-why = \"Queued.\"\n")).unwrap();
    let graded = |format| {
        sample::with_context_in(&with_short(), "", |context| {
            let exit = from_file(context, "copies", &path, (Round::Short, format))?;
            let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
            assert!(!lesson.is_begun());
            Ok(exit)
        })
    };
    let (text, exit) = graded(Format::Text);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r"
    ✓ right        q-bytes: 1 of 1 point
      Because it is so.
    ✓ right        q-order: 1 of 1 point
      Because it is so.

    Score: 2 of 2 points. You needed 2.
    Enough. This was the short form: nothing is stored, and it does not finish the lesson.
    The whole quiz: warpup quiz copies
    ");
    let shown: serde_json::Value = serde_json::from_str(&graded(Format::Json).0).unwrap();
    assert_eq!(shown["short"], true);
    assert_eq!(shown["attempt"], serde_json::Value::Null);
    assert_eq!(shown["questions"].as_array().unwrap().len(), 2);
}

#[test]
fn a_quiz_without_a_short_form_says_so() {
    let (text, exit) = sample::with_context("", |context| ask_short(context, "copies"));
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @r"
    error: the quiz of `copies` has no short form
    ");
}
