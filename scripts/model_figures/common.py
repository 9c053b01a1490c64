"""What the programs of `scripts/model-figures` share; it comes before each of them."""

import time

import torch

FIGURES = []


def figure(name, value):
    FIGURES.append(f"{name}={value}")


def seconds(work, first=0, rounds=1):
    """Seconds of one call, with the card's work, after some calls that are not timed."""
    for _ in range(first):
        work()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(rounds):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / rounds
