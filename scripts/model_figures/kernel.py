"""One kernel, or one call of a few, as often as it takes to hide its launches; `scripts/model-figures` sets what is in
capitals. A shape is one of `float32` tensors, or of the type that follows it."""

import torch

F = torch.nn.functional
nn = torch.nn
torch.set_float32_matmul_precision("high" if TF32 else "highest")


def made(size):
    shape, dtype = (size[:-1], getattr(torch, size[-1])) if isinstance(size[-1], str) else (size, torch.float32)
    return torch.zeros(*shape, device="cuda", dtype=dtype)


tensors = [made(it) for it in SHAPES]
work = eval("lambda " + CALL)
with torch.no_grad():
    figure("microseconds", seconds(lambda: work(*tensors), first=1, rounds=20) * 1e6)
