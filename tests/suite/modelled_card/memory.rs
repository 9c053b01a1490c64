//! Memory of a modelled card: what a program holds, and what it frees.

use super::{kernels, names, run_on};
use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_protocol::Purpose;

fn printed(source: &str) -> String {
    run_on("t4", source).output
}

#[test]
fn backward_frees_activations() {
    let printed = printed(
        r#"
import torch
w = torch.ones(1024, 1024, device="cuda", requires_grad=True)
h = torch.ones(1024, 1024, device="cuda")
for layer in range(4):
    h = (h @ w).relu()
loss = h.sum()
del h
print(torch.cuda.memory_allocated() >> 20)
loss.backward()
print(torch.cuda.memory_allocated() >> 20)
"#,
    );
    // Weight, input and the four results of `relu`, which the products save as well; then weight,
    // gradient and the scalars.
    assert_eq!(printed, "24\n8\n");
}

#[test]
fn intermediate_results_that_no_gradient_needs_are_freed() {
    let printed = printed(
        r#"
import torch
w = torch.ones(1024, 1024, device="cuda", requires_grad=True)
held = torch.cuda.memory_allocated
h = w
for layer in range(10):
    h = (h + 1 - w).reshape(-1).reshape(1024, 1024) * 2
print((held() - w.nbytes) >> 20)
h = h.relu()
print((held() - w.nbytes) >> 20)
h = h + 1
print((held() - w.nbytes) >> 20)
"#,
    );
    // The last result; the result of `relu`, which it saved; and what was computed from it.
    assert_eq!(printed, "4\n4\n8\n");
}

#[test]
fn memory_falls_during_backward() {
    let printed = printed(
        r#"
import torch
x = torch.ones(1024, 1024, device="cuda", requires_grad=True)
h = x
for layer in range(16):
    h = h.exp()
loss = h.sum()
del h
before = torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
loss.backward()
print(before >> 20, (torch.cuda.max_memory_allocated() - before) >> 20, torch.cuda.memory_allocated() >> 20)
"#,
    );
    // When a gradient has been computed, the saved result that it needed is freed.
    assert_eq!(printed, "68 4 8\n");
}

#[test]
fn a_step_in_place_holds_no_more_than_before() {
    let printed = printed(
        r#"
import torch
w = torch.ones(1024, 1024, device="cuda")
before = torch.cuda.memory_allocated()
w += 1
w.mul_(2).zero_()
print(torch.cuda.memory_allocated() - before)
"#,
    );
    assert_eq!(printed, "0\n");
}

/// The line at which a run holds most memory, and the MiB of each purpose there.
fn at_the_peak(device: &str, source: &str) -> (u32, Vec<(Purpose, u64)>) {
    let run = run_once(python_on(device, source));
    let memory = run.report.unwrap().memory.unwrap();
    let held = Purpose::ALL.map(|it| (it, memory.peak.of(it) >> 20));
    let held = held.into_iter().filter(|(_, bytes)| *bytes > 0);
    (memory.peak_line, held.collect())
}

const A_STEP: &str = "import torch
device = 'cuda' if torch.cuda.is_available() else 'cpu'
x = torch.ones(1024, 1024).to(device)
w = torch.ones(1024, 1024, device=device, requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1)
for step in range(2):
    loss = (x @ w).exp().sum()
    loss.backward()
    optimizer.step()
del loss
y = x.to(torch.float64)
z = y.repeat(2, 1) if hasattr(y, 'repeat') else torch.cat([y, y])
";

#[test]
fn memory_is_reported_by_purpose() {
    use Purpose::{Gradients, Inputs, OptimizerState, Temporaries, Weights};
    let (line, held) = at_the_peak("model:t4", A_STEP);
    let expected = [
        (Weights, 4),
        (Gradients, 4),
        (OptimizerState, 8),
        (Inputs, 4),
        (Temporaries, 24),
    ];
    assert_eq!((line, held.as_slice()), (12, expected.as_slice()));
}

#[test]
fn host_memory_is_reported_by_purpose_too() {
    let (line, held) = at_the_peak("cpu", A_STEP);
    assert_eq!(line, 12);
    let of = |purpose| held.iter().find(|it| it.0 == purpose).map(|it| it.1);
    assert_eq!(of(Purpose::Weights), Some(4));
    assert_eq!(of(Purpose::OptimizerState), Some(8));
}

#[test]
fn changes_in_place_take_no_memory() {
    let printed = printed(
        r#"
import torch
x = torch.rand(1024, 1024, device="cuda")
other = torch.rand(1024, 1024, device="cuda")
rows = torch.ones(1024, device="cuda")
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
x.add_(other, alpha=2).mul_(3).sub_(rows).div_(other).pow_(2).clamp_(0, 1).relu_().exp_().neg_()
x += other
x *= 2
x.t()[3:].copy_(other[:, :1021].t()).zero_()
x[2:5].fill_(1).uniform_().normal_().random_(5)
x.t_().unsqueeze_(0)
print(torch.cuda.max_memory_allocated() - before, torch.cuda.memory_allocated() - before)
"#,
    );
    assert_eq!(printed, "0 0\n");
}

