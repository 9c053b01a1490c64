"""Inference of a vision transformer on images of 224 x 224, as in timm; `scripts/model-figures` sets what is in capitals."""

import torch

nn = torch.nn
F = nn.functional


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, eps=1e-6), nn.LayerNorm(WIDTH, eps=1e-6)
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.act, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)

    def attend(self, x):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(x).reshape(batch, tokens, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.proj(y.transpose(1, 2).reshape(batch, tokens, width))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.down(self.act(self.up(self.norm2(x))))


class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        patches = (224 // PATCH) ** 2
        self.patch = nn.Conv2d(3, WIDTH, PATCH, stride=PATCH)
        self.token = nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.position = nn.Parameter(torch.zeros(1, patches + 1, WIDTH))
        self.blocks = nn.Sequential(*(Block() for _ in range(12)))
        self.norm, self.head = nn.LayerNorm(WIDTH, eps=1e-6), nn.Linear(WIDTH, 1000)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.position
        return self.head(self.norm(self.blocks(x))[:, 0])


model = ViT().to("cuda").eval()
images = torch.zeros(BATCH, 3, 224, 224, device="cuda")
if HALF:
    model, images = model.half(), images.half()


def infer():
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16, enabled=AMP):
        return model(images)


torch.cuda.reset_peak_memory_stats()
figure("images/s", BATCH / seconds(infer, first=2, rounds=2))
figure("peak, GB", torch.cuda.max_memory_allocated() / 1e9)
