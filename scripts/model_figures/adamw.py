"""A step of AdamW with so many parameters of `SIDE` x `SIDE`; `scripts/model-figures` sets what is in capitals."""

import torch

weights = [torch.nn.Parameter(torch.zeros(SIDE, SIDE, device="cuda")) for _ in range(COUNT)]
for it in weights:
    it.grad = torch.zeros_like(it)
optimizer = torch.optim.AdamW(weights, **HOW)
figure("microseconds", seconds(optimizer.step, first=1, rounds=5) * 1e6)
