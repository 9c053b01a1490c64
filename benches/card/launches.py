"""How many tiny operations a second can the host queue? Additions of 16 numbers, with no wait between."""
import torch
from time import perf_counter

N = 10000
SAMPLES = 6
WARMUPS = 2

a = torch.ones(16, device="cuda")
for sample in range(-WARMUPS, SAMPLES):
    torch.cuda.synchronize()
    start = perf_counter()
    for _ in range(N):
        a + a
    queued = perf_counter()
    torch.cuda.synchronize()
    done = perf_counter()
    if sample >= 0:
        lab.metric(f"launches #{sample}", N / (done - start), "/s")
        lab.metric(f"time of the host #{sample}", (queued - start) / N * 1e6, "us")
