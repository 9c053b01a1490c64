//! CUDA graphs: nothing runs while one is captured, and a replay is one call of the host.

use super::{kernels_of_line, run_on};
use warpup_protocol::Span;

/// The warm-up of PyTorch's documentation, then a capture of `body` on the default capture stream.
fn captured(before: &str, body: &str, after: &str) -> String {
    let indented: Vec<String> = body.lines().map(|it| format!("    {it}\n")).collect();
    let indented = indented.concat();
    format!(
        "import torch
{before}
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        pass
torch.cuda.current_stream().wait_stream(side)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
{indented}{after}
"
    )
}

#[test]
fn a_replay_computes_again_from_what_the_inputs_hold() {
    let run = run_on(
        "h200",
        &captured(
            "x = torch.ones(4, device='cuda')",
            "y = x * 2 + 1\nprint(torch.cuda.is_current_stream_capturing())",
            "before = y.tolist()
x.fill_(3)
graph.replay()
print(before, y, torch.cuda.is_current_stream_capturing())
x.add_(1)
graph.replay()
print(y[1:3].tolist())",
        ),
    );
    insta::assert_snapshot!(run.output, @r"
    True
    [0.0, 0.0, 0.0, 0.0] tensor([7., 7., 7., 7.], device='cuda:0') False
    [9.0, 9.0]
    ");
}

#[test]
fn a_replay_is_one_call_of_the_host_and_all_kernels_of_the_card() {
    let chain = "y = x\nfor _ in range(50):\n    y = y * 2";
    let run = run_on(
        "h200",
        &captured(
            "x = torch.ones(4, device='cuda')",
            chain,
            "graph.replay()\ntorch.cuda.synchronize()",
        ),
    );
    let lines = u32::try_from(captured("", chain, "").lines().count()).unwrap();
    assert_eq!(kernels_of_line(&run, lines), ["mul"; 50].join(" "));
    let launches: Vec<&Span> = run
        .spans
        .iter()
        .filter(|it| it.name == Span::GRAPH_LAUNCH)
        .collect();
    let [launch] = launches.as_slice() else {
        panic!("{launches:?}");
    };
    assert_eq!(launch.end_ns - launch.start_ns, 10_050);
    let kernels = super::kernels(&run).filter(|it| it.line == lines);
    let device_ns: u64 = kernels.map(|it| it.end_ns - it.start_ns).sum();
    assert_eq!(device_ns, 50 * 900);
}

#[test]
fn a_training_step_with_dropout_trains_as_it_does_without_a_graph() {
    let run = run_on(
        "t4",
        r#"import torch
from torch import nn

def losses(graphed, make):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(16, 8), nn.Dropout(0.2), nn.Linear(8, 4)).cuda()
    optimizer = make(net.parameters())
    x, target = torch.randn(32, 16, device="cuda"), torch.randn(32, 4, device="cuda")
    data = [torch.randn(32, 16, device="cuda") for _ in range(4)]

    def step():
        loss = nn.functional.mse_loss(net(x), target)
        loss.backward()
        optimizer.step()
        return loss

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            optimizer.zero_grad(set_to_none=True)
            step()
    torch.cuda.current_stream().wait_stream(side)
    found = []
    optimizer.zero_grad(set_to_none=True)
    if graphed:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = step()
    for it in data:
        x.copy_(it)
        if graphed:
            graph.replay()
        else:
            optimizer.zero_grad(set_to_none=True)
            loss = step()
        found.append(loss.item())
    return found

for name, make in (
    ("SGD", lambda it: torch.optim.SGD(it, lr=0.1, momentum=0.9)),
    ("AdamW", lambda it: torch.optim.AdamW(it, lr=0.01, capturable=True)),
    ("for each", lambda it: torch.optim.AdamW(it, lr=0.01, capturable=True, foreach=False)),
    ("fused", lambda it: torch.optim.Adam(it, lr=0.01, capturable=True, fused=True)),
):
    plain, replayed = losses(False, make), losses(True, make)
    print(name, plain == replayed, len(set(plain)))
"#,
    );
    insta::assert_snapshot!(run.output, @r"
    SGD True 4
    AdamW True 4
    for each True 4
    fused True 4
    ");
}

#[test]
fn graphed_callables_have_the_results_and_the_gradients_of_a_module() {
    let run = run_on(
        "t4",
        r#"import torch
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2)).cuda()
x = torch.randn(4, 8, device="cuda")
wanted = net(x)
wanted.sum().backward()
grads = [it.grad.clone() for it in net.parameters()]
net.zero_grad()
net = torch.cuda.make_graphed_callables(net, (torch.randn(4, 8, device="cuda"),))
found = net(x)
found.sum().backward()
print(torch.equal(wanted, found), all(torch.equal(it.grad, grad) for it, grad in zip(net.parameters(), grads)))
"#,
    );
    assert_eq!(run.output, "True True\n");
}

