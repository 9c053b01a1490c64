//! A course and pretended labs in, text out.

mod first_message;
mod loopholes;
mod repairs;

use super::*;
use crate::commands::sample;
use warpup_course::{Diagnostic, Rules, Sources};
use warpup_lab::run::Run;
use warpup_protocol::{Check, DeviceName, Metric, Outcome, Report, RunRequest, UncaughtException};

fn opened(course: Course) -> OpenCourse {
    OpenCourse {
        course,
        diagnostics: Vec::new(),
        sources: Sources::default(),
        rules: Rules::default(),
    }
}

/// A course with an honest head.
fn honest(mut course: Course) -> Course {
    for lesson in &mut course.lessons {
        lesson.minutes = 7;
    }
    course
}

fn ended(request: &RunRequest, outcome: Outcome) -> Run {
    let mut run = Run::new(request.run);
    run.report = Some(Report {
        outcome,
        ..Report::broken("")
    });
    run
}

fn raised(kind: &str, in_check: bool) -> Outcome {
    Outcome::Raised(UncaughtException {
        kind: kind.to_owned(),
        message: "broken".to_owned(),
        line: 1,
        traceback: String::new(),
        in_check,
        status: None,
    })
}

/// The sample's repair fails as it should, and so does its check after an empty program; all else passes.
fn as_it_should(request: &RunRequest) -> Run {
    match request.source.trim() {
        "broken()" => ended(request, raised("RuntimeError", false)),
        "" => ended(request, raised("NameError", true)),
        _ => {
            let mut run = ended(request, Outcome::Done);
            run.checks.push(made("repaired"));
            run
        }
    }
}

fn made(name: &str) -> Check {
    Check {
        name: name.to_owned(),
        ok: true,
        hint: None,
    }
}

/// Runs programs one by one, as they pretend to end.
fn each(
    mut run_lab: impl FnMut(RunRequest) -> Run,
) -> impl FnMut(Vec<RunRequest>, &mut RunTaker<'_>) -> Result<()> {
    move |requests, take| {
        let mut all = requests.into_iter().enumerate();
        all.try_for_each(|(number, request)| take(number, run_lab(request)))
    }
}

fn told(form: ReportForm) -> CheckReport {
    CheckReport {
        form,
        fails_on: Severity::Error,
    }
}

fn checked(programs: Programs<'_, '_>, form: ReportForm) -> (String, Exit) {
    let opened = opened(honest(sample::course()));
    sample::console("", |console| check(&opened, programs, &told(form), console))
}

#[test]
fn a_sound_course_says_what_each_quiz_needs() {
    let (text, exit) = checked(Programs::Unread, ReportForm::Text);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r"
    lesson copies: about 6 minutes, 1 of them reading; its head says 7
    quiz copies: needs 4 of 4 points
    1 lesson, about 6 minutes, 1 quiz, 2 labs, 0 errors, 0 warnings
    ");
}

#[test]
fn a_lab_that_asks_for_memory_is_named() {
    let mut opened = opened(honest(sample::course()));
    opened.course.lessons[0].labs[1].memory = Some(8 << 30);
    let (text, _) = sample::console("", |console| {
        check(&opened, Programs::Unread, &told(ReportForm::Text), console)
    });
    assert!(
        text.contains("lab copies/repair: may use 8.00 GiB of memory\n"),
        "{text}"
    );
}

