"""A DataLoader without workers that computes each example."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

model = nn.Sequential(nn.Linear(1024, 2048), nn.ReLU(), nn.Linear(2048, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss_fn = nn.CrossEntropyLoss()


class Computed(Dataset):
    def __len__(self):
        return 2560

    def __getitem__(self, index):
        example = torch.randn(1024)
        for _ in range(5):
            example = torch.fft.fft(example).real
        return example, index % 10


def train_step(batch):
    inputs, labels = (it.to("cuda", non_blocking=True) for it in batch)
    loss = loss_fn(model(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


loader = DataLoader(Computed(), batch_size=256, pin_memory=True)
EXPECTED = "loader-bound"
