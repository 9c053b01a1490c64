//! The kernels, the memory and the time of layers, losses, streams and mixed precision on a modelled card.

use super::{kernels_of_line, run_on};
use crate::support::lab_runner::{outcome, run_once};
use crate::support::request::python;
use warpup_lab::run::Run;
use warpup_protocol::{Lane, Outcome};

#[test]
fn layers_and_losses_run_the_kernels_that_pytorch_runs() {
    let run = run_on(
        "t4",
        r#"import torch
F = torch.nn.functional
x = torch.ones(8, 16, device="cuda", requires_grad=True)
w = torch.ones(4, 16, device="cuda", requires_grad=True)
b = torch.zeros(4, device="cuda", requires_grad=True)
t = torch.zeros(8, dtype=torch.int64, device="cuda")
y = F.linear(x, w, b)
loss = F.cross_entropy(y, t)
loss.backward()
y = F.dropout(F.layer_norm(F.gelu(x), (16,)))
y.backward(torch.ones_like(y))
q = torch.ones(1, 2, 8, 4, device="cuda", requires_grad=True)
F.scaled_dot_product_attention(q, q, q, is_causal=True)
"#,
    );
    insta::assert_snapshot!(kernels_of_line(&run, 7), @"addmm");
    insta::assert_snapshot!(kernels_of_line(&run, 8), @"log_softmax nll_loss");
    insta::assert_snapshot!(kernels_of_line(&run, 9), @"fill nll_loss_backward log_softmax_backward matmul matmul sum");
    insta::assert_snapshot!(kernels_of_line(&run, 10), @"gelu native_layer_norm native_dropout");
    insta::assert_snapshot!(kernels_of_line(&run, 13), @"scaled_dot_product_attention");
}

#[test]
fn fused_attention_holds_no_scores_and_attention_by_hand_does() {
    let program = |attend: &str| {
        format!(
            r#"import torch
q = torch.ones(1, 1, 4096, 64, device="cuda", requires_grad=True)
torch.cuda.reset_peak_memory_stats()
y = {attend}
print(torch.cuda.max_memory_allocated())
"#
        )
    };
    let fused = run_on(
        "a100",
        &program("torch.nn.functional.scaled_dot_product_attention(q, q, q)"),
    );
    let by_hand = run_on("a100", &program("(q @ q.mT / 8).softmax(-1) @ q"));
    let bytes = |run: &Run| run.output.trim().parse::<u64>().unwrap();
    // Query and result are 1 MiB each, the scores of one head 64 MiB.
    assert_eq!(bytes(&fused), 2 << 20);
    assert!(bytes(&by_hand) > 128 << 20, "{}", by_hand.output);
}

