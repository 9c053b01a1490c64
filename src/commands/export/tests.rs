//! What an export prints and writes, and what it refuses.

use super::*;
use crate::commands::sample;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use warpup_lab::run::Run;
use warpup_protocol::{Outcome, Report, RunRequest};

fn args(format: ExportFormat, lesson: Option<&str>, out: Option<PathBuf>) -> ExportArgs {
    ExportArgs {
        format,
        lesson: lesson.map(str::to_owned),
        out,
        force: false,
        no_keys: false,
        run_labs: false,
        trust: false,
    }
}

#[test]
fn an_export_is_printed_and_what_is_missing_is_a_remark() {
    let course = sample::course_with(sample::PREDICTION);
    let args = args(ExportFormat::Gift, Some("copies"), None);
    let (out, err, exit) = sample::streams("", |console| export(&args, &course, None, console));
    assert_eq!(exit, Exit::Fine);
    assert!(out.starts_with("$CATEGORY: $course$/top/What a copy costs\n"));
    insta::assert_snapshot!(err, @"
    note: GIFT has no hints: left out: copies/q-bus, copies/q-bytes, copies/q-words
    note: GIFT has no units: the question ends with the unit to answer in: copies/q-bytes
    note: GIFT has no questions about an order: left out: copies/q-order
    note: a prediction is compared with a run of its lab: left out: copies/q-guess
    ");
}

#[test]
fn a_file_is_written_once_and_replaced_only_when_asked() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("copies.gift");
    let course = sample::course();
    let mut args = args(ExportFormat::Gift, None, Some(path.clone()));
    let said = |args: &ExportArgs| {
        let (text, _) = sample::console("", |console| export(args, &course, None, console));
        let first = text.lines().take(2).collect::<Vec<_>>().join("\n");
        first.replace(dir.path().to_str().unwrap(), "DIR")
    };
    insta::assert_snapshot!(said(&args), @"
    wrote DIR/copies.gift (1 lesson)
    note: GIFT has no hints: left out: copies/q-bus, copies/q-bytes, copies/q-words
    ");
    let written = fs::read(&path).unwrap();
    fs::write(&path, "mine").unwrap();
    insta::assert_snapshot!(said(&args), @"
    error: DIR/copies.gift exists already, and nothing was written
    hint: choose another name, or replace it with `--force`
    ");
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    args.force = true;
    said(&args);
    assert_eq!(fs::read(&path).unwrap(), written);
}

#[test]
fn a_lesson_that_is_not_there_or_has_no_quiz_is_a_wrong_argument() {
    let mut course = sample::course();
    let wrong = |lesson, course: &Course| {
        let args = args(ExportFormat::Anki, lesson, None);
        sample::console("", |console| export(&args, course, None, console))
    };
    let (text, exit) = wrong(Some("copis"), &course);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @"
    error: there is no lesson `copis`
    hint: did you mean `copies`?
    ");
    course.lessons[0].quiz = None;
    insta::assert_snapshot!(wrong(None, &course).0, @"error: the lesson `copies` has no quiz");
}

#[test]
fn flags_that_a_format_has_no_use_for_are_refused() {
    let refused = |args: &ExportArgs| {
        let (text, exit) = sample::console("", |console| {
            execute(args, None.into(), Readers::Learners, console)
        });
        assert_eq!(exit, Exit::Arguments);
        text
    };
    let mut wrong = args(ExportFormat::Gift, None, None);
    wrong.no_keys = true;
    insta::assert_snapshot!(refused(&wrong), @"
    error: `--no-keys` goes with html, md and ipynb: questions in this format are nothing without their keys
    hint: leave `--no-keys` out
    ");
    let mut wrong = args(ExportFormat::Ipynb, None, None);
    wrong.run_labs = true;
    insta::assert_snapshot!(refused(&wrong), @"
    error: `--run-labs` goes with html and md: this format shows no output
    hint: leave `--run-labs` out
    ");
    let course = warpup_course::sample::course();
    let wrong = args(ExportFormat::Ipynb, None, None);
    let (text, _) = sample::console("", |console| export(&wrong, &course, None, console));
    insta::assert_snapshot!(text, @"
    error: a notebook is one lesson: name it
    hint: there are places, copies
    ");
}

#[test]
fn what_labs_print_is_on_the_page_with_where_they_ran() {
    let course = sample::course();
    let mut run = |request: RunRequest| {
        let mut run = Run::new(request.run);
        run.output = format!("<out> {}\n", request.device);
        run.report = Some(Report {
            outcome: Outcome::Done,
            ..Report::broken("")
        });
        run
    };
    let args = args(ExportFormat::Md, None, None);
    let (text, err, _) = sample::streams("", |console| {
        export(&args, &course, Some(&mut run), console)
    });
    let printed: Vec<&str> = text
        .lines()
        .filter(|it| it.contains("<out>") || it.contains("It prints"))
        .collect();
    insta::assert_snapshot!(printed.join("\n"), @"
    It prints (on the CPU, measured):
    <out> cpu
    It prints (on a modelled t4):
    <out> model:t4
    ");
    insta::assert_snapshot!(err, @"
    running 1 of 2: copies/bus on cpu
    running 2 of 2: copies/repair on model:t4
    ");
}
