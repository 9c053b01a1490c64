"""A small residual network on small pictures."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import classes, measure, numbers, set_weights

ROWS = 128
SIDE = 32
WIDTH = 64
STEPS = 20


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.first_norm, self.second_norm = nn.BatchNorm2d(outputs), nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        inner = F.relu(self.first_norm(self.first(x)))
        return F.relu(self.second_norm(self.second(inner)) + self.skip(x))


model = nn.Sequential(
    nn.Conv2d(3, WIDTH, 3, 1, 1, bias=False), nn.BatchNorm2d(WIDTH), nn.ReLU(),
    Residual(WIDTH, WIDTH, 1), Residual(WIDTH, 2 * WIDTH, 2), Residual(2 * WIDTH, 4 * WIDTH, 2),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4 * WIDTH, 10),
)  # fmt: skip
set_weights(model)
model.to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
x, y = numbers(ROWS, 3, SIDE, SIDE).to("cuda"), classes(10, ROWS).to("cuda")


def step():
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


measure(step, STEPS)
