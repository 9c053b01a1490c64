"""A training step of GPT-2 124M; `scripts/model-figures` sets what is in capitals."""

import math
import time

import torch

nn = torch.nn
F = nn.functional
WIDTH, HEADS, LAYERS = 768, 12, 12


class ScratchNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.scale * ((x - mean) / torch.sqrt(var + 1e-5)) + self.shift


class ScratchGELU(nn.Module):
    def forward(self, x):
        inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3))
        return 0.5 * x * (1 + torch.tanh(inner))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.joint = JOINT
        if JOINT:
            self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=BIAS)
        else:
            self.query = nn.Linear(WIDTH, WIDTH, bias=False)
            self.key = nn.Linear(WIDTH, WIDTH, bias=False)
            self.value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.proj = nn.Linear(WIDTH, WIDTH, bias=BIAS or not JOINT)
        self.dropout = nn.Dropout(DROPOUT)
        self.register_buffer("mask", torch.triu(torch.ones(TOKENS, TOKENS), diagonal=1))

    def forward(self, x):
        batch, tokens, width = x.shape
        parts = self.qkv(x).split(WIDTH, dim=2) if self.joint else (self.query(x), self.key(x), self.value(x))
        q, k, v = (it.view(batch, tokens, HEADS, width // HEADS).transpose(1, 2) for it in parts)
        if FLASH:
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=DROPOUT, is_causal=True)
        else:
            scores = q @ k.transpose(2, 3)
            if SCRATCH:
                scores.masked_fill_(self.mask.bool(), -math.inf)
                weights = torch.softmax(scores / k.shape[-1] ** 0.5, dim=-1)
            else:
                scores = scores * (1.0 / math.sqrt(k.size(-1)))
                scores = scores.masked_fill(self.mask == 1, -math.inf)
                weights = F.softmax(scores, dim=-1)
            y = self.dropout(weights) @ v
        return self.proj(y.transpose(1, 2).contiguous().view(batch, tokens, width))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        norm = ScratchNorm if SCRATCH_CLASSES else (lambda width: nn.LayerNorm(width, bias=BIAS))
        gelu = ScratchGELU() if SCRATCH_CLASSES or SCRATCH_GELU else nn.GELU(approximate="tanh")
        self.norm1, self.norm2, self.attention = norm(WIDTH), norm(WIDTH), Attention()
        bias = BIAS or not JOINT
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH, bias=bias), gelu, nn.Linear(4 * WIDTH, WIDTH, bias=bias))
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x):
        x = x + self.dropout(self.attention(self.norm1(x)))
        return x + self.dropout(self.mlp(self.norm2(x)))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(TOKENS, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm = ScratchNorm(WIDTH) if SCRATCH_CLASSES else nn.LayerNorm(WIDTH, bias=BIAS)
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        if TIED:
            self.head.weight = self.token.weight

    def forward(self, tokens):
        at = torch.arange(tokens.size(1), device=tokens.device)
        x = self.dropout(self.token(tokens) + self.position(at))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


if TF32:
    torch.set_float32_matmul_precision("high")
model = GPT().to("cuda")
if PURE_BF16:
    model = model.to(torch.bfloat16)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1, fused=FUSED or None)
inputs = torch.zeros(BATCH, TOKENS, dtype=torch.int64)
targets = torch.zeros(BATCH, TOKENS, dtype=torch.int64)


def step():
    x, y = inputs.to("cuda"), targets.to("cuda")
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=AUTOCAST):
        logits = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
    loss.backward()
    optimizer.step()


# Two data loaders start four processes each and end them, in an evaluation: PyTorch 2.15 on two cores, least of 24 rounds.
WORKERS = 0.28


def evaluate():
    time.sleep(WORKERS)
    with torch.no_grad():
        for _ in range(2):
            F.cross_entropy(model(inputs.to("cuda")).flatten(0, 1), targets.to("cuda").flatten()).item()


one, evaluation = seconds(step, first=2), seconds(evaluate, first=1)
figure("seconds", one)
# The book's clock goes on while the model is evaluated with a batch of each of two sets, after every 15 steps.
figure("tokens/s", 15 * BATCH * TOKENS / (15 * one + evaluation))
step()
figure("reserved", torch.cuda.memory_reserved() / 2**30)
figure("allocated", torch.cuda.memory_allocated() / 2**30)
