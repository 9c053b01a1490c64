"""A GPT. gpu-check also runs it with autocast to bfloat16, and in the size of GPT-2 with 124 million parameters."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import classes, measure, set_weights

LAYERS = 6
HEADS = 6
WIDTH = 384
TOKENS = 256
ROWS = 16
VOCABULARY = 512
BFLOAT16 = 0
STEPS = 20


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first_norm, self.second_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.project = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.out = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        rows, tokens, width = x.shape
        parts = self.qkv(self.first_norm(x)).split(width, dim=2)
        q, k, v = (it.view(rows, tokens, HEADS, width // HEADS).transpose(1, 2) for it in parts)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(seen.transpose(1, 2).contiguous().view(rows, tokens, width))
        return x + self.out(F.gelu(self.wide(self.second_norm(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(TOKENS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        x = self.token(ids) + self.position(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


model = Gpt()
set_weights(model)
model.to("cuda")
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
x, y = classes(VOCABULARY, ROWS, TOKENS).to("cuda"), classes(VOCABULARY, ROWS, TOKENS).to("cuda")


def step():
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=bool(BFLOAT16)):
        loss = F.cross_entropy(model(x).view(-1, VOCABULARY), y.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


measure(step, STEPS)
