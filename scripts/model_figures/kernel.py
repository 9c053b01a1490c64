"""One kernel, or one call of a few, as often as it takes to hide its launches; `scripts/model-figures` sets what is in
capitals."""

import torch

F = torch.nn.functional
if TF32:
    torch.set_float32_matmul_precision("high")
tensors = [torch.empty(*shape, device="cuda") for shape in SHAPES]
work = eval("lambda " + CALL)
figure("microseconds", seconds(lambda: work(*tensors), first=1, rounds=20) * 1e6)
