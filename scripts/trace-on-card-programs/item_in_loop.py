"""An evaluation that reads each loss."""

import torch
from torch import nn

model = nn.Linear(8192, 8192, bias=False).cuda()
total = 0.0


@torch.no_grad()
def train_step(batch):
    global total
    for inputs in batch:
        total += model(inputs).square().mean().item()


inputs = torch.randn(256, 8192, device="cuda")
loader = [[inputs] * 10] * 10
EXPECTED = "wait-item"
