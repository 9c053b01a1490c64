//! Which values a modelled card computes, and what a program gets that reads others.

use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_lab::run::Run;
use warpup_protocol::{MissingValues, NotComputed, Outcome, RunRequest};

fn checked(source: &str, check: &str) -> Run {
    run_once(RunRequest {
        check: Some(check.to_owned()),
        ..python_on("model:t4", source)
    })
}

/// 22 GFLOP in products of 2.
#[test]
fn a_loop_whose_values_fit_into_the_time_limit_keeps_them() {
    let source = "import torch
x = torch.full((1000, 1000), 0.001, device='cuda')
for step in range(11):
    loss = (x @ x).mean()
print(round(loss.item(), 6))
";
    let run = checked(source, "lab.check('small', loss.item() < 1)");
    assert_eq!(run.output, "0.001\n");
    assert_eq!(run.passed(), Some(true));
    assert_eq!(run.report.unwrap().not_computed, None);
}

/// A product of 33 TFLOP, of factors that take no memory: it is refused before it starts.
const HUGE: &str = "import torch
one = torch.ones(1, 1, device='cuda')
loss = (one.expand(2048, 4000000) @ one.expand(4000000, 2048)).mean()
print('loss', end='')
print(loss.item(), loss.argmax().item(), bool(loss > 0))
print(one.sum().item())
lab.metric('loss', loss)
lab.metric('right', loss.argmax())
";

#[test]
fn what_is_past_the_time_for_values_reads_as_nan_and_is_told_once() {
    let run = checked(HUGE, "");
    insta::assert_snapshot!(run.output, @r"
    loss
    [warpup] Values are NOT COMPUTED from line 3 on: the time for it is used up. Time and memory stay modelled; what is read is nan, or 0 and False where there is no nan.
    nan 0 False
    1.0
    [warpup] The metric `loss` is nan, since lines 5 to 7 read values that were not computed: it is not reported.
    ");
    let report = run.report.as_ref().unwrap();
    assert_eq!(report.outcome, Outcome::Done);
    assert_eq!(report.unknown_read, [5, 7, 8]);
    let (line, why) = (3, MissingValues::OutOfTime);
    assert_eq!(report.not_computed, Some(NotComputed { line, why }));
    // Only one of the two was sent, and it does not count either.
    assert_eq!((run.metrics.len(), run.metric("right")), (1, None));
    assert!(run.metric("host_ms").is_some());
}

#[test]
fn a_check_of_values_that_were_not_computed_does_not_hold_and_says_why() {
    let run = checked(HUGE, "lab.check('small', not loss.item() > 1, 'train it')");
    let check = &run.checks[0];
    assert!(!check.ok);
    insta::assert_snapshot!(check.hint.as_ref().unwrap(), @"this cannot be judged: lines 5 to 8 read values that were not computed; make the program smaller");
}

#[test]
fn a_result_that_is_too_large_has_no_values_and_its_line_is_told() {
    let source = "import torch
x = torch.randn(8192, 8192, device='cuda')
loss = (x @ x).mean()
if loss > 0:
    print('large')
";
    let run = checked(source, "");
    insta::assert_snapshot!(run.output, @"[warpup] Values are NOT COMPUTED from line 2 on: its result is too large. Time and memory stay modelled; what is read is nan, or 0 and False where there is no nan.");
}

#[test]
fn a_program_that_reads_no_missing_values_is_told_nothing() {
    let source = "import torch
x = torch.randn(8192, 8192, device='cuda')
y = x @ x
torch.cuda.synchronize()
";
    let run = checked(source, "lab.check('square', y.shape == (8192, 8192))");
    assert_eq!((run.output.as_str(), run.passed()), ("", Some(true)));
    assert_eq!(run.report.unwrap().not_computed, None);
}
