"""How fast does a card go through its own memory? Operations that read or write 1 GiB once, by the bytes they move."""
import torch
from torch.nn import functional as F

N = 268435456
SAMPLES = 5
WARMUPS = 2
REPEATS = 4

x = torch.ones(N, device="cuda")
x.mul_(0.5)
rows = x.view(-1, min(N, 4096))


def measure(name, work, passes):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for sample in range(-WARMUPS, SAMPLES):
        start.record()
        for _ in range(REPEATS):
            made = work()
        end.record()
        torch.cuda.synchronize()
        if sample >= 0:
            seconds = start.elapsed_time(end) / 1e3 / REPEATS
            lab.metric(f"{name} #{sample}", passes * 4 * N / seconds / 1e9, "GB/s")
        del made


y = x + 1
measure("add", lambda: x + y, 3)
del y
measure("gelu", lambda: F.gelu(x), 2)
measure("copy", lambda: x.clone(), 2)
measure("copy of a transposed tensor", lambda: rows.t().contiguous(), 2)
measure("softmax", lambda: rows.softmax(1), 2)
measure("layer norm", lambda: F.layer_norm(rows, rows.shape[1:]), 2)
measure("norm", lambda: x.norm(), 1)
measure("sum", lambda: x.sum(), 1)
measure("sum over rows", lambda: rows.sum(1), 1)
measure("sum over columns", lambda: rows.sum(0), 1)
measure("largest of each row", lambda: rows.amax(1), 1)
