//! How a run ends: the words, the exit status, and whether it counts.

use super::*;

#[test]
fn a_failed_check_comes_with_its_hint_and_exit_1() {
    let (text, exit) = ran(&args("copies/repair"), &mut |request| {
        let mut run = ended(&request, Outcome::Done);
        run.checks.push(Check {
            name: "the result is on the card".to_owned(),
            ok: false,
            hint: Some(
                "move x before the product, since both of its inputs are there then".to_owned(),
            ),
        });
        run
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r"
    Try the repair (copies/repair) on model:t4

    ✗ FAILED  the result is on the card
              hint: move x before the product, since both of its
              inputs are there then
    ");
}

#[test]
fn a_lab_that_needs_a_card_says_so_before_its_hints() {
    let args = RunArgs {
        device: Some(DeviceName::Cpu),
        ..args("copies/repair")
    };
    let (text, exit) = ran(&args, &mut |request| {
        let mut run = ended(&request, Outcome::Done);
        run.checks.push(Check {
            name: "the result is on the card".to_owned(),
            ok: false,
            hint: Some("move x".to_owned()),
        });
        run
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r"
    Try the repair (copies/repair) on cpu

    This lab needs a card, and ran on the CPU: leave --device out, or try --device model:t4.
    ✗ FAILED  the result is on the card
              hint: move x
    ");
}

#[test]
fn a_learners_error_is_a_traceback_and_exit_1() {
    let (text, exit) = ran(&args("copies/repair"), &mut |request| {
        let raised = UncaughtException {
            kind: "RuntimeError".to_owned(),
            message: "two devices".to_owned(),
            line: 2,
            traceback: "Traceback (most recent call last):\n  File \"repair.py\", line 2\nRuntimeError: two devices\n".to_owned(),
            in_check: false,
 status: None,
        };
        ended(&request, Outcome::Raised(raised))
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r#"
    Try the repair (copies/repair) on model:t4

    Traceback (most recent call last):
      File "repair.py", line 2
    RuntimeError: two devices
    "#);
}

#[test]
fn a_fault_of_ours_is_said_to_be_ours_and_exits_3() {
    let broken = |request: RunRequest| {
        let what = "the worker died".to_owned();
        Run {
            device: went_well(request.clone()).device,
            ..ended(&request, Outcome::Broken { what })
        }
    };
    let (text, exit) = ran(&args("copies/bus"), &mut { broken });
    assert_eq!(exit, Exit::InternalError);
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on Tesla T4 (modelled)

    warpup broke, and not through your program: the worker died
    Run it again, or on another --device.
    ");
}

fn reason(evidence: &str) -> Reason {
    Reason {
        why: "the card is held by others".to_owned(),
        hint: "run it again later".to_owned(),
        evidence: evidence.to_owned(),
    }
}

/// What a run says whose device was not to be had, its exit status, and whether it was noted.
fn unavailable(device: &str, outcome: &Outcome) -> (String, Exit, bool) {
    let mut is_noted = false;
    let (text, exit) = sample::with_context("", |context| {
        let args = RunArgs {
            device: Some(device.parse().unwrap()),
            ..args("copies/bus")
        };
        let exit = run(context, &args, &mut |request| {
            ended(&request, outcome.clone())
        });
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        is_noted = *lesson.lab(&LabId::new("bus")) != LabProgress::default();
        exit
    });
    (text, exit, is_noted)
}

#[test]
fn a_device_that_is_not_here_is_no_attempt_and_exits_2() {
    let (text, exit, is_noted) = unavailable(
        "cuda",
        &Outcome::Unavailable(reason("libcuda.so.1: \x1bno")),
    );
    assert_eq!((exit, is_noted), (Exit::Arguments, false));
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on cuda

    The card is unavailable, and it is not your mistake: the card is held by others
      libcuda.so.1: ␛no
    hint: run it again later
    ");
}

#[test]
fn a_neighbour_on_the_card_is_no_attempt_and_exits_4() {
    let (text, exit, is_noted) = unavailable("cuda", &Outcome::Busy(reason("")));
    assert_eq!((exit, is_noted), (Exit::Later, false));
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on cuda

    The card is busy, and it is not your mistake: the card is held by others
    hint: run it again later
    ");
}

#[test]
fn a_run_counts_for_the_lab_and_a_solution_does_not() {
    let passed = |args: &RunArgs| {
        let (_, exit) = sample::with_context("", |context| {
            run(context, args, &mut went_well)?;
            let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
            Ok(Exit::of(Some(
                lesson.lab(&LabId::new("repair")).has_passed(),
            )))
        });
        exit == Exit::Fine
    };
    assert!(passed(&args("copies/repair")));
    let solution = RunArgs {
        solution: true,
        ..args("copies/repair")
    };
    assert!(!passed(&solution));
}

#[test]
fn a_run_that_is_cut_short_is_not_saved() {
    for outcome in [
        Outcome::TimedOut,
        Outcome::TooMuchOutput,
        Outcome::Cancelled,
    ] {
        sample::with_context("", |context| {
            let mut cut_short = |request: RunRequest| ended(&request, outcome.clone());
            run(context, &args("copies/bus"), &mut cut_short)?;
            let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
            assert_eq!(lesson.lab(&LabId::new("bus")).newest, None, "{outcome:?}");
            Ok(Exit::Fine)
        });
    }
}

#[test]
fn a_machine_that_others_use_is_no_attempt_and_exits_4() {
    let busy = Outcome::Busy(Reason {
        why: "in 200 s it got 3.1 s of CPU time, since other programs use the CPU".to_owned(),
        hint: "run it again when fewer programs run".to_owned(),
        evidence: String::new(),
    });
    let (text, exit, is_noted) = unavailable("model:t4", &busy);
    assert_eq!((exit, is_noted), (Exit::Later, false));
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on model:t4

    The machine is busy, and it is not your mistake: in 200 s it got 3.1 s of CPU time, since other programs use the CPU
    hint: run it again when fewer programs run
    ");
}

#[test]
fn a_lab_that_needs_a_card_is_not_passed_on_the_cpu() {
    let on = |device: &str| {
        let args = RunArgs {
            device: Some(device.parse().unwrap()),
            ..args("copies/repair")
        };
        let mut has_passed = false;
        let (text, exit) = sample::with_context("", |context| {
            let exit = run(context, &args, &mut |request| {
                ended(&request, Outcome::Done)
            });
            let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
            has_passed = lesson.lab(&LabId::new("repair")).has_passed();
            exit
        });
        (text, exit, has_passed)
    };
    let (text, exit, has_passed) = on("cpu");
    assert_eq!((exit, has_passed), (Exit::Wrong, false));
    insta::assert_snapshot!(text, @r"
    Try the repair (copies/repair) on cpu

    This lab needs a card. A run on the CPU does not count: leave --device out, or try --device model:t4.
    ");
    let (_, exit, has_passed) = on("model:l4");
    assert_eq!((exit, has_passed), (Exit::Fine, true));
}
