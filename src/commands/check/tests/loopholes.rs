//! Labs that prove less than they seem to, with pretended runs.

use super::*;

/// What is said of the sample course without its summary, where its labs end like this.
fn said_of_labs(run_lab: impl FnMut(RunRequest) -> Run) -> String {
    // A comment that names its metric.
    said_with("# batch_mib", run_lab)
}

/// The same, where its quiz goes on with this.
fn said_with(more: &str, run_lab: impl FnMut(RunRequest) -> Run) -> String {
    let mut sources = course::sample::sources();
    let quiz = sources.files.entry("quizzes/copies.toml".to_owned());
    quiz.or_default().to_mut().push_str(more);
    let opened = OpenCourse {
        sources,
        ..opened(honest(sample::course()))
    };
    let (text, _) = sample::console("", |console| {
        let programs = &mut each(run_lab);
        check(
            &opened,
            Programs::Run(programs),
            &told(ReportForm::Text),
            console,
        )
    });
    let said = text.split_once("`warpup check --explain");
    said.map_or(String::new(), |it| it.0.trim_end().to_owned())
}

#[test]
fn a_starter_that_stops_by_a_slip_is_named() {
    let slips = |request: RunRequest| match request.source.trim() {
        "broken()" => ended(&request, raised("ModuleNotFoundError", false)),
        _ => as_it_should(&request),
    };
    insta::assert_snapshot!(said_of_labs(slips), @"
    warning[starter-error]: lab `repair`: its starter stops on model:t4, model:h100 with ModuleNotFoundError: broken
      --> lessons/copies.md:28:1
       |
    28 | broken()
       | ^^^^^^^^
       |
       = help: correct this line; if that is what learners are to repair, name the error in the lesson
    ");
    // Another error is what the lab is about.
    assert_eq!(said_of_labs(|it| as_it_should(&it)), "");
}

#[test]
fn checks_that_hold_after_an_empty_program_are_named() {
    let holds = |request: RunRequest| match request.source.trim() {
        "" if request.name == "repair.py" => {
            let mut run = ended(&request, Outcome::Done);
            run.checks.push(made("repaired"));
            run
        }
        _ => as_it_should(&request),
    };
    insta::assert_snapshot!(said_of_labs(holds), @"
    warning[empty-program-passes]: lab `repair`: its checks hold after an empty program, too
      --> lessons/copies.md:31:1
       |
    31 | ```python check=repair
       | ^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: check what the program has made or done: its values, its functions, `lab.output`, `lab.run`
    ");
}

#[test]
fn a_check_that_no_program_comes_to_is_named() {
    let never = |request: RunRequest| {
        let mut run = as_it_should(&request);
        run.checks.clear();
        run
    };
    insta::assert_snapshot!(said_of_labs(never), @"
    warning[check-never-made]: lab `repair`: no program comes to the check \"repaired\"
      --> lessons/copies.md:32:1
       |
    32 | lab.check('repaired', True)
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: correct the condition in front of it, remove it, or add a program to `repairs/` that comes to it
    ");
}

#[test]
fn a_metric_that_nothing_reads_is_named() {
    insta::assert_snapshot!(said_with("", |it| as_it_should(&it)), @r#"
    warning[metric-not-read]: lab `bus`: nothing reads the metric "batch_mib"
      --> lessons/copies.md:24:1
       |
    24 | lab.metric("batch_mib", 12.0, "MiB")
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: remove it, name it in the lesson, or ask for it in a prediction
    "#);
}

#[test]
fn a_prediction_whose_right_option_depends_on_the_device_is_named() {
    let bins = sample::PREDICTION.to_owned()
        + r#"bins = [
    { id = "low", text = "less than 1", to = 1, feedback = "No." },
    { id = "high", text = "1 or more", from = 1, feedback = "No." },
]
"#;
    let opened = opened(honest(sample::course_with(&bins)));
    let run_lab = |request: RunRequest| {
        let mut run = as_it_should(&request);
        run.metrics.take(Metric {
            name: "batch_mib".to_owned(),
            value: if request.device == DeviceName::Cpu {
                0.5
            } else {
                1.0
            },
            unit: String::new(),
        });
        run
    };
    let (text, exit) = sample::console("", |console| {
        check(
            &opened,
            Programs::Run(&mut each(run_lab)),
            &told(ReportForm::Text),
            console,
        )
    });
    assert_eq!(exit, Exit::Fine);
    let said = text.lines().find(|it| it.contains("q-guess")).unwrap();
    insta::assert_snapshot!(said, @r#"warning[truth-differs]: `q-guess`: right is "1 or more" on model:t4, model:h100, and "less than 1" on cpu"#);
}
