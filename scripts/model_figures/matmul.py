"""The rate of a square matrix product, timed as zzc0721/torch-performance-test-data does."""

import torch

if TF32:
    torch.set_float32_matmul_precision("high")
a = torch.empty(SIZE, SIZE, dtype=getattr(torch, DTYPE), device="cuda")
b = torch.empty(SIZE, SIZE, dtype=getattr(torch, DTYPE), device="cuda")
took = seconds(lambda: torch.mm(a, b), first=6, rounds=30)
figure("seconds", took)
figure("TFLOP/s", 2 * SIZE**3 / took / 1e12)
