"""The same layers in a CUDA graph: one launch for all kernels, and a pause before each."""

import torch
from torch import nn

layers = [layer for _ in range(30) for layer in (nn.Linear(64, 64), nn.LayerNorm(64), nn.GELU())]
model = nn.Sequential(*layers).cuda()
inputs = torch.randn(32, 64, device="cuda")

stream = torch.cuda.Stream()
stream.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(stream), torch.no_grad():
    for _ in range(3):
        model(inputs)
torch.cuda.current_stream().wait_stream(stream)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph), torch.no_grad():
    model(inputs)


def train_step(_):
    for _ in range(20):
        graph.replay()


loader = range(10)
EXPECTED = "short-kernels"