#[test]
fn the_implementation_of_attention_shows_in_time_and_in_memory() {
    let run = run_on(
        "h200",
        r#"import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
F = torch.nn.functional
q = torch.ones(32, 32, 1024, 32, dtype=torch.float16, device="cuda")
torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")
def attend(backend, q=q, **more):
    with sdpa_kernel(backend), torch.no_grad():
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        F.scaled_dot_product_attention(q, q, q, **more)
        end.record()
        torch.cuda.synchronize()
        peak = torch.cuda.max_memory_allocated() - before
        return start.elapsed_time(end), peak / 2**20
def near(took, measured):
    return 0.7 < took / measured < 1.35
math, scores = attend(SDPBackend.MATH)
efficient, held = attend(SDPBackend.EFFICIENT_ATTENTION)
flash, held_too = attend(SDPBackend.FLASH_ATTENTION)
# What an H200 took with PyTorch 2.11, in ms. The scores of all heads are 2 GiB, the result is 64 MiB.
print(near(math, 13.846), near(efficient, 1.953), near(flash, 0.715), scores > 2048, held, held_too)
every = [SDPBackend.MATH, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.FLASH_ATTENTION]
mask = torch.ones(1024, 1024, dtype=torch.bool, device="cuda")
print(near(attend(every)[0], flash), near(attend(every, attn_mask=mask)[0], efficient))
# Fused kernels take four dimensions.
print(attend(every, q=q[0])[1] > 64)
torch.backends.cuda.enable_flash_sdp(False)
print(torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.math_sdp_enabled())
try:
    attend(SDPBackend.FLASH_ATTENTION, q=q.float())
except RuntimeError as error:
    print(error)
"#,
    );
    insta::assert_snapshot!(run.output, @"
    True True True True 64.0 64.0
    True True
    True
    False True
    No available kernel. Aborting execution.
    ");
}

#[test]
fn the_first_product_starts_cublas_and_the_next_does_not() {
    let run = run_on(
        "h200",
        r#"import time, torch
a = torch.ones(8, 8, device="cuda")
torch.cuda.synchronize()
for _ in range(2):
    start = time.perf_counter()
    a @ a
    print(f"{(time.perf_counter() - start) * 1e3:.0f} ms")
start = time.perf_counter()
kept = torch.empty(2**28, device="cuda")
print(f"cudaMalloc: {(time.perf_counter() - start) * 1e5:.0f}0 us")
del kept
start = time.perf_counter()
torch.cuda.empty_cache()
print(f"cudaFree: {(time.perf_counter() - start) * 1e5:.0f}0 us")
"#,
    );
    insta::assert_snapshot!(run.output, @"
    116 ms
    0 ms
    cudaMalloc: 270 us
    cudaFree: 410 us
    ");
}

#[test]
fn a_mask_of_dropout_takes_a_byte_an_element() {
    let run = run_on(
        "t4",
        r#"import torch
x = torch.ones(1024, 1024, device="cuda", requires_grad=True)
before = torch.cuda.memory_allocated()
y = torch.nn.functional.dropout(x)
print((torch.cuda.memory_allocated() - before) / 2**20)
"#,
    );
    assert_eq!(run.output, "5.0\n");
}

#[test]
fn memory_that_is_pinned_is_not_pinned_again() {
    let run = run_on(
        "t4",
        "import torch
x = torch.ones(1000, 1000)
y = x.pin_memory()
print(y.pin_memory() is y, y is x)
",
    );
    assert_eq!(run.output, "True False\n");
    assert_eq!(run.spans.iter().filter(|it| it.line == 4).count(), 0);
}

/// As `expandTensors` in PyTorch's `IndexingUtils.h`.
#[test]
fn the_positions_of_a_mask_on_the_cpu_are_copied_at_once() {
    let run = run_on(
        "t4",
        r#"import torch
x = torch.arange(12.0, device="cuda").reshape(3, 4)
mask = torch.arange(12).reshape(3, 4) % 3 == 0
print(x[mask].tolist(), x[1:][mask[1:, 0]].tolist())
y = x[mask]
y = x[torch.tensor([True, False, True])]
x[mask] = 1.0
y = x[torch.zeros(3, dtype=torch.bool)]
print(x.sum().item(), y.shape)
"#,
    );
    assert_eq!(
        run.output,
        "[0.0, 3.0, 6.0, 9.0] []\n52.0 torch.Size([0, 4])\n"
    );
    let copies = |line| {
        let on = run.spans.iter().filter(|it| it.lane == Lane::CopyToDevice);
        let bytes = on.filter(|it| it.line == line).map(|it| it.bytes);
        bytes.collect::<Vec<_>>()
    };
    // Four positions in two dimensions; two in one; none.
    assert_eq!(copies(5), [64]);
    assert_eq!(copies(6), [16]);
    assert_eq!(copies(7), [64]);
    assert_eq!(copies(8), [0; 0]);
}

#[test]
fn copies_on_another_stream_overlap_with_kernels() {
    let run = run_on(
        "t4",
        r#"import torch
x = torch.ones(1024, 1024, device="cuda")
batch = torch.ones(1024, 1024).pin_memory()
side = torch.cuda.Stream()


def took(stream):
    torch.cuda.synchronize()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    with torch.cuda.stream(stream):
        there = batch.to("cuda", non_blocking=True)
    for _ in range(4):
        y = x @ x
    torch.cuda.current_stream().wait_stream(side)
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


alone, beside = took(None), took(side)
print(beside < alone, torch.cuda.current_stream() == torch.cuda.default_stream())
"#,
    );
    assert_eq!(run.output, "True True\n");
}

#[test]
fn tf32_is_faster_where_a_card_has_units_for_it() {
    let program = r#"import torch
x = torch.ones(2048, 2048, device="cuda")


def took():
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    y = x @ x
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


took()
exact = took()
torch.set_float32_matmul_precision("high")
print(exact > 4 * took(), torch.backends.cuda.matmul.allow_tf32)
"#;
    assert_eq!(run_on("a100", program).output, "True True\n");
    assert_eq!(run_on("t4", program).output, "False True\n");
}

/// cuDNN takes the faster units by default, and the switch of matrix products does not concern it.
#[test]
fn convolutions_and_recurrent_layers_take_tf32_unless_it_is_forbidden() {
    let program = r#"import torch
from torch import nn
conv = nn.Conv2d(256, 256, 3, padding=1, device="cuda")
image = torch.ones(32, 256, 32, 32, device="cuda")
lstm = nn.LSTM(512, 512, device="cuda")
words = torch.ones(64, 64, 512, device="cuda")


def took(layer, x):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with torch.no_grad():
        start.record()
        layer(x)
        end.record()
        end.synchronize()
    return start.elapsed_time(end)


took(conv, image), took(lstm, words)
fast = took(conv, image), took(lstm, words)
torch.backends.cudnn.allow_tf32 = False
slow = took(conv, image), took(lstm, words)
print(slow[0] > 2 * fast[0], slow[1] > fast[1], torch.backends.cuda.matmul.allow_tf32)
with torch.backends.cudnn.flags(enabled=True, allow_tf32=True):
    print(1.5 * took(conv, image) < slow[0])
print(torch.backends.cudnn.allow_tf32)
"#;
    let run = run_on("a100", program);
    assert_eq!(run.output, "True True False\nTrue\nFalse\n");
    let on_t4 = run_on("t4", program).output;
    assert!(on_t4.starts_with("False False"), "{on_t4}");
}

#[test]
fn autocast_on_a_card_follows_its_lists_of_operations() {
    let run = run_on(
        "t4",
        r#"import torch
F = torch.nn.functional
x = torch.ones(4, 8, device="cuda")
layer = torch.nn.Linear(8, 8).cuda()
with torch.autocast("cuda"):
    y = layer(layer(x))
    some = (y, y.softmax(-1), y.sum(), y.mean(), y.exp(), F.layer_norm(y, (8,)), y + x, F.mse_loss(y, y))
    print([str(it.dtype)[6:] for it in some])
some[-1].backward()
print(layer.weight.grad.dtype)
with torch.cuda.amp.autocast():
    try:
        F.binary_cross_entropy(y.sigmoid(), y.sigmoid())
    except RuntimeError as error:
        print(str(error).split("\n")[0])
"#,
    );
    insta::assert_snapshot!(run.output, @"
    ['float16', 'float32', 'float32', 'float16', 'float32', 'float32', 'float32', 'float32']
    torch.float32
    torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.
    ");
    // Weight and bias are cast once, though the layer is used twice; and the input.
    assert_eq!(kernels_of_line(&run, 6), "to to to addmm addmm");
}

#[test]
fn an_unknown_name_gets_the_nearest_known_one_as_a_hint() {
    let run = run_on(
        "t4",
        r#"import torch
from torch import nn, optim

for look in (
    lambda: torch.sotfmax, lambda: nn.Linaer, lambda: nn.FractionalMaxPool2d, lambda: optim.Adamw, lambda: torch.cuda.syncronize,
    lambda: nn.functional.crossentropy, lambda: torch.nothing_like_it,
):
    try:
        look()
    except AttributeError as error:
        print(error)
"#,
    );
    insta::assert_snapshot!(run.output, @"
    module 'torch' has no attribute 'sotfmax': did you mean `softmax`?
    module 'torch.nn' has no attribute 'Linaer': did you mean `Linear`?
    module 'torch.nn' has no attribute 'FractionalMaxPool2d': it is not part of warpup; PyTorch has it as torch.nn.FractionalMaxPool2d
    module 'torch.optim' has no attribute 'Adamw': did you mean `AdamW`?
    module 'torch.cuda' has no attribute 'syncronize': did you mean `synchronize`?
    module 'torch.nn.functional' has no attribute 'crossentropy': did you mean `cross_entropy`?
    module 'torch' has no attribute 'nothing_like_it': neither warpup nor PyTorch has it
    ");
}

/// Both warpup and the interpreter could add a hint.
#[test]
fn a_near_name_is_suggested_once() {
    let run = run_once(python("import torch\ntorch.sofmax(1)\n"));
    let Outcome::Raised(raised) = outcome(&run) else {
        panic!("{run:?}");
    };
    assert_eq!(
        raised.traceback.matches("id you mean").count(),
        1,
        "{raised:?}"
    );
}
