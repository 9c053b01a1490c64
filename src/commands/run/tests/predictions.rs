//! The prediction that a lab asks for before its first run.

use super::*;
use warpup_course::QuestionId;

/// Runs the lab `bus`, which asks for a prediction, so often. Says how often it ran.
fn asked(input: &str, change: impl Fn(&mut RunArgs), times: usize) -> (String, Exit, u32) {
    let mut course = sample::course_with(sample::PREDICTION);
    for lab in course.lessons.iter_mut().flat_map(|it| &mut it.labs) {
        if lab.id.as_str() == "bus" {
            lab.predict = Some(QuestionId::new("q-guess"));
        }
    }
    let mut args = args("copies/bus");
    args.quiet = true;
    change(&mut args);
    let mut runs = 0;
    let (text, exit) = sample::with_context_in(&course, input, |context| {
        let mut exit = Exit::InternalError;
        for _ in 0..times {
            exit = run(context, &args, &mut |request| {
                runs += 1;
                went_well(request)
            })?;
        }
        Ok(exit)
    });
    (text, exit, runs)
}

#[test]
fn a_lab_that_asks_runs_after_the_answer_and_asks_once() {
    let (text, exit, runs) = asked("a few\n12\n", |_| {}, 2);
    assert_eq!((exit, runs), (Exit::Fine, 2));
    insta::assert_snapshot!(text, @"
    Predict before you run.

    How many MiB?

    Type a number (or hint, back, quit, help).
    prediction> `a few` is not a number: write it in digits.
    prediction> y lives on cuda:0
    y lives on cuda:0
    ");
}

#[test]
fn a_prediction_can_come_as_an_argument() {
    let (text, exit, runs) = asked("", |it| it.predict = Some("12".to_owned()), 1);
    assert_eq!(
        (text.as_str(), exit, runs),
        ("y lives on cuda:0\n", Exit::Fine, 1)
    );
    let (text, exit, runs) = asked("", |it| it.predict = Some("a few".to_owned()), 1);
    assert_eq!((exit, runs), (Exit::Arguments, 0));
    insta::assert_snapshot!(text, @r"
    error: the prediction `a few` cannot be read: `a few` is not a number: write it in digits
    hint: `warpup run copies/bus` shows what is asked
    ");
}

#[test]
fn without_an_answer_it_does_not_run_and_says_what_to_do() {
    let (text, exit, runs) = asked("", |_| {}, 1);
    assert_eq!((exit, runs), (Exit::Arguments, 0));
    insta::assert_snapshot!(text, @"
    Predict before you run.

    How many MiB?

    Type a number (or hint, back, quit, help).
    prediction> 
    error: the lab did not run: it asks for your prediction first, and you gave none
    hint: type the answer, pipe it in, or add --predict ANSWER
    ");
    let json = |it: &mut RunArgs| (it.json, it.quiet) = (true, false);
    let (text, exit, runs) = asked("12\n", json, 1);
    assert_eq!((exit, runs), (Exit::Arguments, 0));
    insta::assert_snapshot!(text, @r"
    error: this lab asks for your prediction before it runs
    hint: add --predict ANSWER; without --json you are asked
    ");
}

#[test]
fn the_lessons_own_program_is_not_asked_about() {
    let (_, exit, runs) = asked("", |it| it.starter = true, 1);
    assert_eq!((exit, runs), (Exit::Fine, 1));
    let (text, exit) = ran(
        &RunArgs {
            predict: Some("12".to_owned()),
            ..args("copies/bus")
        },
        &mut went_well,
    );
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @"error: `copies/bus` asks for no prediction");
    let own = |it: &mut RunArgs| (it.starter, it.predict) = (true, Some("12".to_owned()));
    let (text, exit, runs) = asked("", own, 1);
    assert_eq!((exit, runs), (Exit::Arguments, 0));
    insta::assert_snapshot!(text, @"
    error: with --starter, `copies/bus` asks for no prediction
    hint: leave --starter out to predict and run your own program, or leave --predict out
    ");
}
