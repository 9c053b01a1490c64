//! What cuDNN needs besides tensors on a modelled card: workspaces of convolutions, and what recurrent layers keep.

use super::run_on;
use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_lab::plan::{self, Verdict};
use warpup_lab::run::Run;
use warpup_protocol::{Aim, Purpose, RunRequest};

fn plan_on(card: &str, source: &str) -> Run {
    run_once(RunRequest {
        aim: Aim::Plan,
        ..python_on(&format!("model:{card}"), source)
    })
}

/// `extra(work)`: MiB that some work holds at most, and afterwards, besides its result.
const EXTRA: &str = r#"
import torch
from torch import cuda, nn
F = nn.functional
def extra(work):
    cuda.synchronize()
    cuda.reset_peak_memory_stats()
    before = cuda.memory_allocated()
    result = work()
    most, now = cuda.max_memory_allocated() - before, cuda.memory_allocated() - before
    del result
    print((most - now) >> 20, (now + (1 << 19)) >> 20)
"#;

fn printed(card: &str, source: &str) -> String {
    run_on(card, &format!("{EXTRA}{source}")).output
}

/// The last layers of ResNet-50, for a batch of 128: PyTorch 2.11 on an H200 held 5.3 GiB more than tensors.
#[test]
fn a_benchmark_holds_the_largest_workspace_of_each_shape_once() {
    let output = printed(
        "h200",
        r#"
x = torch.ones(128, 512, 7, 7, device="cuda")
w = torch.ones(2048, 512, 1, 1, device="cuda")
extra(lambda: F.conv2d(x, w))
torch.backends.cudnn.benchmark = True
extra(lambda: F.conv2d(x, w))
# The cache is emptied after it.
print(cuda.memory_reserved() < 200 << 20)
extra(lambda: F.conv2d(x, w))
with torch.backends.cudnn.flags(enabled=False, benchmark=True):
    extra(lambda: F.conv2d(x[:64], w))
with torch.backends.cudnn.flags(enabled=True, benchmark=True):
    extra(lambda: F.conv2d(x[:64], w))
"#,
    );
    assert_eq!(output, "0 50\n5712 50\nTrue\n0 50\n0 25\n5032 25\n");
}

/// The first layer of ResNet-18 with AMP, for a batch of 512: three channels are padded to eight, and the result is as large as
/// itself.
#[test]
fn tensor_cores_need_copies_with_the_channels_side_by_side() {
    let source = r#"
x = torch.empty(512, 3, 224, 224, device="cuda", dtype=torch.float16)
conv = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False, device="cuda", dtype=torch.float16)
with torch.no_grad():
    extra(lambda: conv(x))
    torch.backends.cudnn.benchmark = True
    extra(lambda: conv(x))
    extra(lambda: conv(x))
"#;
    assert_eq!(printed("h200", source), "1176 784\n2976 784\n1176 784\n");
    let float32 = source.replace("float16", "float32");
    assert!(printed("t4", &float32).starts_with("0 1568\n"));
}

/// PyTorch takes an algorithm that needs less, so that a program which fits without workspaces runs.
#[test]
fn a_workspace_without_room_is_left_out_and_told() {
    let source = r#"
import torch
held = torch.empty(13, 2**30, dtype=torch.uint8, device="cuda")
x = torch.ones(128, 512, 7, 7, device="cuda")
w = torch.ones(2048, 512, 1, 1, device="cuda")
torch.backends.cudnn.benchmark = True
y = torch.nn.functional.conv2d(x, w)
print((torch.cuda.max_memory_allocated() - torch.cuda.memory_allocated()) >> 20)
"#;
    // 5712 MiB, halved until there is room.
    assert_eq!(run_on("t4", source).output, "1428\n");
    let run = plan_on("t4", source);
    let Verdict::FitsWithoutWorkspaces { bound, .. } = plan::verdict(&run) else {
        panic!("{run:?}");
    };
    assert_eq!((bound.line, bound.bytes >> 20), (7, 5712));
    let large = plan_on("h100", source);
    assert!(matches!(plan::verdict(&large), Verdict::Fits { .. }));
    let memory = large.report.unwrap().memory.unwrap();
    assert_eq!(memory.peak.of(Purpose::CudnnWorkspace) >> 20, 5712);
    let bound = memory.convolution_workspace.unwrap();
    assert_eq!((memory.peak_line, bound.line, bound.fits), (7, 7, true));
}

/// In units of a hidden state for all steps, which is 1 MiB: an LSTM keeps four gates and the cell state of each layer, a GRU
/// six numbers, and the output of all layers but the last. pytorch/pytorch, issue 2895, has the reserves in bytes.
#[test]
fn recurrent_layers_keep_a_reserve_until_backward() {
    let source = |layer: &str| {
        format!(
            r#"
x = torch.empty(32, 16, 64, device="cuda")
layer = nn.{layer}.cuda()
def kept():
    cuda.synchronize()
    before = cuda.memory_allocated()
    out, _ = layer(x)
    during = cuda.memory_allocated() - before
    if out.requires_grad:
        out.sum().backward()
        layer.zero_grad()
    return during >> 20
print(kept())
layer.eval()
print(kept())
layer.train()
with torch.no_grad():
    print(kept())
"#
        )
    };
    let kept = |layer: &str| {
        let output = printed("h200", &source(layer));
        let numbers: Vec<u64> = output.lines().map(|it| it.parse().unwrap()).collect();
        numbers
    };
    let [train, eval, without] = kept("LSTM(64, 512, 2)")[..] else {
        panic!()
    };
    // The allocator does not split off a remainder of less than a mebibyte.
    assert!((10..=12).contains(&(train - eval)), "{train} {eval}");
    assert!(without <= eval, "{without} {eval}");
    let [train, eval, _] = kept("GRU(64, 512, 2, bidirectional=True)")[..] else {
        panic!()
    };
    assert!((24..=28).contains(&(train - eval)), "{train} {eval}");
    let [train, eval, _] = kept("RNN(64, 512)")[..] else {
        panic!()
    };
    assert!((1..=2).contains(&(train - eval)), "{train} {eval}");
}

/// PyTorch 2.11 on an H200 holds 326 MiB, of which 65 are the workspaces of cuBLAS that it keeps.
#[test]
fn a_step_of_an_lstm_holds_what_it_holds_on_a_card() {
    let run = run_on(
        "h200",
        r#"
import torch
from torch import nn
emb, rnn, head = nn.Embedding(1000, 256).cuda(), nn.LSTM(256, 512, 2, batch_first=True).cuda(), nn.Linear(512, 1000).cuda()
optimizer = torch.optim.Adam([*emb.parameters(), *rnn.parameters(), *head.parameters()])
x = torch.zeros(64, 64, dtype=torch.int64, device="cuda")
for step in range(2):
    optimizer.zero_grad()
    out, _ = rnn(emb(x))
    nn.functional.cross_entropy(head(out).reshape(-1, 1000), x.reshape(-1)).backward()
    optimizer.step()
"#,
    );
    let memory = run.report.unwrap().memory.unwrap();
    let kept = memory.kept_before_2_15.unwrap();
    assert_eq!(kept.bytes >> 20, 65);
    let ratio = (kept.peak_live >> 20) as f64 / 325.9;
    assert!((0.98..1.1).contains(&ratio), "{ratio}");
}
