"""A language model of two recurrent layers."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import classes, measure, set_weights

ROWS = 64
TOKENS = 64
VOCABULARY = 1000
WIDTH = 512
STEPS = 20

embed = nn.Embedding(VOCABULARY, WIDTH // 2)
recurrent = nn.LSTM(WIDTH // 2, WIDTH, 2, batch_first=True)
head = nn.Linear(WIDTH, VOCABULARY)
model = nn.ModuleList([embed, recurrent, head])
set_weights(model)
model.to("cuda")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
x, y = classes(VOCABULARY, ROWS, TOKENS).to("cuda"), classes(VOCABULARY, ROWS, TOKENS).to("cuda")


def step():
    optimizer.zero_grad()
    out, _ = recurrent(embed(x))
    loss = F.cross_entropy(head(out).reshape(-1, VOCABULARY), y.reshape(-1))
    loss.backward()
    optimizer.step()
    return loss


measure(step, STEPS)
