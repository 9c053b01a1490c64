"""What the training programs share: weights and batches that need no random generator, and the measurement.

PyTorch and warpup get the same bits, so the losses of both can be compared step by step.
"""

import math
import time

import torch

PRIME = 1000037
# Steps before the measurement, then rounds of it, each with an end that waits.
EARLY = 5
ROUNDS = 5
# No new round begins after this many seconds.
LIMIT_S = 4.0

taken = 0


def table():
    """PRIME numbers from -1 to 1 that look random: `k * k * k % PRIME` takes each value once."""
    k = torch.arange(PRIME) + 12345
    return (k * k % PRIME * k % PRIME).float() / (PRIME / 2) - 1


TABLE = table()


def numbers(*shape):
    """The next numbers of the table, on the host, from -1 to 1."""
    global taken
    count, start = math.prod(shape), taken % PRIME
    taken += count
    return TABLE.repeat((start + count) // PRIME + 1)[start : start + count].reshape(shape)


def classes(count, *shape):
    """The next numbers of the table as whole numbers below `count`."""
    return ((numbers(*shape) + 1) * (count / 2)).long().clamp(max=count - 1)


@torch.no_grad()
def set_weights(*modules):
    """Replaces the random weights of modules; biases become zero, the factors of norms stay one."""
    for module in modules:
        for name, it in module.named_parameters():
            if it.dim() > 1:
                # About one over the root of the number of inputs. A power of two, so that no rounding differs.
                it.copy_(numbers(*it.shape) * 2.0 ** -round(math.log2(it[0].numel()) / 2))
            elif "bias" in name:
                it.zero_()


def measure(step, steps):
    """Trains, and prints what gpu-check reads."""
    early = [step().item() for _ in range(EARLY)]
    torch.cuda.synchronize()
    by_host, by_events, began = [], [], time.perf_counter()
    while len(by_host) < ROUNDS and time.perf_counter() - began < LIMIT_S:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin = time.perf_counter()
        start.record()
        for _ in range(steps):
            loss = step()
        end.record()
        torch.cuda.synchronize()
        by_host.append((time.perf_counter() - begin) / steps * 1e3)
        by_events.append(start.elapsed_time(end) / steps)
    print("LOSSES", *("%.6g" % it for it in early))
    print("ROUNDS", *("%.4f" % it for it in by_host))
    median = [sorted(it)[len(it) // 2] for it in (by_host, by_events)]
    peak = torch.cuda.max_memory_allocated() / 2**20
    print("RESULT step_ms %.4f gpu_ms %.4f first %.5f last %.5f peak_mib %.1f" % (*median, early[0], loss.item(), peak))
