"""How fast are copies between a card and ordinary memory? 256 MiB at once, and in pieces of 16 MiB."""
import torch
from time import perf_counter

N = 67108864
SAMPLES = 4
WARMUPS = 1
PIECES = 16

x = torch.ones(N)
y = x.to("cuda")
parts, cards = x.chunk(PIECES), y.chunk(PIECES)


def measure(name, copy):
    for sample in range(-WARMUPS, SAMPLES):
        torch.cuda.synchronize()
        start = perf_counter()
        copied = copy()
        torch.cuda.synchronize()
        seconds = perf_counter() - start
        if sample >= 0:
            lab.metric(f"{name} #{sample}", 4 * N / seconds / 1e9, "GB/s")
        del copied


measure("to the card, pageable", lambda: x.to("cuda"))
measure("to the card, pageable, in pieces", lambda: [it.to("cuda") for it in parts])
measure("to the host, pageable", lambda: y.cpu())
measure("to the host, pageable, in pieces", lambda: [it.cpu() for it in cards])
