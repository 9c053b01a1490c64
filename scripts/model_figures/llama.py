"""One token of Llama 2 7B or Llama 3.1 8B in bfloat16, eager, with a key-value cache of 512 tokens; `scripts/model-figures` sets
the other numbers in capitals."""

import torch

F = torch.nn.functional
WIDTH, HEADS, LAYERS, TOKENS = 4096, 32, 32, 512


def weight(*shape):
    return torch.empty(*shape, dtype=torch.bfloat16, device="cuda")


layers = [
    {
        "qkv": weight(WIDTH + 2 * GROUPS * 128, WIDTH), "out": weight(WIDTH, WIDTH), "gate": weight(INNER, WIDTH),
        "up": weight(INNER, WIDTH), "down": weight(WIDTH, INNER), "norm1": weight(WIDTH), "norm2": weight(WIDTH),
        "k": weight(1, GROUPS, TOKENS, 128), "v": weight(1, GROUPS, TOKENS, 128),
    }
    for _ in range(LAYERS)
]
embedding, head, norm = weight(VOCABULARY, WIDTH), weight(VOCABULARY, WIDTH), weight(WIDTH)
cos, sin = weight(1, 1, 1, 64), weight(1, 1, 1, 64)
token = torch.zeros(1, 1, dtype=torch.int64, device="cuda")


def rms(x, scale):
    y = x.float()
    y = y * torch.rsqrt((y * y).mean(-1, keepdim=True) + 1e-5)
    return y.to(torch.bfloat16) * scale


def rotated(x):
    a, b = x[..., :64], x[..., 64:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def decode():
    x = F.embedding(token, embedding)
    for it in layers:
        qkv = F.linear(rms(x, it["norm1"]), it["qkv"])
        q, k, v = qkv.split([WIDTH, GROUPS * 128, GROUPS * 128], dim=-1)
        q = rotated(q.view(1, 1, HEADS, 128).transpose(1, 2))
        k = rotated(k.view(1, 1, GROUPS, 128).transpose(1, 2))
        it["k"][:, :, 5:6] = k
        it["v"][:, :, 5:6] = v.view(1, 1, GROUPS, 128).transpose(1, 2)
        keys = it["k"].repeat_interleave(HEADS // GROUPS, dim=1)
        values = it["v"].repeat_interleave(HEADS // GROUPS, dim=1)
        y = F.scaled_dot_product_attention(q, keys, values)
        x = x + F.linear(y.transpose(1, 2).reshape(1, 1, WIDTH), it["out"])
        y = rms(x, it["norm2"])
        x = x + F.linear(F.silu(F.linear(y, it["gate"])) * F.linear(y, it["up"]), it["down"])
    return F.linear(rms(x, norm), head)


with torch.no_grad():
    took = seconds(decode, first=1)
    figure("milliseconds", took * 1e3)
    figure("words/s", 1 / took)
