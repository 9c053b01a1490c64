//! `CUDA_LAUNCH_BLOCKING=1`: the host waits for each kernel, and an error appears at its own line.

use super::{from_shell, run_on};
use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_lab::run::Run;
use warpup_protocol::WaitCause;

/// An index that is out of range, on line 6; the value is read on line 8.
const OUT_OF_RANGE: &str = "import os
# A line for the variable.
import torch
layer = torch.nn.Embedding(10, 4).cuda()
words = torch.tensor([3, 10], device='cuda')
h = layer(words)
print('after')
print(h.sum().item())
";

fn raised(run: &Run) -> String {
    let raised = run.raised().unwrap();
    format!(
        "{:?} line {} {}: {}",
        run.output, raised.line, raised.kind, raised.message
    )
}

#[test]
fn an_assertion_is_raised_at_its_own_line_in_pytorchs_words() {
    let setting = "os.environ['CUDA_LAUNCH_BLOCKING'] = '1'";
    let source = OUT_OF_RANGE.replace("# A line for the variable.", setting);
    let blocking = run_once(python_on("model:t4", source));
    insta::assert_snapshot!(raised(&blocking), @r#"
    "" line 6 torch.AcceleratorError: CUDA error: device-side assert triggered
    Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
    It was queued on line 6: index out of range in self
    "#);
    let shell = from_shell("t4", &[("CUDA_LAUNCH_BLOCKING", "1")], OUT_OF_RANGE);
    assert_eq!(raised(&run_once(shell)), raised(&blocking));
}

#[test]
fn without_it_the_assertion_comes_later_and_says_so() {
    for variables in [
        vec![],
        vec![("CUDA_LAUNCH_BLOCKING", "0")],
        vec![("TORCH_USE_CUDA_DSA", "1")],
    ] {
        let run = run_once(from_shell("t4", &variables, OUT_OF_RANGE));
        insta::allow_duplicates! {
            insta::assert_snapshot!(raised(&run), @r#"
            "after\n" line 8 torch.AcceleratorError: CUDA error: device-side assert triggered
            Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
            CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
            For debugging consider passing CUDA_LAUNCH_BLOCKING=1
            It was queued on line 6: index out of range in self (the model knows; a real card does not say which line)
            "#);
        }
    }
}

/// Three products of 2048 on an H200, and the seconds until the host is past them.
const PRODUCTS: &str = "import torch, time
a = torch.ones(2048, 2048, device='cuda')
a @ a
torch.cuda.synchronize()
begun = time.perf_counter()
for step in range(3):
    a @ a
print(time.perf_counter() - begun > 3e-4)
";

#[test]
fn the_host_waits_for_each_kernel() {
    assert_eq!(run_on("h200", PRODUCTS).output, "False\n");
    let run = run_once(from_shell(
        "h200",
        &[("CUDA_LAUNCH_BLOCKING", "1")],
        PRODUCTS,
    ));
    assert_eq!(run.output, "True\n");
    let waits = run
        .spans
        .iter()
        .filter(|it| it.cause == WaitCause::LaunchBlocking);
    // The ones are filled by a kernel, and there is a product before.
    assert_eq!(waits.count(), 5);
}

#[test]
fn cuda_reads_it_once() {
    let late = PRODUCTS.replace(
        "begun = ",
        "import os; os.environ['CUDA_LAUNCH_BLOCKING'] = '1'\nbegun = ",
    );
    assert_eq!(run_on("h200", &late).output, "False\n");
}
