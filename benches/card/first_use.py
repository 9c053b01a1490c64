"""How long does the first use of a card take? Its context with the first memory, the first kernel, the first product."""
import torch
from time import perf_counter

N = 1024


def measure(name, work):
    start = perf_counter()
    made = work()
    torch.cuda.synchronize()
    lab.metric(name, (perf_counter() - start) * 1e3, "ms")
    return made


x = measure("context and first memory", lambda: torch.empty(N, N, device="cuda"))
measure("first kernel", lambda: x.fill_(1.0))
measure("second kernel", lambda: x + x)
measure("first product", lambda: x @ x)
measure("second product", lambda: x @ x)
