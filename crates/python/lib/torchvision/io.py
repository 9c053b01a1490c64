"""torchvision.io: a run has no disk."""

from torchvision import refusing

__getattr__ = refusing("torchvision.io", "a run has no disk. Make pictures with torch.rand")
