"""Do events and the host's clock agree? About 40 ms of work, timed by both, waited for at both ends."""
import torch
from time import perf_counter

N = 4096
SAMPLES = 8
WORK_MS = 40

a = torch.rand(N, N).to("cuda")
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)


def work(products):
    torch.cuda.synchronize()
    begin = perf_counter()
    start.record()
    for _ in range(products):
        a @ a
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end), (perf_counter() - begin) * 1e3


work(1)
products = 1 + int(WORK_MS / work(1)[0])
for sample in range(SAMPLES):
    by_events, by_host = work(products)
    lab.metric(f"events #{sample}", by_events, "ms")
    lab.metric(f"host #{sample}", by_host, "ms")
    lab.metric(f"events over host #{sample}", by_events / by_host, "")
