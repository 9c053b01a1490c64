"""Batches of 100 examples from a DataLoader."""

import time

import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.zeros(1000, 784), torch.zeros(1000, dtype=torch.int64))
start = time.perf_counter()
for batch in DataLoader(data, batch_size=100):
    pass
figure("microseconds", (time.perf_counter() - start) / 10 * 1e6)
