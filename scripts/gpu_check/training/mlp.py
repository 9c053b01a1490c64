"""A perceptron of four layers: a step is products and Adam."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import classes, measure, numbers, set_weights

ROWS = 512
WIDTH = 1024
STEPS = 20

model = nn.Sequential(
    nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, 4 * WIDTH), nn.ReLU(),
    nn.Linear(4 * WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 10),
)  # fmt: skip
set_weights(model)
model.to("cuda")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
x, y = numbers(ROWS, WIDTH).to("cuda"), classes(10, ROWS).to("cuda")


def step():
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


measure(step, STEPS)
