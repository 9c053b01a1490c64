"""How fast are copies between a card and page-locked memory? 256 MiB at once, and in pieces of 16 MiB."""
import torch
from time import perf_counter

N = 67108864
SAMPLES = 4
WARMUPS = 1
PIECES = 16

x = torch.ones(N).pin_memory()
y = x.to("cuda")
# Pieces of their own: a copy into a part of a larger tensor is another thing.
parts = [torch.ones(N // PIECES).pin_memory() for _ in range(PIECES)]
cards = y.chunk(PIECES)


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


def back_in_pieces():
    for host, card in zip(parts, cards):
        host.copy_(card)


measure("to the card, pinned", lambda: x.to("cuda", non_blocking=True))
measure("to the card, pinned, in pieces", lambda: [it.to("cuda", non_blocking=True) for it in parts])
measure("to the host, pinned", lambda: x.copy_(y))
measure("to the host, pinned, in pieces", back_in_pieces)
