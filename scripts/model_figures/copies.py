"""Copies and an addition."""

import time

import torch

COUNT = 64 * 2**20
x = torch.empty(COUNT, device="cuda")


def timed(work):
    torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return time.perf_counter() - start


host = torch.empty(COUNT).pin_memory()
figure("pinned", 4 * COUNT / timed(lambda: host.to("cuda", non_blocking=True)) / 1e9)
figure("add", 3 * 4 * COUNT / timed(lambda: x + x) / 1e9)
