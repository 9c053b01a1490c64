"""torchvision.io: programs here have no files."""

from torchvision import refusing

__getattr__ = refusing("torchvision.io", "programs here have no files. Make pictures with torch.rand")
