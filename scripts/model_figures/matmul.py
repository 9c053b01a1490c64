"""The rate of a square matrix product, timed as zzc0721/torch-performance-test-data does."""

import time

import torch

if TF32:
    torch.set_float32_matmul_precision("high")
a = torch.empty(SIZE, SIZE, dtype=getattr(torch, DTYPE), device="cuda")
b = torch.empty(SIZE, SIZE, dtype=getattr(torch, DTYPE), device="cuda")
for _ in range(6):
    torch.mm(a, b)
torch.cuda.synchronize()
start = time.perf_counter()
for _ in range(30):
    torch.mm(a, b)
torch.cuda.synchronize()
seconds = (time.perf_counter() - start) / 30
figure("seconds", seconds)
figure("TFLOP/s", 2 * SIZE**3 / seconds / 1e12)
