"""Many tiny layers, and an optimizer with a kernel for each operation on each parameter."""

import torch
from torch import nn

layers = [layer for _ in range(30) for layer in (nn.Linear(64, 64), nn.LayerNorm(64), nn.GELU())]
model = nn.Sequential(*layers).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, foreach=False)


def train_step(inputs):
    loss = model(inputs).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


loader = [torch.randn(32, 64, device="cuda")] * 10
EXPECTED = "launch-bound"
