import torch

points = torch.rand(500, 3)

a = points[:, None, :]
b = points[None, :, :]
differences = a - b
distances = (differences**2).sum(dim=2).sqrt()

print("a, b       ", a.shape, b.shape, a.nbytes / 1e6, "MB each")
print("differences", differences.shape, differences.nbytes / 1e6, "MB")
print("distances  ", distances.shape, distances.nbytes / 1e6, "MB")
