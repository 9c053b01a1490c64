"""A training step of a GPT as llm-foundry's MPT has it, in bfloat16 with FlashAttention; `scripts/model-figures` sets what is in
capitals."""

import torch

nn = torch.nn
F = nn.functional
VOCABULARY, TOKENS = 50368, 2048


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, bias=False), nn.LayerNorm(WIDTH, bias=False)
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH, bias=False), nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x):
        batch, tokens, width = x.shape
        parts = self.qkv(self.norm1(x)).split(width, dim=2)
        q, k, v = (it.view(batch, tokens, HEADS, width // HEADS).transpose(1, 2) for it in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class MPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(TOKENS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH, bias=False)

    def forward(self, tokens):
        x = self.token(tokens) + self.position(torch.arange(TOKENS, device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x), self.token.weight)


model = MPT().to("cuda")
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4)
tokens = torch.zeros(BATCH, TOKENS, dtype=torch.int64, device="cuda")


def step():
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(tokens).view(-1, VOCABULARY), tokens.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


figure("tokens/s", BATCH * TOKENS / seconds(step, first=2, rounds=2))
figure("peak, GiB", torch.cuda.max_memory_allocated() / 2**30)
