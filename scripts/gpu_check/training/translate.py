"""An encoder and a decoder of gated recurrent units, with attention between them and clipped gradients."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import classes, measure, set_weights

ROWS = 64
TOKENS = 32
VOCABULARY = 2000
WIDTH = 256
STEPS = 20


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(VOCABULARY, WIDTH)
        self.encoder = nn.GRU(WIDTH, WIDTH, 2, batch_first=True)
        self.decoder = nn.GRU(WIDTH, WIDTH, 2, batch_first=True)
        self.mix, self.head = nn.Linear(2 * WIDTH, WIDTH), nn.Linear(WIDTH, VOCABULARY)

    def forward(self, source, target):
        read, state = self.encoder(self.source(source))
        wrote, _ = self.decoder(self.target(target), state)
        scores = wrote @ read.transpose(1, 2) / WIDTH**0.5
        hidden = scores.masked_fill((source == 0).unsqueeze(1), float("-inf"))
        seen = hidden.softmax(dim=-1) @ read
        return self.head(torch.tanh(self.mix(torch.cat([wrote, seen], dim=-1))))


model = Translator()
set_weights(model)
model.to("cuda")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
# Number 0 fills the ends of short sentences.
source, target = classes(VOCABULARY, ROWS, TOKENS), classes(VOCABULARY, ROWS, TOKENS + 1)
source[: ROWS // 2, TOKENS // 2 :] = 0
target[: ROWS // 2, TOKENS // 2 :] = 0
source, target = source.to("cuda"), target.to("cuda")


def step():
    optimizer.zero_grad()
    logits = model(source, target[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, VOCABULARY), target[:, 1:].reshape(-1), ignore_index=0)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss


measure(step, STEPS)
