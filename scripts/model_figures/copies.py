"""Copies and an addition."""

import torch

COUNT = 64 * 2**20
x = torch.empty(COUNT, device="cuda")
host = torch.empty(COUNT).pin_memory()
figure("pinned", 4 * COUNT / seconds(lambda: host.to("cuda", non_blocking=True)) / 1e9)
figure("add", 3 * 4 * COUNT / seconds(lambda: x + x) / 1e9)
