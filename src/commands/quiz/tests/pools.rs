//! A quiz of which an attempt asks only some questions.

use super::*;

/// The sample course, of whose quiz an attempt asks two of four questions, one of them always.
fn with_pool() -> Course {
    let mut course = sample::course();
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.ask = Some(2);
        quiz.questions[1].always = true;
    }
    course
}

#[test]
fn a_file_with_all_answers_is_graded_by_those_that_are_drawn() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, ALL_RIGHT).unwrap();
    for (format, told) in [
        (Format::Text, "Score: 2 of 2 points. You needed 2."),
        (Format::Json, "\"max\": 2.0,\n  \"needed\": 2,"),
    ] {
        let (text, exit) = sample::with_context_in(&with_pool(), "", |context| {
            let exit = from_file(context, "copies", &path, (Round::Whole, format))?;
            let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
            let latest = lesson.latest().unwrap();
            assert_eq!(latest.drawn.len(), 2);
            assert!(latest.drawn.contains(&QuestionId::new("q-bytes")));
            Ok(exit)
        });
        assert_eq!(exit, Exit::Fine);
        assert!(text.contains(told) && text.contains("q-bytes"), "{text}");
    }
}

#[test]
fn a_quiz_that_is_left_goes_on_with_the_same_questions_and_says_how_many_there_are() {
    let (text, _) = sample::with_context_in(&with_pool(), "quit\n", |context| {
        ask(context, "copies")?;
        let mut session = start::session(
            context,
            crate::commands::find::lesson(context.course, "copies")?,
            warpup_quiz::SessionStart::ResumeOrNew,
        )?;
        let at = session.attempt().ids();
        let bytes = at.iter().position(|it| it.as_str() == "q-bytes").unwrap();
        let answer = warpup_grade::Answer::Number("24 B".to_owned());
        let event = session.submit(bytes, answer).unwrap();
        start::save(context, event);
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        assert_eq!(lesson.open.as_ref().unwrap().drawn, at);
        ask(context, "copies")
    });
    let first = text.lines().next().unwrap();
    assert_eq!(first, "What a copy costs: 2 points, you need 2");
    let resumed = "Continuing where you stopped: 1 of 2 answered.";
    assert!(text.contains(resumed), "{text}");
}
