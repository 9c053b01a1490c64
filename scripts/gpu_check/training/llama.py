"""A transformer with RMS norm, rotary positions, SwiGLU and shared heads of keys and values, in bfloat16."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import classes, measure, set_weights

LAYERS = 4
HEADS = 8
GROUPS = 2
WIDTH = 512
TOKENS = 256
ROWS = 8
VOCABULARY = 4096
STEPS = 20


def rotated(x, cos, sin):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = WIDTH // HEADS
        self.first_norm, self.second_norm = nn.RMSNorm(WIDTH, eps=1e-5), nn.RMSNorm(WIDTH, eps=1e-5)
        self.q = nn.Linear(WIDTH, WIDTH, bias=False)
        self.kv = nn.Linear(WIDTH, 2 * GROUPS * self.head, bias=False)
        self.project = nn.Linear(WIDTH, WIDTH, bias=False)
        self.gate, self.wide = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(3 * WIDTH, WIDTH, bias=False)

    def forward(self, x, cos, sin):
        rows, tokens, width = x.shape
        inner = self.first_norm(x)
        q = self.q(inner).view(rows, tokens, HEADS, self.head).transpose(1, 2)
        k, v = self.kv(inner).view(rows, tokens, 2 * GROUPS, self.head).transpose(1, 2).chunk(2, dim=1)
        q, k = rotated(q, cos, sin), rotated(k, cos, sin)
        k, v = (it.repeat_interleave(HEADS // GROUPS, dim=1) for it in (k, v))
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(seen.transpose(1, 2).reshape(rows, tokens, width))
        inner = self.second_norm(x)
        return x + self.out(F.silu(self.gate(inner)) * self.wide(inner))


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(VOCABULARY, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.RMSNorm(WIDTH, eps=1e-5), nn.Linear(WIDTH, VOCABULARY, bias=False)
        half = WIDTH // HEADS // 2
        turns = torch.arange(TOKENS).float()[:, None] * 10000.0 ** (-torch.arange(half).float() / half)
        self.register_buffer("cos", turns.cos())
        self.register_buffer("sin", turns.sin())

    def forward(self, ids):
        x = self.token(ids)
        for block in self.blocks:
            x = block(x, self.cos, self.sin)
        return self.head(self.norm(x))


model = Llama()
set_weights(model)
model.to("cuda")
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95), weight_decay=0.1)
ids = classes(VOCABULARY, ROWS, TOKENS + 1).to("cuda")


def step():
    with torch.autocast("cuda", dtype=torch.bfloat16):
        logits = model(ids[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss


measure(step, STEPS)
