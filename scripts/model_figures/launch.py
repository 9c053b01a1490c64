"""What the host takes to queue a small kernel."""

import time

import torch

x = torch.zeros(8, 8, device="cuda")
start = time.perf_counter()
for _ in range(1000):
    x.add_(1)
# A line of Python, the head of the loop, is no part of it.
figure("microseconds", (time.perf_counter() - start) / 1000 * 1e6)
