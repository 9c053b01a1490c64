"""The time of calls on 8 numbers, in nanoseconds, less that of the empty loop: the least of several rounds."""
import torch
from time import perf_counter
from torch.utils.data import DataLoader, TensorDataset

a = torch.ones(8)
both = [a, a]
n = 20_000


def empty():
    for _ in range(n):
        pass


def operator():
    for _ in range(n):
        a + a


def function():
    for _ in range(n):
        torch.add(a, a)


def keyword():
    for _ in range(n):
        a.sum(dim=0)


def cat():
    for _ in range(n):
        torch.cat(both)


def plain():
    total = 0
    for i in range(n):
        total += i * 2


def took(run):
    start = perf_counter()
    run()
    return (perf_counter() - start) / n * 1e9


for name, run in [("a+a", operator), ("torch.add", function), ("sum(dim=)", keyword), ("cat", cat)]:
    print(name, min(took(run) - took(empty) for _ in range(7)))
print("loop", min(took(plain) for _ in range(7)))

data = TensorDataset(torch.randn(3200, 784), torch.randint(0, 10, (3200,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
best = 1e9
for _ in range(7):
    start = perf_counter()
    batches = 0
    for images, labels in loader:
        batches += 1
    best = min(best, (perf_counter() - start) / batches)
print("loader", best * 1e9)
