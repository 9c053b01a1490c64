"""A U-Net that divides pictures into two parts: pooling, transposed convolutions, and skips that are joined."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import measure, numbers, set_weights

ROWS = 16
SIDE = 128
WIDTH = 32
STEPS = 20


def double(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
        nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
    )  # fmt: skip


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [WIDTH, 2 * WIDTH, 4 * WIDTH]
        self.down = nn.ModuleList(double(a, b) for a, b in zip([3, *widths], widths))
        self.middle = double(4 * WIDTH, 8 * WIDTH)
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * it, it, 2, stride=2) for it in reversed(widths))
        self.join = nn.ModuleList(double(2 * it, it) for it in reversed(widths))
        self.pool, self.head = nn.MaxPool2d(2), nn.Conv2d(WIDTH, 1, 1)

    def forward(self, x):
        skips = []
        for block in self.down:
            x = block(x)
            skips.append(x)
            x = self.pool(x)
        x = self.middle(x)
        for up, join, skip in zip(self.up, self.join, reversed(skips)):
            x = join(torch.cat([skip, up(x)], dim=1))
        return self.head(x)


model = UNet()
set_weights(model)
model.to("cuda")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
x = numbers(ROWS, 3, SIDE, SIDE).to("cuda")
y = (F.avg_pool2d(x, 9, stride=1, padding=4).mean(dim=1, keepdim=True) > 0).float()


def step():
    optimizer.zero_grad()
    loss = F.binary_cross_entropy_with_logits(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


measure(step, STEPS)
