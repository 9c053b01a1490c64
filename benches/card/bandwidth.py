"""How fast does a card go through its own memory? One addition of two tensors of 1 GiB."""
import torch

N = 268435456
SAMPLES = 12
ADDITIONS = 8

a = torch.ones(N, device="cuda")
b = torch.ones(N, device="cuda")
c = a + b
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
for sample in range(-2, SAMPLES):
    start.record()
    for _ in range(ADDITIONS):
        c = a + b
    end.record()
    torch.cuda.synchronize()
    if sample >= 0:
        seconds = start.elapsed_time(end) / 1e3 / ADDITIONS
        # Two are read, one is written.
        lab.metric(f"add #{sample}", 3 * 4 * N / seconds / 1e9, "GB/s")
