"""One kernel, or one call of a few, as often as it takes to hide its launches; `scripts/model-figures` sets what is in
capitals."""

import time

import torch

F = torch.nn.functional
if TF32:
    torch.set_float32_matmul_precision("high")
tensors = [torch.empty(*shape, device="cuda") for shape in SHAPES]
work = eval("lambda " + CALL)
work(*tensors)
torch.cuda.synchronize()
start = time.perf_counter()
for _ in range(20):
    work(*tensors)
torch.cuda.synchronize()
figure("microseconds", (time.perf_counter() - start) / 20 * 1e6)
