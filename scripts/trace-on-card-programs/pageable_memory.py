"""Images in pageable memory, for a small network."""

import torch
from torch import nn

first = (nn.Conv2d(3, 32, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
model = nn.Sequential(*first, nn.Flatten(), nn.Linear(32, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss_fn = nn.CrossEntropyLoss()


def train_step(batch):
    images, labels = (it.to("cuda") for it in batch)
    loss = loss_fn(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


loader = [(torch.randn(256, 3, 224, 224), torch.randint(0, 10, (256,)))] * 10
EXPECTED = "copy-pageable"
