"""What a call of the host takes once, in a process that has done little before."""

import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.cuda.init()
x = torch.zeros(8, device="cuda")


def once(name, work, scale):
    torch.cuda.synchronize()
    start = time.perf_counter()
    kept = work()
    figure(name, (time.perf_counter() - start) * scale)
    return kept


kept = once("allocation", lambda: torch.empty(2**28, device="cuda"), 1e6)
del kept
once("empty_cache", torch.cuda.empty_cache, 1e6)
host = torch.zeros(2**26)
once("pin_memory", host.pin_memory, 1e3)
a = torch.zeros(8192, 8192, device="cuda")
once("first product", lambda: a @ a, 1e3)
q = torch.zeros(32, 32, 1024, 32, dtype=torch.float16, device="cuda")
for name, backend in (
    ("math", SDPBackend.MATH), ("efficient", SDPBackend.EFFICIENT_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION),
):
    with sdpa_kernel(backend), torch.no_grad():
        attend = lambda: torch.nn.functional.scaled_dot_product_attention(q, q, q)
        figure(name, seconds(attend, first=1, rounds=5) * 1e6)
