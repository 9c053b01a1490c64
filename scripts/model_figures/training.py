"""A training step of `MODEL`: the programs that ran on an H200. `scripts/model-figures` sets what is in capitals."""

import torch

nn, F = torch.nn, torch.nn.functional
L, H, E, T, B, V = SIZES
d = torch.device("cuda")


class Residual(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.a, self.b = nn.Conv2d(i, o, 3, s, 1, bias=False), nn.Conv2d(o, o, 3, 1, 1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(o), nn.BatchNorm2d(o)
        same = s == 1 and i == o
        self.s = nn.Identity() if same else nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o))

    def forward(self, x):
        return F.relu(self.nb(self.b(F.relu(self.na(self.a(x))))) + self.s(x))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn, self.head = nn.Embedding(1000, 256), nn.LSTM(256, 512, 2, batch_first=True), nn.Linear(512, 1000)

    def forward(self, x):
        return self.head(self.rnn(self.emb(x))[0]).reshape(-1, 1000)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(E), nn.LayerNorm(E)
        self.qkv, self.proj = nn.Linear(E, 3 * E), nn.Linear(E, E)
        self.fc, self.out = nn.Linear(E, 4 * E), nn.Linear(4 * E, E)

    def forward(self, x):
        b, t, e = x.shape
        q, k, v = self.qkv(self.ln1(x)).split(E, dim=2)
        q, k, v = (z.view(b, t, H, e // H).transpose(1, 2) for z in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).contiguous().view(b, t, e))
        return x + self.out(F.gelu(self.fc(self.ln2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(V, E), nn.Embedding(T, E)
        self.blocks = nn.ModuleList(Block() for _ in range(L))
        self.ln, self.head = nn.LayerNorm(E), nn.Linear(E, V, bias=False)

    def forward(self, i):
        x = self.tok(i) + self.pos(torch.arange(i.shape[1], device=i.device))
        for b in self.blocks:
            x = b(x)
        return self.head(self.ln(x)).view(-1, V)


def tiny():
    m = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(d)
    return m, torch.optim.SGD(m.parameters(), lr=0.1), torch.zeros(4, 8, device=d), (4,)


def mlp():
    layers = [nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 1024), nn.ReLU(), nn.Linear(1024, 10)]
    m = nn.Sequential(*layers).to(d)
    return m, torch.optim.Adam(m.parameters(), lr=1e-3), torch.zeros(512, 1024, device=d), (512,)


def cnn():
    stem = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    blocks = [Residual(64, 64, 1), Residual(64, 128, 2), Residual(128, 256, 2)]
    m = nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 10)).to(d)
    return m, torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9), torch.zeros(128, 3, 32, 32, device=d), (128,)


def lstm():
    m = Recurrent().to(d)
    return m, torch.optim.Adam(m.parameters(), lr=1e-3), torch.zeros(64, 64, dtype=torch.int64, device=d), (64, 64)


def gpt():
    m = GPT().to(d)
    return m, torch.optim.AdamW(m.parameters(), lr=3e-4), torch.zeros(B, T, dtype=torch.int64, device=d), (B, T)


m, opt, x, labels = {"tiny": tiny, "mlp": mlp, "cnn": cnn, "lstm": lstm, "gpt": gpt}[MODEL]()
y = torch.zeros(labels, dtype=torch.int64, device=d)


def step():
    opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=BF16):
        loss = F.cross_entropy(m(x), y.view(-1))
    loss.backward()
    opt.step()


figure("milliseconds", seconds(step, first=3, rounds=5) * 1e3)
