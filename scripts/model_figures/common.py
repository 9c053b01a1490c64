"""What the programs of `scripts/model-figures` share; it comes before each of them."""

import time

import torch

FIGURES = []
# The report of a run has the time from one step of an optimizer to the next with each of two hosts. Steps of this one, which has
# nothing to do, are where a measurement begins and ends.
MARKS = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)


def figure(name, value):
    FIGURES.append(f"{name}={value}")


def mark():
    """Takes a step of the optimizer without work; nanoseconds of the faster host."""
    start = time.perf_counter()
    MARKS.step()
    return (time.perf_counter() - start) * 1e9


def seconds(work, first=0, rounds=1):
    """Seconds of one call, with the card's work, after some calls that are not timed."""
    for _ in range(first):
        work()
    torch.cuda.synchronize()
    figure("mark", mark())
    start = time.perf_counter()
    for _ in range(rounds):
        work()
    torch.cuda.synchronize()
    took = time.perf_counter() - start
    mark()
    return took / rounds
