"""How fast are large matrix products? In bfloat16, in float32, and in float32 by TF32."""
import torch

N = 8192
SAMPLES = 6
WARMUPS = 2
REPEATS = 4


def fill(dtype):
    # Random values: a card draws less power for zeros and ones, and is faster with them.
    return torch.rand(N // 8, N // 8).to("cuda").repeat(8, 8).to(dtype)


def measure(name, dtype):
    a, b = fill(dtype), fill(dtype)
    c = a @ b
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for sample in range(-WARMUPS, SAMPLES):
        start.record()
        for _ in range(REPEATS):
            c = a @ b
        end.record()
        torch.cuda.synchronize()
        if sample >= 0:
            seconds = start.elapsed_time(end) / 1e3 / REPEATS
            lab.metric(f"{name} #{sample}", 2 * N**3 / seconds / 1e12, "TFLOP/s")


torch.backends.cuda.matmul.allow_tf32 = False
measure("matmul bfloat16", torch.bfloat16)
measure("matmul float32", torch.float32)
torch.backends.cuda.matmul.allow_tf32 = True
measure("matmul TF32", torch.float32)
