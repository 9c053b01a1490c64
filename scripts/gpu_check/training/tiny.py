"""A network of two small layers: a step is the time of the host."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import measure, numbers, set_weights

STEPS = 300

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
set_weights(model)
model.to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = numbers(4, 8).to("cuda"), torch.tensor([0, 2, 1, 0], device="cuda")


def step():
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


measure(step, STEPS)
