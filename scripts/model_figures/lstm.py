"""The forward pass of an LSTM of two layers of 512: 64 sequences of 100 steps of 256."""

import torch

net = torch.nn.LSTM(256, 512, 2, batch_first=True).to("cuda")
x = torch.zeros(64, 100, 256, device="cuda")
with torch.no_grad():
    figure("milliseconds", seconds(lambda: net(x), first=1, rounds=5) * 1e3)
