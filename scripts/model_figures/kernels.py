"""The kernels of CASES, which `scripts/model-traces` sets: each call behind work that hides its launches."""

import torch

filler = torch.empty(8192, 8192, device="cuda")


def made(shape, dtype, in_columns):
    dtype = getattr(torch, dtype)
    if in_columns and len(shape) > 1:
        return torch.empty(*shape[:-2], shape[-1], shape[-2], device="cuda", dtype=dtype).transpose(-1, -2)
    return torch.empty(shape, device="cuda", dtype=dtype)


def timed(kind, call, tensors, columns, tf32):
    torch.set_float32_matmul_precision("high" if tf32 else "highest")
    of_two = kind in ("matrix product", "copy")
    in_columns = [False] * (len(tensors) - 2) + list(columns) if of_two else [False] * len(tensors)
    made_ones = [made(shape, dtype, it) for (shape, dtype), it in zip(tensors, in_columns)]
    work = eval("lambda " + call)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.mm(filler, filler)
    start.record()
    for _ in range(10):
        work(*made_ones)
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) * 100


TIMES = [timed(*case) for case in CASES]
raise RuntimeError("times: " + " ".join(f"{it:.3f}" for it in TIMES))