#[test]
fn one_change_in_place_is_one_kernel() {
    let run = run_on(
        "t4",
        r#"
import torch
x = torch.rand(1024, 1024, device="cuda")
x.mul_(2)
x[3:, 2].add_(x[1:1022, 5], alpha=3)
x.sqrt_()
x.t().copy_(x.clone())
"#,
    );
    assert_eq!(names(kernels(&run)), "random mul add sqrt clone copy");
}

#[test]
fn a_gradient_is_accumulated_in_place() {
    let printed = printed(
        r#"
import torch
layer = torch.nn.Linear(1024, 1024, device="cuda")
x = torch.ones(8, 1024, device="cuda")
layer(x).sum().backward()
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
place = layer.weight.grad.data_ptr()
layer(x).sum().backward()
print((torch.cuda.max_memory_allocated() - before) >> 20, torch.cuda.memory_allocated() - before)
print(place == layer.weight.grad.data_ptr(), layer.weight.grad.stride())
"#,
    );
    // The new gradient, besides the one that it is added to, and the workspace of its product.
    assert_eq!(printed, "12 0\nTrue (1024, 1)\n");
}

#[test]
fn a_step_of_adamw_without_foreach_runs_the_kernels_of_pytorch_in_the_memory_of_its_state() {
    let run = run_on(
        "t4",
        r#"
import torch
w = torch.ones(1024, 1024, device="cuda", requires_grad=True)
optimizer = torch.optim.AdamW([w], lr=0.1, foreach=False)
w.grad = torch.ones(1024, 1024, device="cuda")
optimizer.step()
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
optimizer.step()
print((torch.cuda.max_memory_allocated() - before) >> 20, torch.cuda.memory_allocated() - before)
"#,
    );
    // The root of the squares, and what is computed from it.
    assert_eq!(run.output, "8 0\n");
    let of_second_step = kernels(&run).skip(kernels(&run).count() - 8);
    assert_eq!(
        names(of_second_step),
        "mul lerp mul addcmul sqrt div add addcdiv"
    );
}

#[test]
fn making_a_layer_takes_no_more_than_its_weights() {
    let printed = printed(
        r#"
import torch
make = {
    "linear": lambda: torch.nn.Linear(1024, 1024, bias=False, device="cuda"),
    "embedding": lambda: torch.nn.Embedding(1024, 1024, device="cuda"),
}
for name, layer in make.items():
    torch.cuda.reset_peak_memory_stats()
    made = layer()
    print(name, torch.cuda.max_memory_allocated() >> 20)
    for set_values in (
        torch.nn.init.kaiming_uniform_, torch.nn.init.xavier_normal_, torch.nn.init.ones_, torch.nn.init.zeros_,
    ):
        set_values(made.weight)
    print(torch.cuda.max_memory_allocated() >> 20, made.weight.sum().item())
    del made
"#,
    );
    assert_eq!(printed, "linear 4\n4 0.0\nembedding 4\n4 0.0\n");
}

/// `cross_entropy` gives `log_softmax` the type of the scores, so that autocast casts only its result: two tensors of 16 bits, and
/// one of 32 for the loss, which saves it. Measured: GPT-2 on an H200 holds as much.
#[test]
fn a_loss_under_autocast_takes_the_softmax_in_16_bits() {
    let printed = printed(
        r#"
import torch
F = torch.nn.functional
scores = torch.zeros(1024, 1024, device="cuda", dtype=torch.bfloat16, requires_grad=True)
target = torch.zeros(1024, device="cuda", dtype=torch.int64)
before = torch.cuda.memory_allocated()
def most():
    return round((torch.cuda.max_memory_allocated() - before) / 2**20)
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = F.cross_entropy(scores, target)
    print(loss.dtype, most(), (torch.cuda.memory_allocated() - before) >> 20)
    print(F.cross_entropy(scores, target, label_smoothing=0.1).dtype, F.log_softmax(scores, 1).dtype)
torch.cuda.reset_peak_memory_stats()
loss.backward()
print(most())
"#,
    );
    assert_eq!(
        printed,
        "torch.float32 6 6
torch.float32 torch.float32
10
"
    );
}

/// The result has the order of the queries without the gaps between them, so that the heads are joined without a copy.
#[test]
fn attention_of_parts_of_one_product_gives_heads_that_are_joined_for_free() {
    let printed = printed(
        r#"
import torch
F = torch.nn.functional
joint = torch.zeros(4, 128, 3 * 64, device="cuda", requires_grad=True)
q, k, v = (it.view(4, 128, 4, 16).transpose(1, 2) for it in joint.split(64, dim=2))
for dropout in (0.0, 0.1):
    out = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout)
    print(out.shape, out.stride(), out.transpose(1, 2).is_contiguous())
"#,
    );
    let line = "torch.Size([4, 4, 128, 16]) (8192, 16, 64, 1) True\n";
    assert_eq!(printed, line.repeat(2));
}

/// The first step makes the state of an optimizer, and is often the peak of memory.
#[test]
fn optimizer_state_is_counted_as_such_while_it_is_made() {
    let source = "import torch
w = torch.ones(1024, 1024, device='cuda', requires_grad=True)
optimizer = torch.optim.AdamW([w])
w.sum().backward()
optimizer.step()
";
    let (line, held) = at_the_peak("model:t4", source);
    assert_eq!(line, 5);
    assert!(held.contains(&(Purpose::OptimizerState, 8)), "{held:?}");
    assert!(!held.iter().any(|it| it.0 == Purpose::Inputs), "{held:?}");
}
