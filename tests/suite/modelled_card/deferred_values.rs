//! Values of a modelled card are computed when somebody reads them, and are those that they would have been before.

use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_protocol::{Limits, MissingValues, NotComputed, RunRequest};

/// What a program prints on the CPU and on a modelled card, where `{device}` names it.
fn assert_same(source: &str) {
    let on = |device: &str| source.replace("{device}", device);
    let expected = run_once(python_on("cpu", on("cpu"))).output;
    let run = run_once(python_on("model:t4", on("cuda")));
    assert_eq!(run.output, expected);
    assert!(!expected.is_empty());
    assert_eq!(run.report.unwrap().not_computed, None);
}

/// Products of 2.7 TFLOP together, of which the program reads one.
#[test]
fn what_no_line_reads_is_not_computed() {
    let source = "import torch
x = torch.full((1500, 1500), 0.001, device='cuda')
for step in range(400):
    y = x @ x
print(round(y[0, 0].item(), 6))
";
    let run = run_once(python_on("model:t4", source));
    assert_eq!(run.output, "0.0015\n");
    assert_eq!(run.report.unwrap().not_computed, None);
}

#[test]
fn a_result_has_the_values_that_its_inputs_had_when_it_was_made() {
    assert_same(
        "import torch
w = torch.ones(1024, 1024, device='{device}')
rows = w[:2]
before = w * 2
w.add_(1)
after = w * 2
w[0] = 5
with_row = w.sum()
rows.mul_(3)
copied = torch.zeros(1024, 1024, device='{device}').copy_(w.t())
w.zero_()
print(before[0, 0].item(), after[0, 0].item(), with_row.item())
print(copied.sum().item(), rows.sum().item(), copied[5, :3].tolist())
w.add_(copied)
print(w[:3, 7].tolist(), bool((w == copied).all()))
",
    );
}

#[test]
fn a_training_prints_what_it_prints_on_the_cpu() {
    assert_same(
        "import torch
torch.manual_seed(0)
net = torch.nn.Sequential(
    torch.nn.Embedding(50, 64), torch.nn.LayerNorm(64), torch.nn.Linear(64, 512), torch.nn.GELU(),
    torch.nn.Linear(512, 50),
).to('{device}')
tokens = torch.arange(4096).remainder(50).to('{device}')
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
losses = []
for step in range(4):
    loss = torch.nn.functional.cross_entropy(net(tokens), tokens.flip(0))
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    losses.append(loss.detach())
print([round(it.item(), 3) for it in losses], round(norm.item(), 2))
",
    );
}

#[test]
fn a_label_out_of_range_is_asserted_at_the_same_line() {
    let source = "import torch
scores = torch.ones(4096, 1000, device='cuda') * 2
labels = torch.full((4096,), 1000, device='cuda')
loss = torch.nn.functional.cross_entropy(scores, labels)
torch.cuda.synchronize()
";
    let run = run_once(python_on("model:t4", source));
    let raised = run.raised().unwrap();
    let said = "It was queued on line 4: Target 1000 is out of bounds";
    assert!(raised.message.contains(said), "{}", raised.message);
    assert_eq!(raised.line, 5);
}

/// A chain of products of 3.5 GFLOP each. The time for values ends within it, though only the last line reads one.
#[test]
fn when_the_time_is_up_the_line_of_the_operation_is_told() {
    let source = "import torch
x = torch.eye(1200, device='cuda')
y = x
for step in range(400):
    y = y @ x
print('queued')
print(y[0, 0].item())
";
    let run = run_once(RunRequest {
        limits: Limits {
            time_ms: 6_000,
            ..Limits::default()
        },
        ..python_on("model:t4", source)
    });
    assert!(run.output.ends_with("nan\n"), "{}", run.output);
    let report = run.report.unwrap();
    let (line, why) = (5, MissingValues::OutOfTime);
    assert_eq!(report.not_computed, Some(NotComputed { line, why }));
    assert_eq!(report.unknown_read, [7]);
}

/// A stream reads too early what another one writes, and a graph is replayed with inputs that wait.
#[test]
fn streams_and_graphs_read_what_waits() {
    let source = "import torch
x = torch.ones(1024, 1024, device='cuda')
side = torch.cuda.Stream()
y = x * 3
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    z = y + 1
torch.cuda.current_stream().wait_stream(side)
print(z[0, 0].item())
static = torch.zeros(1024, 1024, device='cuda')
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    result = (static * 2).sum()
static.copy_(z * 2)
graph.replay()
first = result.clone()
static.copy_(z)
graph.replay()
print(first.item() / 2**20, result.item() / 2**20)
";
    let run = run_once(python_on("model:t4", source));
    assert_eq!(run.output, "4.0\n16.0 8.0\n");
}
