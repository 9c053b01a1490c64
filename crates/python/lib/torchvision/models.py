"""torchvision.models: none. There are no files, so there are no trained weights."""

from torchvision import refusing

__getattr__ = refusing(
    "torchvision.models",
    "warpup has no models of torchvision and no trained weights. Write the network with torch.nn: it has the layers of "
    "ResNet, VGG and ViT",
)
