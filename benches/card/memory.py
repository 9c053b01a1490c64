"""What do tensors hold on a card? Bytes after each step, for sizes that are no whole blocks, too."""
import torch

N = 1000003


def note(step):
    torch.cuda.synchronize()
    lab.metric(f"after {step}", torch.cuda.memory_allocated(), "B")


start = torch.zeros(1, device="cuda")
note("one number")
weights = torch.ones(N, device="cuda")
note("4 N bytes")
half = weights.to(torch.bfloat16)
note("2 N bytes more")
view = weights[10:1000]
note("a view")
many = [torch.zeros(3, device="cuda") for _ in range(100)]
note("100 times 12 bytes")
del many
note("their end")
weights.add_(1)
note("an addition in place")
del view, weights
note("the end of tensor and view")
half = None
note("the end of all but one")
