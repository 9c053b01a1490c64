//! `torch.compile` on a modelled card: fewer kernels and fewer bytes, for a compilation of some seconds.

use super::{kernels, kernels_of_line, names, run_on};
use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::request::python_on;
use warpup_protocol::{Outcome, RunRequest};

const GELU: &str = "import time
import torch

def gelu(x):
    return 0.5 * x * (1 + torch.tanh(0.79788456 * (x + 0.044715 * x * x * x)))

def timed(call):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(10):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / 10
";

#[test]
fn a_chain_becomes_one_kernel_and_is_faster_by_what_it_does_not_move() {
    let run = run_on(
        "t4",
        &format!(
            "{GELU}
x = torch.randn(1 << 20, device='cuda')
compiled = torch.compile(gelu)
start = time.perf_counter()
y = compiled(x)
print(2 < time.perf_counter() - start < 10)
y = compiled(x)
gain = timed(lambda: gelu(x)) / timed(lambda: compiled(x))
# It moves 22 times the size of x, and 2 times compiled.
assert 3 < gain < 12, gain
small = torch.randn(8, device='cuda')
print(torch.equal(gelu(small), compiled(small)))
"
        ),
    );
    assert_eq!(run.output, "True\nTrue\n");
    let line = u32::try_from(GELU.lines().count()).unwrap() + 7;
    assert_eq!(
        kernels_of_line(&run, line),
        "triton_poi_fused_add_mul_tanh_0"
    );
}

#[test]
fn backward_of_compiled_code_is_compiled_and_saves_only_inputs() {
    let run = run_on(
        "h200",
        &format!(
            "{GELU}
MiB = 2**20
weight = torch.randn(4 * MiB, device='cuda', requires_grad=True)
for function in (gelu, torch.compile(gelu)):
    for _ in range(2):
        weight.grad = y = None
        before = torch.cuda.memory_allocated()
        y = function(weight)
        held = torch.cuda.memory_allocated() - before
        y.backward(torch.ones_like(y))
    print(held // (16 * MiB), weight.grad[:1].item() != 0)
"
        ),
    );
    insta::assert_snapshot!(run.output, @r"
    6 True
    1 True
    ");
    let line = u32::try_from(GELU.lines().count()).unwrap() + 10;
    let kernels = kernels_of_line(&run, line);
    assert_eq!(kernels.matches("triton_poi_fused").count(), 2, "{kernels}");
}

#[test]
fn other_sizes_compile_once_more_and_then_any_size_is_right() {
    let run = run_on(
        "h200",
        &format!(
            "{GELU}
compiled = torch.compile(gelu)
for rows in (4, 8, 16, 4, 32):
    x = torch.randn(rows, 8, device='cuda')
    start = time.perf_counter()
    compiled(x)
    print(rows, time.perf_counter() - start > 0.5)
"
        ),
    );
    insta::assert_snapshot!(run.output, @r"
    4 True
    8 True
    16 False
    4 False
    32 False
    ");
    let notes = run.report.as_ref().unwrap().notes.join("\n");
    assert!(
        notes.contains("compiles gelu again, since a size has changed"),
        "{notes}"
    );
}

#[test]
fn a_graph_break_is_named_with_its_line_and_full_graphs_refuse_it() {
    let run = run_on(
        "h200",
        r#"import torch

def noisy(x):
    y = x + 1
    print("seen")
    if y.sum() > 0:
        y = y * 2
    return y - 1

x = torch.ones(4, device="cuda")
print(torch.compile(noisy)(x))
for function in (noisy, lambda x: x * x.sum().item()):
    try:
        torch.compile(function, fullgraph=True)(x)
    except torch._dynamo.exc.Unsupported as error:
        print(type(error).__mro__[1].__name__, str(error).splitlines()[0], str(error).splitlines()[-1])
"#,
    );
    insta::assert_snapshot!(run.output, @r"
    seen
    tensor([3., 3., 3., 3.], device='cuda:0')
    seen
    TorchDynamoException Graph break: print()   line 5
    TorchDynamoException Graph break: item()   line 12
    ");
    let notes = run.report.as_ref().unwrap().notes.join("\n");
    assert!(
        notes.contains("the graph of noisy breaks on line 5 (print())"),
        "{notes}"
    );
    assert!(
        notes.contains("the graph of noisy breaks on line 6 (data-dependent branching)"),
        "{notes}"
    );
}

/// A check may call a compiled function once more, where the program's own lines are behind it.
#[test]
fn what_a_check_compiles_breaks_no_graph_of_the_program() {
    let program = r#"import torch

step = torch.compile(lambda x: x * x.sum().item())
"#;
    let check = "lab.ran_again(step, torch.ones(4, device='cuda'))\nlab.check('it ran', True)";
    let run = LabRunner::start().run(RunRequest {
        check: Some(check.to_owned()),
        ..python_on("model:h200", program)
    });
    assert_eq!(run.passed(), Some(true));
    assert_eq!(run.report.unwrap().notes, Vec::<String>::new());
}

/// PyTorch's compiler follows a copy to the host: the host waits, and the graph goes on.
#[test]
fn a_copy_to_the_host_breaks_no_graph() {
    let run = run_on(
        "h200",
        r#"import torch

def read(x):
    y = (x + 1) * 2
    seen = y.cpu()
    return y.tanh() - 1, seen

x = torch.ones(4, device="cuda")
print(torch.compile(read, fullgraph=True)(x)[1])
"#,
    );
    assert_eq!(run.output, "tensor([4., 4., 4., 4.])\n");
    assert_eq!(names(kernels(&run)).split(' ').count(), 3);
    let notes = run.report.as_ref().unwrap().notes.join("\n");
    assert!(!notes.contains("break"), "{notes}");
}

#[test]
fn a_refusal_of_the_compiler_is_printed_with_its_module() {
    let program = python_on(
        "model:h200",
        r#"import torch

full = torch.compile(lambda x: x * x.sum().item(), fullgraph=True)
full(torch.ones(4, device="cuda"))
"#,
    );
    let run = LabRunner::start().run(program);
    let Outcome::Raised(raised) = outcome(&run) else {
        panic!("{}", run.output);
    };
    assert_eq!(raised.kind, "torch._dynamo.exc.Unsupported");
}

#[test]
fn a_compiled_module_trains_as_it_does_without() {
    let run = run_on(
        "t4",
        r#"import torch
from torch import nn

def losses(mode):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4)).cuda()
    if mode is not None:
        net = torch.compile(net, mode=mode)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    x, target = torch.randn(8, 16, device="cuda"), torch.randint(4, (8,), device="cuda")
    found = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), target)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found, net

plain, _ = losses(None)
for mode in ("default", "reduce-overhead"):
    found, net = losses(mode)
    print(mode, found == plain, list(net.state_dict())[0], type(net).__name__, net._orig_mod[0].in_features)

@torch.compiler.disable
def aside(x):
    return x * torch.compiler.is_compiling()

@torch.compile
def inner(x):
    return aside(x + 1) + torch.compiler.is_compiling()

print(inner(torch.ones(2, device="cuda")).tolist())
"#,
    );
    insta::assert_snapshot!(run.output, @r"
    default True _orig_mod.0.weight OptimizedModule 16
    reduce-overhead True _orig_mod.0.weight OptimizedModule 16
    [1.0, 1.0]
    ");
    let graphs = run.spans.iter();
    let graphs = graphs.filter(|it| it.name == warpup_protocol::Span::GRAPH_LAUNCH);
    // Forward and backward of the third, fourth and fifth step.
    assert_eq!(graphs.count(), 6);
}
