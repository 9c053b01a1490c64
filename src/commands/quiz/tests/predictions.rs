//! Predictions that count, with and without the run that they are about.

use super::*;

#[test]
fn a_counted_prediction_without_a_run_stays_open_and_the_quiz_goes_on() {
    let mut course = sample::course_with(sample::PREDICTION);
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.iter_mut().for_each(|it| it.counts = true);
    }
    let input = "2\n24 B\n2 1\n2 1\n12\ny\n";
    let (text, exit) = sample::with_context_in(&course, input, |context| ask(context, "copies"));
    assert_eq!(exit, Exit::Fine, "{text}");
    assert!(text.contains("Score: 4 of 5 points."), "{text}");
    let end = text.split("How many MiB?").nth(1).unwrap();
    insta::assert_snapshot!(end, @"
    Type a number (or hint, back, quit, help).
    > Your answer is compared with a run of the lab, which did not
    run yet. Run it, then answer here:
      warpup run copies/bus
      warpup quiz copies

    1 question waits for a run, and would earn nothing now. Hand in? [y/N] 
    Score: 4 of 5 points. You needed 4.
    Passed. The lesson `copies` is done.
    ");
}

#[test]
fn a_counted_prediction_waits_for_its_run_and_is_then_asked_again() {
    let mut course = sample::course_with(sample::PREDICTION);
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.iter_mut().for_each(|it| it.counts = true);
    }
    let input = "2\n24 B\n2 1\n2 1\n12\nn\n12\n";
    let (text, exit) = sample::with_context_in(&course, input, |context| {
        ask(context, "copies")?;
        let now = (context.clock)();
        context.learner.note(ran(12.0), now);
        ask(context, "copies")
    });
    assert_eq!(exit, Exit::Fine, "{text}");
    assert!(text.contains("Quiz paused."), "{text}");
    assert!(text.contains("Score: 5 of 5 points."), "{text}");
}

/// A run of the lab `bus` that gave one number.
fn ran(value: f64) -> Event {
    Event::Ran {
        lesson: LessonId::new("copies"),
        lab: LabId::new("bus"),
        device: "cpu".to_owned(),
        passed: true,
        on: None,
        metrics: vec![Metric {
            name: "batch_mib".to_owned(),
            value,
            unit: "MiB".to_owned(),
        }],
        unmet: None,
    }
}

#[test]
fn a_counted_prediction_is_judged_by_the_newest_run_that_is_stored() {
    let mut course = sample::course_with(sample::PREDICTION);
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.iter_mut().for_each(|it| it.counts = true);
    }
    let (text, exit) = sample::with_context_in(&course, "2\n24 B\n2 1\n2 1\n12\n", |context| {
        context.learner.note(ran(100.0), 1);
        context.learner.note(ran(10.0), 2);
        ask(context, "copies")
    });
    assert_eq!(exit, Exit::Fine, "{text}");
    assert!(text.contains("✓ right: 1 of 1 point\n"), "{text}");
    assert!(text.contains("Score: 5 of 5 points."), "{text}");
}