#[test]
fn what_waits_for_the_card_ends_a_capture_in_pytorchs_words() {
    let run = run_on(
        "t4",
        r#"import torch
x = torch.ones(4, device="cuda")
adam = torch.optim.Adam([torch.ones(2, device="cuda", requires_grad=True)])
for call in (
    lambda: x.sum().item(), lambda: x.cpu(), lambda: torch.cuda.synchronize(), lambda: torch.tensor([1.0], device="cuda"),
    lambda: torch.ones(2).pin_memory(), lambda: (x * 2, adam.step()),
):
    try:
        with torch.cuda.graph(torch.cuda.CUDAGraph()):
            call()
    except RuntimeError as error:
        inner = error.__context__ or error
        print(type(error).__name__, "|", str(inner).splitlines()[0], "|", str(error).splitlines()[0])
for call in (lambda: torch.cuda.CUDAGraph().replay(), lambda: torch.cuda.CUDAGraph().capture_begin()):
    try:
        call()
    except RuntimeError as error:
        print(error)
print(torch.cuda.is_current_stream_capturing(), (x * 2).sum().item())
"#,
    );
    insta::assert_snapshot!(run.output, @r"
    AcceleratorError | CUDA error: operation not permitted when stream is capturing | CUDA error: operation failed due to a previous error during capture
    AcceleratorError | CUDA error: operation not permitted when stream is capturing | CUDA error: operation failed due to a previous error during capture
    AcceleratorError | CUDA error: operation not permitted when stream is capturing | CUDA error: operation failed due to a previous error during capture
    AcceleratorError | CUDA error: operation not permitted when stream is capturing | CUDA error: operation failed due to a previous error during capture
    AcceleratorError | CUDA error: operation not permitted when stream is capturing | CUDA error: operation failed due to a previous error during capture
    RuntimeError | Attempting CUDA graph capture of step() for an instance of Adam but param_groups' capturable is False. | Attempting CUDA graph capture of step() for an instance of Adam but param_groups' capturable is False.
    Called CUDAGraph::replay without a preceding successful capture.
    CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on the default stream.)
    False 8.0
    ");
}

#[test]
fn the_memory_of_a_graph_is_a_pool_of_its_own_until_it_goes() {
    let run = run_on(
        "t4",
        &captured(
            "MiB = 2**20\nx = torch.ones(MiB, device='cuda')",
            "y = (x * 2).exp()",
            "print(torch.cuda.memory_allocated() // MiB, torch.cuda.memory_reserved() // MiB)
print([it['total_size'] // MiB for it in torch.cuda.memory_snapshot(graph.pool())])
del y
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() // MiB, torch.cuda.memory_reserved() // MiB)
graph.reset()
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() // MiB, torch.cuda.memory_reserved() // MiB)",
        ),
    );
    insta::assert_snapshot!(run.output, @r"
    8 40
    [20]
    4 40
    4 20
    ");
}

/// The notes of a graph whose input another stream fills.
fn notes_of_a_fill(wait: &str) -> Vec<String> {
    let run = run_on(
        "t4",
        &captured(
            "x = torch.ones(4, device='cuda')\nbig = torch.ones(4096, 4096, device='cuda')",
            "y = x * 2 + 1",
            &format!(
                "with torch.cuda.stream(side):
    big @ big
    x.fill_(3)
{wait}
graph.replay()
print(y.tolist())
with torch.cuda.stream(side):
    side.wait_stream(torch.cuda.default_stream())
    z = y + 1
    print(z.tolist())"
            ),
        ),
    );
    let notes = run.report.unwrap().notes;
    let first = |it: &String| it.split(", by the times").next().unwrap().to_owned();
    run.output
        .lines()
        .map(str::to_owned)
        .chain(notes.iter().map(first))
        .collect()
}

#[test]
fn a_replay_reads_what_was_there_before_another_stream_has_written() {
    insta::assert_debug_snapshot!(notes_of_a_fill(""), @r#"
    [
        "[3.0, 3.0, 3.0, 3.0]",
        "[4.0, 4.0, 4.0, 4.0]",
        "line 17 read what line 15 had not written yet in another stream",
    ]
    "#);
    insta::assert_debug_snapshot!(
        notes_of_a_fill("torch.cuda.current_stream().wait_stream(side)"),
        @r#"
    [
        "[7.0, 7.0, 7.0, 7.0]",
        "[8.0, 8.0, 8.0, 8.0]",
    ]
    "#
    );
}
