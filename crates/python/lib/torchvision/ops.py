"""torchvision.ops: none of it is here."""

from torchvision import refusing

__getattr__ = refusing("torchvision.ops", "it is not part of warpup. Write it with torch")
