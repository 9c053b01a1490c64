"""A batch whose examples are copied to the card one by one."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss_fn = nn.CrossEntropyLoss()


def train_step(examples):
    inputs = torch.stack([it.to("cuda") for it, _ in examples])
    labels = torch.stack([it.to("cuda") for _, it in examples])
    loss = loss_fn(model(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


loader = [[(torch.randn(256), torch.tensor(it % 10)) for it in range(256)]] * 10
EXPECTED = "copy-small"
