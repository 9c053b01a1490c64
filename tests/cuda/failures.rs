//! Failures before or outside of a program. Only the stand-in fails on request, so on a card these tests do
//! nothing.

use crate::card_runs::{WORKER, is_stand_in, on_a_card, probe, runner_with};
use crate::support::lab_runner::outcome;
use crate::support::worker_process::WorkerProcess;
use std::process::Command;
use warpup_protocol::{Limits, Outcome, Reply, Request, RunRequest, StepResult};

const PROGRAM: &str = "import torch\nx = torch.ones(3, device='cuda')\ny = x * 2\ntorch.cuda.synchronize()\nprint(y.sum().item())\n";

/// How the program ends with `STAND_IN_CUDA` set for the stand-in.
fn ending(wish: &str) -> String {
    let run = runner_with(wish).run(on_a_card(PROGRAM));
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
fn a_card_that_is_not_available_is_no_mistake_of_the_program() {
    if !is_stand_in() {
        return;
    }
    insta::assert_snapshot!(ending("init=no_device"), @"
unavailable: the driver shows no card to this process
try: see whether CUDA_VISIBLE_DEVICES hides it, and whether nvidia-smi lists it
CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected
");
    insta::assert_snapshot!(ending("init=system_driver_mismatch"), @"
unavailable: the driver's library and its kernel module have different versions, as after an update
try: restart the machine, or load the kernel module again
CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803): system has unsupported display driver / cuda driver combination
");
    insta::assert_snapshot!(ending("context=device_unavailable"), @"
busy: somebody else has the card to themselves
try: try again when they are done; the card is in exclusive mode, or a process of theirs holds it
CUDA_ERROR_DEVICE_UNAVAILABLE (46): CUDA-capable device(s) is/are busy or unavailable
");
    insta::assert_snapshot!(ending("context=out_of_memory"), @"
busy: the card has no room for another context: others fill it
try: try again when they are done, or run on cpu or a modelled card
CUDA_ERROR_OUT_OF_MEMORY (2): out of memory
");
    insta::assert_snapshot!(ending("module=unsupported_ptx_version"), @"
unavailable: the driver is older than the CUDA that the worker was built with
try: warpup doctor prints the command that installs one for this driver
CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222): the provided PTX was compiled with an unsupported toolchain.
");
    insta::assert_snapshot!(ending("module=no_binary_for_gpu"), @"
unavailable: the worker's kernels are not for a card of this compute capability
try: warpup doctor prints the command that installs one for this card
CUDA_ERROR_NO_BINARY_FOR_GPU (209): no kernel image is available for execution on the device
");
}

#[test]
fn an_error_of_a_kernel_ends_the_worker() {
    if !is_stand_in() {
        return;
    }
    insta::assert_snapshot!(ending("kernel=assert"), @"
raised torch.AcceleratorError: CUDA error: device-side assert triggered
Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
An index or a label was out of range in a kernel that was queued before: compare labels.max() with the number of classes. The card does nothing more in this run; the next run starts fresh; the worker ends
");
    insta::assert_snapshot!(ending("kernel=illegal_address"), @"
raised torch.AcceleratorError: CUDA error: an illegal memory access was encountered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
A kernel has read or written outside of its memory; it may have been queued before this line. The card does nothing more in this run; the next run starts fresh; the worker ends
");
    insta::assert_snapshot!(ending("kernel=unknown"), @"
raised torch.AcceleratorError: CUDA error: unknown error
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
It may belong to a line before this one, since kernels run behind the host. The card does nothing more in this run; the next run starts fresh; the worker ends
");
    insta::assert_snapshot!(ending("kernel=ecc_uncorrectable"), @"
raised torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
It may belong to a line before this one, since kernels run behind the host. The card does nothing more in this run; the next run starts fresh; the worker ends
");
}

#[test]
fn a_probe_stops_at_the_step_that_fails() {
    if !is_stand_in() {
        return;
    }
    let failed = |wish| {
        let probe = probe(wish);
        let last = probe.steps.last().unwrap();
        let StepResult::Failed { code, .. } = &last.found else {
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
    let run = runner_with("kernel=hang").run(RunRequest { limits, ..request });
    assert_eq!(outcome(&run), &Outcome::TimedOut);
}

#[test]
fn a_worker_whose_kernel_never_ends_ends_with_its_input() {
    if !is_stand_in() {
        return;
    }
    let mut command = Command::new(WORKER);
    let mut worker = WorkerProcess::spawn(command.env("STAND_IN_CUDA", "kernel=hang"));
    let program = "import torch\nx = torch.ones(3, device='cuda') * 2\nlab.metric('queued', 1)\ntorch.cuda.synchronize()";
    worker.send(&Request::Run(on_a_card(program)));
    while !matches!(worker.reply(), Reply::Metric { .. }) {}
    assert_eq!(worker.end().0, Some(0));
}
