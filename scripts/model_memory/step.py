"""Training steps that ran on a card; `scripts/model-memory` sets what is in capitals."""

import torch

nn = torch.nn
F = nn.functional
device = torch.device("cuda")


class Residual(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(outside), nn.BatchNorm2d(outside)
        self.shortcut = nn.Identity()
        if inside != outside:
            self.shortcut = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.shortcut(x))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, tokens, width = x.shape
        parts = self.qkv(self.norm1(x)).split(width, dim=2)
        q, k, v = (it.view(batch, tokens, HEADS, width // HEADS).transpose(1, 2) for it in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).contiguous().view(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(WORDS, WIDTH), nn.Embedding(TOKENS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, x):
        x = self.token(x) + self.position(torch.arange(x.shape[1], device=x.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).view(-1, WORDS)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.layers = nn.Embedding(1000, 256), nn.LSTM(256, 512, 2, batch_first=True)
        self.head = nn.Linear(512, 1000)

    def forward(self, x):
        return self.head(self.layers(self.token(x))[0]).reshape(-1, 1000)


if KIND == "tiny":
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.zeros(4, 8, device=device), torch.zeros(4, dtype=torch.int64, device=device)
elif KIND == "mlp":
    sizes = (1024, 4096, 4096, 1024)
    layers = [it for i, o in zip(sizes, sizes[1:]) for it in (nn.Linear(i, o), nn.ReLU())]
    model = nn.Sequential(*layers, nn.Linear(1024, 10)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    x, y = torch.zeros(512, 1024, device=device), torch.zeros(512, dtype=torch.int64, device=device)
elif KIND == "cnn":
    model = nn.Sequential(
        nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), Residual(64, 64, 1), Residual(64, 128, 2),
        Residual(128, 256, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 10),
    ).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x, y = torch.zeros(128, 3, 32, 32, device=device), torch.zeros(128, dtype=torch.int64, device=device)
elif KIND == "lstm":
    model = Recurrent().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    x, y = torch.zeros(2, 64, 64, dtype=torch.int64, device=device)
else:
    model = GPT().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    x, y = torch.zeros(2, BATCH, TOKENS, dtype=torch.int64, device=device)


def step():
    # The recurrent and the small ones free the gradients before the forward pass, the others after it.
    if KIND != "gpt":
        optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=BF16):
        loss = F.cross_entropy(model(x), y.view(-1))
    if KIND == "gpt":
        optimizer.zero_grad()
    loss.backward()
    optimizer.step()


step()
step()
