//! What goes wrong before or beside a program is told as what it is. Only the stand-in fails on request; on a
//! card these have nothing to ask.

use crate::card::{WORKER, is_stand_in, labs_where, on_a_card, probe};
use crate::labs::outcome;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use warpup::protocol::{Found, Limits, Outcome, RunRequest};

const PROGRAM: &str = "import warpup as torch\nx = torch.ones(3, device='cuda')\ny = x * 2\ntorch.cuda.synchronize()\nprint(y.sum().item())\n";

/// How the program ends where the stand-in is asked for something.
fn told(wish: &str) -> String {
    let run = labs_where(wish).run(on_a_card(PROGRAM));
    let ends = if run.report.as_ref().unwrap().worker_ends {
        "; the worker ends"
    } else {
        ""
    };
    let how = match outcome(&run) {
        Outcome::Raised(it) => format!("raised {}: {}", it.kind, it.message),
        Outcome::Unavailable(it) => {
            format!("unavailable: {}\ntry: {}\n{}", it.why, it.hint, it.evidence)
        }
        Outcome::Busy(it) => format!("busy: {}\ntry: {}\n{}", it.why, it.hint, it.evidence),
        other @ (Outcome::Done
        | Outcome::Cancelled
        | Outcome::TimedOut
        | Outcome::TooMuchOutput
        | Outcome::Broken { .. }) => format!("{other:?}"),
    };
    format!("{how}{ends}")
}

#[test]
fn a_card_that_cannot_be_had_is_no_mistake_of_the_programs() {
    if !is_stand_in() {
        return;
    }
    insta::assert_snapshot!(told("init=no_device"), @"");
    insta::assert_snapshot!(told("init=system_driver_mismatch"), @"");
    insta::assert_snapshot!(told("context=device_unavailable"), @"");
    insta::assert_snapshot!(told("context=out_of_memory"), @"");
    insta::assert_snapshot!(told("module=unsupported_ptx_version"), @"");
    insta::assert_snapshot!(told("module=no_binary_for_gpu"), @"");
}

#[test]
fn an_error_of_a_kernel_ends_the_worker() {
    if !is_stand_in() {
        return;
    }
    insta::assert_snapshot!(told("kernel=assert"), @"");
    insta::assert_snapshot!(told("kernel=illegal_address"), @"");
    insta::assert_snapshot!(told("kernel=unknown"), @"");
    insta::assert_snapshot!(told("kernel=ecc_uncorrectable"), @"");
}

#[test]
fn a_probe_stops_at_the_step_that_fails() {
    if !is_stand_in() {
        return;
    }
    let failed = |wish| {
        let probe = probe(wish);
        let last = probe.steps.last().unwrap();
        let Found::Failed { code, .. } = &last.found else {
            panic!("{wish}: {last:?}");
        };
        format!("{:?} {code}", last.what)
    };
    assert_eq!(failed("init=no_device"), "Init CUDA_ERROR_NO_DEVICE");
    assert_eq!(
        failed("context=device_unavailable"),
        "Context CUDA_ERROR_DEVICE_UNAVAILABLE"
    );
    assert_eq!(
        failed("module=unsupported_ptx_version"),
        "Kernels CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
    );
    assert_eq!(failed("kernel=unknown"), "Kernel CUDA_ERROR_UNKNOWN");
}

#[test]
fn a_program_whose_kernel_never_ends_is_stopped() {
    if !is_stand_in() {
        return;
    }
    let request = on_a_card(PROGRAM);
    let limits = Limits {
        time_ms: 3_000,
        ..request.limits
    };
    let run = labs_where("kernel=hang").run(RunRequest { limits, ..request });
    assert_eq!(outcome(&run), &Outcome::TimedOut);
}

#[test]
fn a_worker_whose_kernel_never_ends_ends_with_its_input() {
    if !is_stand_in() {
        return;
    }
    let mut worker = Command::new(WORKER)
        .env("STAND_IN_CUDA", "kernel=hang")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = worker.stdin.take().unwrap();
    let program = "import warpup as torch\\nx = torch.ones(3, device='cuda') * 2\\nprint('queued', flush=True)\\ntorch.cuda.synchronize()";
    let line = format!(
        r#"{{"ask":"run","run":1,"name":"lab.py","source":"{program}","device":"cuda","limits":{{"time_ms":60000,"output_bytes":64,"spans":0}},"trace":false}}"#
    );
    writeln!(input, "{line}").unwrap();
    let said = BufReader::new(worker.stdout.take().unwrap());
    let queued = said
        .lines()
        .find(|it| it.as_ref().unwrap().contains("queued"));
    assert!(queued.is_some());
    drop(input);
    assert_eq!(worker.wait().unwrap().code(), Some(0));
}
