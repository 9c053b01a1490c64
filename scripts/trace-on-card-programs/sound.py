"""Pinned batches, large layers, and a loss that stays on the card: nothing to find."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4096, 8192), nn.ReLU(), nn.Linear(8192, 4096), nn.ReLU(), nn.Linear(4096, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss_fn = nn.CrossEntropyLoss()
losses = []


def train_step(batch):
    inputs, labels = (it.to("cuda", non_blocking=True) for it in batch)
    loss = loss_fn(model(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.detach())


loader = [(torch.randn(4096, 4096).pin_memory(), torch.randint(0, 10, (4096,)).pin_memory()) for _ in range(10)]
EXPECTED = None
