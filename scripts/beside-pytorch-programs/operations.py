# Single operations on matrices of 256 x 256 and 1024 x 1024: the least of several runs, in µs.

import torch
import torch.nn.functional as F
from time import perf_counter

torch.manual_seed(0)


def least(run):
    run()
    begin = perf_counter()
    run()
    once = perf_counter() - begin
    count = max(1, min(5, int(0.002 / max(once, 1e-7))))
    best = once
    for _ in range(max(3, min(20, int(0.05 / max(once * count, 1e-7))))):
        begin = perf_counter()
        for _ in range(count):
            run()
        best = min(best, (perf_counter() - begin) / count)
    return best


for size in (256, 1024):
    a, b = torch.randn(size, size), torch.randn(size, size)
    index, rows, mask = torch.randint(0, size, (size, size)), torch.randint(0, size, (size,)), a > 0
    operations = {
        "clamp": lambda: a.clamp(-1, 1),
        "round": lambda: a.round(),
        "log": lambda: a.log(),
        "sin": lambda: a.sin(),
        "a%2": lambda: a % 2,
        "softplus": lambda: F.softplus(a),
        "index+1": lambda: index + 1,
        "index==3": lambda: index == 3,
        "a>0": lambda: a > 0,
        "mask&mask": lambda: mask & mask,
        "a[mask]": lambda: a[mask],
        "max": lambda: a.max(),
        "max(1)": lambda: a.max(1),
        "argmax(0)": lambda: a.argmax(0),
        "logsumexp": lambda: a.logsumexp(1),
        "cumsum": lambda: a.cumsum(1),
        "topk": lambda: a.topk(5, 1),
        "sort": lambda: a.sort(1),
        "gather": lambda: a.gather(1, index),
        "scatter_add": lambda: a.scatter_add(1, index, b),
        "index_add": lambda: a.index_add(0, rows, b),
        "one_hot": lambda: F.one_hot(rows, size),
        "pad": lambda: F.pad(a, (1, 1, 1, 1)),
        "rand": lambda: torch.rand(size, size),
        "randn": lambda: torch.randn(size, size),
        "dropout": lambda: F.dropout(a, 0.5),
    }
    for name, run in operations.items():
        print(f"{name}@{size} {least(run) * 1e6:.2f}")
    small = a[:32, :32].contiguous()
    if size == 256:
        print(f"inv@32 {least(lambda: torch.linalg.inv(small)) * 1e6:.2f}")
        print(f"svd@32 {least(lambda: torch.linalg.svd(small)) * 1e6:.2f}")
