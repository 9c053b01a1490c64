"""Two steps of a ResNet on images of 224 x 224; `scripts/model-memory` sets what is in capitals."""

import torch

nn = torch.nn
F = nn.functional
torch.backends.cudnn.benchmark = BENCHMARK


def convolution(inside, outside, kernel, stride=1):
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outside),
    )


class Block(nn.Module):
    def __init__(self, inside, width, stride):
        super().__init__()
        outside = 4 * width if DEEP else width
        relu = nn.ReLU(inplace=True)
        if DEEP:
            layers = (convolution(inside, width, 1), relu, convolution(width, width, 3, stride), relu)
            self.layers = nn.Sequential(*layers, convolution(width, outside, 1))
        else:
            self.layers = nn.Sequential(convolution(inside, width, 3, stride), relu, convolution(width, width, 3))
        self.shortcut = convolution(inside, outside, 1, stride) if stride != 1 or inside != outside else None
        self.relu = relu

    def forward(self, x):
        y = self.layers(x)
        y += x if self.shortcut is None else self.shortcut(x)
        return self.relu(y)


stages, inside = [], 64
for width, blocks, stride in zip((64, 128, 256, 512), (3, 4, 6, 3) if DEEP else (2, 2, 2, 2), (1, 2, 2, 2)):
    for at in range(blocks):
        stages.append(Block(inside, width, stride if at == 0 else 1))
        inside = 4 * width if DEEP else width
model = nn.Sequential(
    convolution(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1), *stages, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
    nn.Linear(inside, 1000),
).to("cuda")
images = torch.zeros(BATCH, 3, 224, 224, device="cuda")
labels = torch.zeros(BATCH, dtype=torch.int64, device="cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
model.train(TRAINS)
for step in range(2):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16, enabled=AMP), torch.set_grad_enabled(TRAINS):
        out = model(images)
        if TRAINS:
            loss = F.cross_entropy(out, labels)
    if TRAINS:
        loss.backward()
        optimizer.step()