#[test]
fn a_rule_is_explained_by_its_name() {
    let said = |name: &str| sample::console("", |console| explain(name, console)).0;
    insta::assert_snapshot!(said("bins-gap"), @r#"
    There is a gap between bins. A measurement in it makes every answer wrong.

    ```toml
    { id = "a", text = "fast", to = 1 },
    { id = "b", text = "slow", from = 1.1 },
    ```

    **Fix:** Let each bin begin where the one before it ends: `from = 1`.
    "#);
    insta::assert_snapshot!(said("bin-gap"), @"
    error: there is no rule `bin-gap`
    hint: did you mean `bins-gap`?
    ");
}

#[test]
fn with_strict_a_warning_fails() {
    let mut opened = opened(honest(sample::course()));
    let (_, diagnostics) = course::sample::changed(|_, text| {
        text.replace("A copy is never free.", "A copy<br>is never free.")
    });
    opened.diagnostics = diagnostics;
    for (fails_on, expected) in [
        (Severity::Error, Exit::Fine),
        (Severity::Warning, Exit::Wrong),
    ] {
        let told = CheckReport {
            form: ReportForm::Text,
            fails_on,
        };
        let (_, exit) = sample::console("", |console| {
            check(&opened, Programs::Unread, &told, console)
        });
        assert_eq!(exit, expected);
    }
}

#[test]
fn labs_are_run_wherever_they_may_be_run_without_a_card() {
    let (text, exit) = checked(
        Programs::Run(&mut each(|it| as_it_should(&it))),
        ReportForm::Text,
    );
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r"
    lesson copies: about 6 minutes, 1 of them reading; its head says 7
    quiz copies: needs 4 of 4 points
    1 lesson, about 6 minutes, 1 quiz, 2 labs, 7 of 7 runs ended as the lesson says, 0 errors, 0 warnings
    ran 1 of 7: copies/bus starter on cpu: passed
    ran 2 of 7: copies/bus starter on model:t4: passed
    ran 3 of 7: copies/bus starter on model:h100: passed
    ran 4 of 7: copies/repair starter on model:t4: RuntimeError: broken
    ran 5 of 7: copies/repair starter on model:h100: RuntimeError: broken
    ran 6 of 7: copies/repair solution on model:t4: passed
    ran 7 of 7: copies/repair solution on model:h100: passed
    ");
}

#[test]
fn a_repair_that_has_nothing_to_repair_and_a_failing_check_are_errors() {
    let run_lab = |request: RunRequest| {
        let mut run = ended(&request, Outcome::Done);
        run.checks.push(Check {
            name: "repaired".to_owned(),
            ok: !["", "repaired()"].contains(&request.source.trim()),
            hint: None,
        });
        run
    };
    let (text, exit) = checked(Programs::Run(&mut each(run_lab)), ReportForm::Text);
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r#"
    error[lab-fails]: lab `repair`: starter on model:t4, model:h100: it passes, so there is nothing to repair
    --> lessons/copies.md:1:1
     = help: a lab with a solution begins with a program that fails: break it, or remove the solution

    error[lab-fails]: lab `repair`: solution on model:t4, model:h100: the check "repaired" fails
    --> lessons/copies.md:1:1
     = help: a solution has to pass every check: correct it, or the check

    `warpup check --explain lab-fails` explains a name in brackets.

    lesson copies: about 6 minutes, 1 of them reading; its head says 7
    quiz copies: needs 4 of 4 points
    1 lesson, about 6 minutes, 1 quiz, 2 labs, 3 of 7 runs ended as the lesson says, 2 errors, 0 warnings
    ran 1 of 7: copies/bus starter on cpu: passed
    ran 2 of 7: copies/bus starter on model:t4: passed
    ran 3 of 7: copies/bus starter on model:h100: passed
    ran 4 of 7: copies/repair starter on model:t4: passed
    ran 5 of 7: copies/repair starter on model:h100: passed
    ran 6 of 7: copies/repair solution on model:t4: fails: "repaired"
    ran 7 of 7: copies/repair solution on model:h100: fails: "repaired"
    "#);
}

#[test]
fn a_lab_that_fails_is_not_also_blamed_for_its_metric() {
    let opened = opened(honest(sample::course_with(sample::PREDICTION)));
    let (text, _) = sample::console("", |console| {
        let fails = |it: RunRequest| ended(&it, Outcome::TimedOut);
        check(
            &opened,
            Programs::Run(&mut each(fails)),
            &told(ReportForm::Text),
            console,
        )
    });
    assert!(text.contains("error[lab-fails]"), "{text}");
    assert!(!text.contains("metric-not-given"), "{text}");
}

#[test]
fn a_prediction_whose_metric_no_run_gives_is_an_error() {
    let opened = opened(honest(sample::course_with(sample::PREDICTION)));
    let (text, exit) = sample::console("", |console| {
        check(
            &opened,
            Programs::Run(&mut each(|it| as_it_should(&it))),
            &told(ReportForm::Text),
            console,
        )
    });
    assert_eq!(exit, Exit::Wrong);
    assert!(
        text.contains("`q-guess`: no run of its lab gives its metric"),
        "{text}"
    );
}

#[test]
fn a_value_that_lies_in_no_bin_is_an_error() {
    let bins = sample::PREDICTION.to_owned()
        + r#"bins = [
    { id = "low", text = "at most 1", to = 1, feedback = "No." },
    { id = "high", text = "more", from = 1.1, feedback = "No." },
]
"#;
    let opened = opened(honest(sample::course_with(&bins)));
    let (text, exit) = sample::console("", |console| {
        let run_lab = |request: RunRequest| {
            let mut run = as_it_should(&request);
            run.metrics.take(Metric {
                name: "batch_mib".to_owned(),
                value: if request.device == DeviceName::Cpu {
                    f64::NAN
                } else {
                    1.05
                },
                unit: String::new(),
            });
            run
        };
        check(
            &opened,
            Programs::Run(&mut each(run_lab)),
            &told(ReportForm::Text),
            console,
        )
    });
    assert_eq!(exit, Exit::Wrong);
    let errors = text.lines().filter(|it| it.contains("q-guess"));
    insta::assert_snapshot!(errors.collect::<Vec<_>>().join("\n"), @"
    error[truth-in-no-bin]: `q-guess`: starter on cpu gives NaN, which lies in no bin
    error[truth-in-no-bin]: `q-guess`: starter on model:t4, starter on model:h100 gives 1.05, which lies in no bin
    ");
}

/// The sample course with a check and a solution that are not Python, and a run of `compile` that says so.
fn not_python(request: &RunRequest) -> Run {
    let mut run = as_it_should(request);
    if request.name == "programs.py" && !request.source.starts_with("PROGRAMS = ") {
        // None of a stranger's program runs: it is not Python, whatever it is.
        assert!(request.source.ends_with("\n?"), "{}", request.source);
        let raised = UncaughtException {
            kind: "SyntaxError".to_owned(),
            message: "'(' was never closed".to_owned(),
            line: 1,
            traceback: String::new(),
            in_check: false,
            status: None,
        };
        return ended(request, Outcome::Raised(raised));
    }
    if request.name == "programs.py" {
        run.output = "7\t1\tinvalid syntax\n8\t2\tinvalid syntax\nnonsense\n99\t1\tx\n".to_owned();
    }
    run
}

#[test]
fn a_program_that_is_not_python_is_named_at_its_line_and_not_run() {
    let (course, diagnostics) = course::sample::changed(|_, text| text.to_owned());
    let sources = course::sample::sources();
    let opened = OpenCourse {
        course: honest(course),
        diagnostics,
        sources,
        rules: Rules::default(),
    };
    let mut compile = |request: RunRequest| not_python(&request);
    let (text, exit) = sample::console("", |console| {
        check(
            &opened,
            Programs::Compile(&mut compile),
            &told(ReportForm::Text),
            console,
        )
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @"
    error[program-syntax]: the check of lab `repair` is not Python: '(' was never closed
      --> lessons/copies.md:32:1
       |
    32 | lab.check('repaired', True)
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: correct this line, or the one above it

    error[program-syntax]: the solution of lab `repair` is not Python: '(' was never closed
      --> lessons/copies.md:36:1
       |
    36 | repaired()
       | ^^^^^^^^^^
       |
       = help: correct this line, or the one above it

    `warpup check --explain program-syntax` explains a name in brackets.

    lesson places: about 6 minutes, 1 of them reading; its head says 7
    lesson copies: about 6 minutes, 1 of them reading; its head says 7
    quiz places: needs 4 of 5 points
    quiz copies: needs 4 of 4 points
    2 lessons, about 12 minutes, 2 quizzes, 4 labs, 2 errors, 0 warnings
    ");
    let (text, _) = sample::console("", |console| {
        check(
            &opened,
            Programs::Run(&mut each(compile)),
            &told(ReportForm::Text),
            console,
        )
    });
    assert!(!text.contains("copies/repair"), "{text}");
}

#[test]
fn an_error_in_a_check_is_named_at_its_line_once() {
    let opened = OpenCourse {
        sources: course::sample::sources(),
        ..opened(honest(sample::course()))
    };
    let run_lab = |request: RunRequest| {
        let raised = UncaughtException {
            kind: "NameError".to_owned(),
            message: "name 'y' is not defined".to_owned(),
            line: 1,
            traceback: String::new(),
            in_check: request.check.is_some(),
            status: None,
        };
        ended(&request, Outcome::Raised(raised))
    };
    let (text, _) = sample::console("", |console| {
        check(
            &opened,
            Programs::Run(&mut each(run_lab)),
            &told(ReportForm::Text),
            console,
        )
    });
    let (said, _) = text.split_once("lesson ").unwrap();
    insta::assert_snapshot!(said, @r#"
    error[lab-fails]: lab `bus`: starter on cpu, model:t4, model:h100: its check stops with NameError: name 'y' is not defined
      --> lessons/copies.md:24:1
       |
    24 | lab.metric("batch_mib", 12.0, "MiB")
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: a check has to run to its end with every program that learners may write

    error[lab-fails]: lab `repair`: starter on model:t4, model:h100, solution on model:t4, model:h100: its check stops with NameError: name 'y' is not defined
      --> lessons/copies.md:32:1
       |
    32 | lab.check('repaired', True)
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: a check has to run to its end with every program that learners may write

    `warpup check --explain lab-fails` explains a name in brackets.
    "#);
}

/// A course with a warning about the second line of a file.
fn with_a_long_line() -> OpenCourse {
    let mut opened = opened(honest(sample::course()));
    let file = "lessons/copies.md".to_owned();
    opened.sources.files.insert(file.clone(), "one\ntwo".into());
    opened.diagnostics.push(Diagnostic {
        severity: Severity::Warning,
        rule: Rule::LineTooWide,
        file,
        span: 4..7,
        message: "this is long".to_owned(),
        hint: None,
        fix: None,
    });
    opened
}

#[test]
fn programs_get_the_same_as_json() {
    let opened = with_a_long_line();
    let (text, exit) = sample::console("", |console| {
        check(&opened, Programs::Unread, &told(ReportForm::Json), console)
    });
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r#"
    {
      "course": "warpup",
      "errors": 0,
      "warnings": 1,
      "diagnostics": [
        {
          "severity": "warning",
          "rule": "line-too-wide",
          "file": "lessons/copies.md",
          "line": 2,
          "column": 1,
          "span": {
            "start": {
              "byte": 4,
              "line": 2,
              "column": 1
            },
            "end": {
              "byte": 7,
              "line": 2,
              "column": 4
            }
          },
          "message": "this is long",
          "hint": null
        }
      ],
      "lessons": [
        {
          "lesson": "copies",
          "minutes": 7,
          "counted_minutes": 6,
          "reading_minutes": 1,
          "instructor_words": 0,
          "pages": [
            {
              "page": "start",
              "seconds": 2
            },
            {
              "page": "the-bus",
              "seconds": 13
            }
          ],
          "labs": [
            {
              "lab": "bus",
              "memory_bytes": 1073741824
            },
            {
              "lab": "repair",
              "memory_bytes": 1073741824
            }
          ]
        }
      ],
      "quizzes": [
        {
          "quiz": "copies",
          "needed": 4,
          "points": 4
        }
      ],
      "runs": []
    }
    "#);
}
