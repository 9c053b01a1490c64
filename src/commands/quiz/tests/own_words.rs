//! Questions for the learner's own words.

use super::*;

const PASSING: &str = "2\n24 B\n2 1\n2 1\n";

#[test]
fn own_words_are_asked_for_after_what_counts_and_are_not_graded() {
    let input = format!("{PASSING}?\nIt is only queued.\n  The card works later.\n\n1 3\n1, 2\n\n");
    let course = with_words();
    let (text, exit) = sample::with_context_in(&course, &input, |context| {
        let exit = ask(context, "copies")?;
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        let words = &lesson.explanations[&QuestionId::new("q-why")];
        assert_eq!(words.text, "It is only queued.\nThe card works later.");
        assert_eq!(words.said, [0, 1].into());
        assert!(lesson.is_done());
        Ok(exit)
    });
    assert_eq!(exit, Exit::Fine);
    let after = text.split("Score: ").nth(1).unwrap();
    insta::assert_snapshot!(after, @r"
    4 of 4 points. You needed 4.
    Passed. The lesson `copies` is done.

    In your own words, 1 of 2 (not graded)

    Why does it return at once?

    Type a few sentences, then an empty line. To skip, leave it
    empty (or hint, back, quit, help).
    > Hint: Think of a road.
    > > > Kept. One way to say it:
      Because it is so.
    It says 2 things:
      1  It waits in a queue.
      2  The card runs it later.
    Which of these do your words say? (such as 1 3; Enter for none) `3` is not one of the numbers from 1 to 2.
    Which of these do your words say? (such as 1 3; Enter for none) 
    In your own words, 2 of 2 (not graded)

    Why does it return at once?

    Type a few sentences, then an empty line. To skip, leave it
    empty (or hint, back, quit, help).
    > Skipped.

    Explained 1 of 2 in your own words; the rest: warpup quiz copies --words.
    ");
}

#[test]
fn own_words_can_be_asked_for_alone_and_mended() {
    let course = with_words();
    let input = "first\n\n\n\nsecond\n\n2\n\n";
    let (text, exit) = sample::with_context_in(&course, input, |context| {
        ask_for_words(context, "copies")?;
        let exit = ask_for_words(context, "copies")?;
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        let words = &lesson.explanations[&QuestionId::new("q-why")];
        assert_eq!((words.text.as_str(), words.said.len()), ("second", 1));
        assert!(lesson.attempts.is_empty());
        Ok(exit)
    });
    assert_eq!(exit, Exit::Fine);
    assert!(text.contains("You wrote:\n  first\n"), "{text}");
    let end = "Explained 1 of 2 in your own words; the rest: warpup quiz copies --words.\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn words_that_were_typed_when_the_input_ends_are_kept() {
    let (text, _) = sample::with_context_in(&with_words(), "It is queued", |context| {
        ask_for_words(context, "copies")
    });
    assert!(
        text.contains("Explained 1 of 2 in your own words"),
        "{text}"
    );
}

#[test]
fn a_quiz_without_own_words_says_so() {
    let (text, exit) = sample::with_context("", |context| ask_for_words(context, "copies"));
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @r"
    error: the quiz of `copies` asks for nothing in your own words
    ");
}

#[test]
fn own_words_in_a_file_are_kept_beside_the_score() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    let long = "x".repeat(5000);
    let answers = format!("{ALL_RIGHT}q-why = \"It is queued.\"\nq-when = \"{long}\"\n");
    std::fs::write(&path, answers).unwrap();
    let (text, exit) = sample::with_context_in(&with_words(), "", |context| {
        let exit = from_file(context, "copies", &path, (Round::Whole, Format::Text))?;
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        let words = &lesson.explanations[&QuestionId::new("q-when")];
        assert_eq!(words.text.len(), 4000);
        Ok(exit)
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
    Kept: q-why. One way to say it:
      Because it is so.
    It says 2 things:
      1  It waits in a queue.
      2  The card runs it later.
    Kept: q-when. One way to say it:
      Because it is so.
    It says 2 things:
      1  It waits in a queue.
      2  The card runs it later.

    Score: 4 of 4 points. You needed 4.
    Passed. The lesson `copies` is done.

    Explained 2 of 2 in your own words.
    Only the first 4000 characters are kept.
    ");
}

#[test]
fn own_words_of_a_file_can_be_taken_alone_and_are_in_the_json() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, "q-why = \"\\u001b[31mQueued\"\n").unwrap();
    let (text, _) = sample::with_context_in(&with_words(), "", |context| {
        words_from_file(context, "copies", &path)?;
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        assert_eq!((lesson.attempts.len(), lesson.explanations.len()), (0, 1));
        from_file(context, "copies", &path, (Round::Whole, Format::Json))
    });
    let json = text.split_once('{').unwrap().1;
    let shown: serde_json::Value = serde_json::from_str(&format!("{{{json}")).unwrap();
    insta::assert_snapshot!(serde_json::to_string(&shown["own_words"]).unwrap(), @r#"
    [{"explained":true,"parts":["It waits in a queue.","The card runs it later."],"question":"q-why","said":[],"text":"\u001b[31mQueued"},{"explained":false,"parts":["It waits in a queue.","The card runs it later."],"question":"q-when","said":[],"text":null}]
    "#);
}
