"""What the model of a card is made of, one figure each: tiles and waves, alignment, attention, memory access, optimizers, host calls."""
import torch
from time import perf_counter
from torch import nn
from torch.nn import functional as F

N = 8192
SAMPLES = 6
WARMUPS = 2
REPEATS = 10

torch.backends.cuda.matmul.allow_tf32 = True
SHAPE = (N, N // 4)


def timed(name, work, per=REPEATS):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for sample in range(-WARMUPS, SAMPLES):
        start.record()
        for _ in range(per):
            work()
        end.record()
        torch.cuda.synchronize()
        if sample >= 0:
            lab.metric(f"{name} #{sample}", start.elapsed_time(end) * 1e3 / per, "us")


def hosted(name, work, per=20 * REPEATS):
    for sample in range(-WARMUPS, SAMPLES):
        torch.cuda.synchronize()
        start = perf_counter()
        for _ in range(per):
            work()
        queued = perf_counter() - start
        torch.cuda.synchronize()
        if sample >= 0:
            lab.metric(f"{name} #{sample}", queued / per * 1e6, "us")


def product(rows, inner, columns, dtype):
    a, b = torch.rand(rows, inner, device="cuda").to(dtype), torch.rand(inner, columns, device="cuda").to(dtype)
    return lambda: a @ b


for size in (N // 16, N // 8, N // 4):
    timed(f"product of {size} cubed, float16", product(size, size, size, torch.float16))
    timed(f"product of {size} cubed, TF32", product(size, size, size, torch.float32))
timed("product to 6 N + 1105 columns, bfloat16", product(N // 8, N // 8, 6 * N + 1105, torch.bfloat16))
timed("product to 6 N + 1152 columns, bfloat16", product(N // 8, N // 8, 6 * N + 1152, torch.bfloat16))

x = torch.rand(SHAPE, device="cuda")
timed("sum over rows", lambda: x.sum(1))
timed("sum over columns", lambda: x.sum(0))
timed("copy of a transposed tensor", lambda: x.t().contiguous())
timed("softmax", lambda: x.softmax(1))
timed("layer norm", lambda: F.layer_norm(x, SHAPE[1:]))
timed("gelu", lambda: F.gelu(x))

q = torch.rand(4, 16, N // 8, 64, device="cuda").to(torch.bfloat16)
timed("causal attention", lambda: F.scaled_dot_product_attention(q, q, q, is_causal=True))
pictures, kernel = torch.rand(32, N // 64, 28, 28, device="cuda"), torch.rand(N // 64, N // 64, 3, 3, device="cuda")
timed("convolution of 3 x 3", lambda: F.conv2d(pictures, kernel, padding=1))


def stepper(**how):
    weights = [nn.Parameter(torch.rand(N // 8, N // 8, device="cuda")) for _ in range(16)]
    for it in weights:
        it.grad = torch.rand_like(it)
    optimizer = torch.optim.AdamW(weights, **how)
    optimizer.step()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    optimizer.step()
    lab.metric(f"memory of AdamW's step, {how}", torch.cuda.max_memory_allocated() - before, "B")
    return optimizer.step


timed("AdamW, foreach", stepper())
timed("AdamW, fused", stepper(fused=True))
timed("AdamW, one by one", stepper(foreach=False))

small, layer = torch.rand(4, 4, device="cuda"), nn.Linear(4, 4).to("cuda")
with torch.no_grad():
    hosted("host: an addition", lambda: small + small)
    hosted("host: a view", lambda: small.view(16))
    hosted("host: a linear layer", lambda: layer(small))
