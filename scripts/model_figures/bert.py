"""A step of BERT with attention by hand, as NVIDIA's DeepLearningExamples have it; what is in capitals is set by
`scripts/model-figures`."""

import math

import torch

nn = torch.nn
F = nn.functional


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop1, self.drop2, self.drop3 = nn.Dropout(0.1), nn.Dropout(0.1), nn.Dropout(0.1)

    def gelu(self, x):
        # Hugging Face's function of 2019 (pytorch_transformers) saves more for backward than the kernel of PyTorch.
        return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0))) if TASK == "classes" else F.gelu(x)

    def forward(self, x, mask):
        batch, tokens, width = x.shape
        heads = width // 64
        parts = self.query(x), self.key(x), self.value(x)
        q, k, v = (it.view(batch, tokens, heads, 64).transpose(1, 2) for it in parts)
        scores = (q @ k.transpose(-1, -2)) / math.sqrt(64)
        weights = self.drop1(F.softmax(scores + mask, dim=-1))
        y = (weights @ v).transpose(1, 2).contiguous().view(batch, tokens, width)
        x = self.norm1(self.drop2(self.out(y)) + x)
        return self.norm2(self.drop3(self.down(self.gelu(self.up(x)))) + x)


class BERT(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions, self.types = nn.Embedding(30528, WIDTH), nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm, self.drop = nn.LayerNorm(WIDTH, eps=1e-12), nn.Dropout(0.1)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        if TASK in ("pretraining", "words"):
            self.transform, self.head_norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
            self.head = nn.Linear(WIDTH, 30528 if TASK == "pretraining" else 30522)
        else:
            self.head = nn.Linear(WIDTH, 2)
        if TASK == "classes":
            self.pooler, self.drop2 = nn.Linear(WIDTH, WIDTH), nn.Dropout(0.1)

    def forward(self, ids, types, mask):
        at = torch.arange(ids.size(1), device=ids.device)
        x = self.drop(self.norm(self.words(ids) + self.positions(at) + self.types(types)))
        mask = (1.0 - mask.view(mask.size(0), 1, 1, -1)) * -10000.0
        for layer in self.layers:
            x = layer(x, mask)
        return x


class BertAdam:
    """The optimizer of `run_squad.py` without AMP: one parameter after the other, each clipped by itself."""

    def __init__(self, parameters):
        self.parameters = [it for it in parameters]
        self.m = [torch.zeros_like(it) for it in self.parameters]
        self.v = [torch.zeros_like(it) for it in self.parameters]

    def zero_grad(self):
        for it in self.parameters:
            it.grad = None

    @torch.no_grad()
    def step(self):
        for it, m, v in zip(self.parameters, self.m, self.v):
            nn.utils.clip_grad_norm_([it], 1.0)
            m.mul_(0.9).add_(it.grad, alpha=0.1)
            v.mul_(0.999).addcmul_(it.grad, it.grad, value=0.001)
            update = m / (v.sqrt() + 1e-6)
            if it.dim() > 1:
                update += 0.01 * it
            it.add_(-(3e-5 * update))


if TF32:
    torch.set_float32_matmul_precision("high")
model = BERT().to("cuda")
if TASK == "inference":
    model.eval()
    if AMP:
        model.half()
else:
    model.train()
if TASK == "squad" and not AMP:
    optimizer = BertAdam(model.parameters())
else:
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5, fused=True)
scaler = torch.amp.GradScaler("cuda", enabled=AMP and TASK != "inference")
if TASK == "classes":
    tokens = torch.zeros(BATCH, TOKENS, dtype=torch.int64, device="cuda")
    out = model(tokens, torch.zeros_like(tokens), torch.ones_like(tokens))
    logits = model.head(model.drop2(torch.tanh(model.pooler(out[:, 0]))))
    figure("after forward", torch.cuda.memory_allocated() / 2**20)
    del out, logits
ids = torch.zeros(BATCH, TOKENS, dtype=torch.int64)
mask = torch.ones(BATCH, TOKENS)
PREDICTED = BATCH * TOKENS * 20 // 128


def step():
    x, types, attends = ids.to("cuda"), ids.to("cuda"), mask.to("cuda")
    if TASK == "inference":
        with torch.no_grad():
            out = model(x, types, attends.half() if AMP else attends)
            logits = model.head(out).split(1, dim=-1)
        for example in range(BATCH):
            for it in logits:
                it[example].cpu()
        return
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16, enabled=AMP):
        out = model(x, types, attends)
        if TASK in ("pretraining", "words"):
            # Hugging Face's BERT predicts all words, and the loss takes those that were masked.
            picked = out.reshape(-1, WIDTH)[:PREDICTED if TASK == "pretraining" else BATCH * TOKENS]
            logits = model.head(model.head_norm(F.gelu(model.transform(picked))))
            loss = F.cross_entropy(logits, torch.zeros(len(picked), dtype=torch.int64, device="cuda"))
        else:
            start, end = model.head(out).split(1, dim=-1)
            target = torch.zeros(BATCH, dtype=torch.int64, device="cuda")
            loss = F.cross_entropy(start.squeeze(-1), target) + F.cross_entropy(end.squeeze(-1), target)
    scaler.scale(loss).backward()
    # Pre-training adds up the gradients of many batches before a step of the optimizer.
    if TASK == "squad":
        if AMP:
            scaler.unscale_(optimizer)
        grads = [it.grad for it in model.parameters()]
        norm = torch.stack([it.norm() for it in grads]).norm().item()
        for it in grads:
            it.mul_(1.0 / max(norm, 1.0))
        if AMP:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        loss.item()


figure("sequences/s", BATCH / seconds(step, first=2, rounds=2))
figure("reserved", torch.cuda.memory_reserved() / 2**30)
