//! The time of the host: each kind of call costs what `assets/cards.toml` says, and a run has the times of two hosts.

use super::{names, run_on};
use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_lab::run::Run;
use warpup_lab::{host_range, memory};
use warpup_protocol::{Aim, HostEnd, HostRange, RunRequest};
use warpup_worker::device::cards::{CallCosts, shipped};

/// A training step of a program, many times.
const STEPS: &str = "import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
MODEL
optimizer = torch.optim.OPTIMIZER
def step():
    optimizer.zero_grad()
    LOSS
    loss.backward()
    optimizer.step()
for _ in range(10):
    step()
torch.cuda.synchronize()
";

/// What a real H200's machine took for the two programs that its host limits, in milliseconds.
const TINY_MS: f64 = 0.72;
const GPT_MS: f64 = 12.4;

fn tiny() -> String {
    STEPS
        .replace(
            "MODEL",
            "model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).cuda()
x, y = torch.randn(4, 8, device='cuda'), torch.tensor([0, 2, 1, 0], device='cuda')",
        )
        .replace("OPTIMIZER", "SGD(model.parameters(), lr=0.1)")
        .replace("LOSS", "loss = F.cross_entropy(model(x), y)")
}

/// Six blocks of 384, 16 × 256 tokens, in bfloat16 by autocast.
fn gpt() -> String {
    STEPS
        .replace(
            "MODEL",
            "L, H, E, T, B, V = 6, 6, 384, 256, 16, 512
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(E), nn.LayerNorm(E)
        self.qkv, self.proj = nn.Linear(E, 3 * E), nn.Linear(E, E)
        self.fc, self.out = nn.Linear(E, 4 * E), nn.Linear(4 * E, E)
    def forward(self, x):
        b, t, e = x.shape
        q, k, v = self.qkv(self.ln1(x)).split(E, dim=2)
        q, k, v = (z.view(b, t, H, e // H).transpose(1, 2) for z in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).contiguous().view(b, t, e))
        return x + self.out(F.gelu(self.fc(self.ln2(x))))
class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(V, E), nn.Embedding(T, E)
        self.blocks = nn.ModuleList(Block() for _ in range(L))
        self.ln, self.head = nn.LayerNorm(E), nn.Linear(E, V, bias=False)
    def forward(self, i):
        x = self.tok(i) + self.pos(torch.arange(i.shape[1], device=i.device))
        for b in self.blocks: x = b(x)
        return self.head(self.ln(x))
model = GPT().cuda()
x, y = torch.randint(0, V, (2, B, T), device='cuda')",
        )
        .replace("OPTIMIZER", "AdamW(model.parameters(), lr=3e-4)")
        .replace(
            "LOSS",
            "with torch.autocast('cuda', dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x).view(-1, V), y.view(-1))",
        )
}

fn planned(source: &str) -> Run {
    run_once(RunRequest {
        aim: Aim::Plan,
        ..python_on("model:h200", source)
    })
}

fn range(run: &Run) -> HostRange {
    *run.report.as_ref().unwrap().host_range.clone().unwrap()
}

/// Milliseconds from step to step.
fn step_ms(end: &HostEnd) -> f64 {
    end.step_ns.unwrap() as f64 / 1e6
}

#[test]
fn steps_that_the_host_limits_take_as_long_as_beside_a_real_card() {
    for (source, measured) in [(tiny(), TINY_MS), (gpt(), GPT_MS)] {
        let HostRange {
            faster,
            slower,
            steps,
        } = range(&planned(&source));
        assert_eq!(steps, 9);
        let ratio = step_ms(&slower) / measured;
        assert!((0.75..1.25).contains(&ratio), "{ratio} of {measured} ms");
        let times = step_ms(&slower) / step_ms(&faster);
        assert!((times - shipped().host_range.times).abs() < 0.1, "{times}");
    }
}

#[test]
fn a_sentence_has_both_times_where_the_host_is_the_limit() {
    let said = |source: &str| host_range::sentence(run_on("h200", source).report.as_ref().unwrap());
    let said_of_tiny = said(&tiny()).unwrap();
    assert!(
        said_of_tiny.starts_with("a step takes ")
            && said_of_tiny.contains(" with the host of these times, a fast desktop, ")
            && said_of_tiny.ends_with(" with a cloud machine"),
        "{said_of_tiny}"
    );
    let products = "import torch
a = torch.empty(8192, 8192, device='cuda')
for _ in range(20):
    b = a @ a
torch.cuda.synchronize()
";
    let planned = planned(products);
    assert_eq!(host_range::sentence(planned.report.as_ref().unwrap()), None);
}

/// Host time of each line in nanoseconds, without that of reaching it.
fn line_costs(source: &str) -> Vec<u64> {
    let run = run_on("t4", source);
    let lines = &run.report.as_ref().unwrap().lines;
    let line_ns = shipped().host.line_ns;
    let of_lines = lines.iter().map(|it| it.host_ns - it.hits * line_ns);
    of_lines.collect()
}

#[test]
fn calls_cost_what_the_file_says() {
    let launch = shipped().cards["t4"].assumed.launch_ns;
    let CallCosts {
        view_ns,
        record_ns,
        backward_ns,
        node_ns,
        reduction_ns,
        module_ns,
        ..
    } = shipped().host.calls;
    let costs = line_costs(
        "import torch
x = torch.ones(8, device='cuda', requires_grad=True)
identity = torch.nn.Identity()
a = x.exp()
b = x.detach()
b.view(2, 4)
identity(b)
c = a.sum()
c.backward()
",
    );
    assert_eq!(costs[3], launch + record_ns, "exp");
    assert_eq!(costs[5], view_ns, "view");
    assert_eq!(costs[6], module_ns, "Identity");
    assert_eq!(costs[7], launch + reduction_ns + record_ns, "sum");
    // Ones, and the gradient of exp; two nodes, and the leaf. The gradient of sum is a view.
    assert_eq!(costs[8], backward_ns + 3 * node_ns + 2 * launch, "backward");
}

#[test]
fn an_optimizer_costs_the_host_more_with_more_parameters() {
    let costs = |count: u64| {
        line_costs(&format!(
            "import torch
own = [torch.nn.Parameter(torch.ones(4, device='cuda')) for _ in range({count})]
optimizer = torch.optim.SGD(own, lr=0.1)
for it in own: it.grad = torch.ones(4, device='cuda')
optimizer.step()
optimizer.zero_grad()
"
        ))
    };
    let (few, many) = (costs(2), costs(12));
    let calls = shipped().host.calls;
    let of_step = calls.parameter_ns + calls.tensor_ns;
    assert_eq!(many[4] - few[4], 10 * of_step);
    assert_eq!(many[5] - few[5], 10 * calls.parameter_ns);
}

/// PyTorch's `_foreach_norm` and `_foreach_mul_`.
#[test]
fn gradients_are_clipped_in_few_launches_and_one_by_one_on_request() {
    let clipped = |more: &str| {
        let run = run_on(
            "t4",
            &format!(
                "import torch
own = [torch.nn.Parameter(torch.ones(4, device='cuda')) for _ in range(3)]
for it in own: it.grad = torch.ones(4, device='cuda')
print(round(torch.nn.utils.clip_grad_norm_(own, 1.0{more}).item(), 4), own[2].grad)
"
            ),
        );
        let printed = run.output.trim_end().to_owned();
        format!("{printed}\n{}", super::kernels_of_line(&run, 4))
    };
    insta::assert_snapshot!(clipped(""), @r"
    3.4641 tensor([0.2887, 0.2887, 0.2887, 0.2887], device='cuda:0')
    _foreach_norm cat sum sqrt add div minimum _foreach_mul_
    ");
    insta::assert_snapshot!(clipped(", foreach=False"), @r"
    3.4641 tensor([0.2887, 0.2887, 0.2887, 0.2887], device='cuda:0')
    mul sum mul sum mul sum cat sum sqrt add div minimum mul mul mul
    ");
}

#[test]
fn memory_over_time_begins_when_there_is_a_context() {
    let run = planned("import torch\nx = torch.ones(1000, device='cuda')\ny = x + x\n");
    let report = run.report.unwrap();
    let held = report.memory.unwrap();
    assert!(held.over_time[0].at_ns >= 250_000_000, "{held:?}");
    assert!(!memory::over_time(&held, &[], 60).is_empty());
    assert_eq!(report.gaps.unwrap().first_use.unwrap().line, 2);
}

#[test]
fn memory_alone_makes_a_context_and_its_line_is_known() {
    let run = run_on(
        "t4",
        "import torch\nx = torch.empty(1000, device='cuda')\ny = x + x\n",
    );
    assert_eq!(names(super::kernels(&run)), "add");
    let first_use = run.report.unwrap().gaps.unwrap().first_use.unwrap();
    assert_eq!((first_use.line, first_use.ns), (2, 250_000_000));
}
