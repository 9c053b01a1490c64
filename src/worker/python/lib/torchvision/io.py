"""torchvision.io: a lab has no files."""

from torchvision import refusing

__getattr__ = refusing("torchvision.io", "a lab has no files. Make pictures with torch.rand")
