"""A step of ResNet-18, of ResNet-50 v1.5 (the stride is in the 3x3 convolution) or of ResNeXt-101 32x4d, on images of
224 x 224; `scripts/model-figures` sets what is in capitals."""

import torch

nn = torch.nn
F = nn.functional
BLOCKS = {18: (2, 2, 2, 2), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3)}


class Basic(nn.Module):
    def __init__(self, inside, width, stride):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(inside, width, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.norm2 = nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.shortcut = None
        if stride != 1 or inside != width:
            self.shortcut = nn.Sequential(nn.Conv2d(inside, width, 1, stride=stride, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        kept = x if self.shortcut is None else self.shortcut(x)
        y = self.norm2(self.conv2(self.relu(self.norm1(self.conv1(x)))))
        y += kept
        return self.relu(y)


class Bottleneck(nn.Module):
    def __init__(self, inside, width, stride):
        super().__init__()
        outside, width = 4 * width, width * GROUPS * 4 // 64 if GROUPS > 1 else width
        self.conv1, self.norm1 = nn.Conv2d(inside, width, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(width)
        self.conv3, self.norm3 = nn.Conv2d(width, outside, 1, bias=False), nn.BatchNorm2d(outside)
        self.relu = nn.ReLU(inplace=True)
        self.shortcut = None
        if stride != 1 or inside != outside:
            self.shortcut = nn.Sequential(nn.Conv2d(inside, outside, 1, stride=stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        kept = x if self.shortcut is None else self.shortcut(x)
        y = self.relu(self.norm1(self.conv1(x)))
        y = self.relu(self.norm2(self.conv2(y)))
        y = self.norm3(self.conv3(y))
        y += kept
        return self.relu(y)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(64)
        self.relu, self.pool = nn.ReLU(inplace=True), nn.MaxPool2d(3, stride=2, padding=1)
        stages, inside = [], 64
        block, factor = (Basic, 1) if DEPTH == 18 else (Bottleneck, 4)
        for width, blocks, stride in zip((64, 128, 256, 512), BLOCKS[DEPTH], (1, 2, 2, 2)):
            for at in range(blocks):
                stages.append(block(inside, width, stride if at == 0 else 1))
                inside = factor * width
        self.stages = nn.Sequential(*stages)
        self.mean, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(inside, 1000)

    def forward(self, x):
        x = self.pool(self.relu(self.norm(self.conv(x))))
        return self.head(self.mean(self.stages(x)).flatten(1))


model = ResNet().to("cuda")
if TRAINS:
    out = model(torch.zeros(BATCH, 3, 224, 224, device="cuda"))
    figure("after forward", torch.cuda.memory_allocated() / 2**20)
    del out
if HALF:
    model = model.half()
images = torch.zeros(BATCH, 3, 224, 224, device="cuda", dtype=torch.float16 if HALF else torch.float32)
labels = torch.zeros(BATCH, dtype=torch.int64, device="cuda")
if TRAINS:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.256, momentum=0.875, weight_decay=3e-5)
    scaler = torch.amp.GradScaler("cuda", enabled=AMP)
else:
    model.eval()


def step():
    with torch.autocast("cuda", dtype=torch.float16, enabled=AMP), torch.set_grad_enabled(TRAINS):
        out = model(images)
        if TRAINS:
            loss = F.cross_entropy(out, labels, label_smoothing=0.1)
    if TRAINS:
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


torch.cuda.reset_peak_memory_stats()
figure("images/s", BATCH / seconds(step, first=2, rounds=2))
figure("peak, GB", torch.cuda.max_memory_allocated() / 1e9)
