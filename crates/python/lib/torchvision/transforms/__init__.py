"""torchvision.transforms: classes that change a picture, one after the other. Pictures of the datasets and tensors."""

import sys

import warpup
from torchvision import missing
from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode  # noqa: F401


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for it in self.transforms:
            img = it(img)
        return img

    def __repr__(self):
        return "\n".join([type(self).__name__ + "("] + [f"    {it}" for it in self.transforms]) + "\n)"


class _Shown:
    """A transform that shows some of its attributes."""

    _names = ()

    def __repr__(self):
        return type(self).__name__ + "(" + ", ".join(f"{it}={getattr(self, it)}" for it in self._names) + ")"


class ToTensor(_Shown):
    def __call__(self, pic):
        return F.to_tensor(pic)


class PILToTensor(_Shown):
    def __call__(self, pic):
        return F.pil_to_tensor(pic)


class ConvertImageDtype(warpup.nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, image):
        return F.convert_image_dtype(image, self.dtype)


class Normalize(_Shown):
    _names = ("mean", "std")

    def __init__(self, mean, std, inplace=False):
        self.mean, self.std, self.inplace = mean, std, inplace

    def __call__(self, tensor):
        return F.normalize(tensor, self.mean, self.std, self.inplace)


class Resize(_Shown):
    _names = ("size", "interpolation", "max_size", "antialias")

    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        self.size, self.interpolation, self.max_size, self.antialias = size, interpolation, max_size, antialias

    def __call__(self, img):
        return F.resize(img, self.size, self.interpolation)


def _pair(size):
    return (size, size) if isinstance(size, int) else tuple(size) * (3 - len(size))


class CenterCrop(_Shown):
    _names = ("size",)

    def __init__(self, size):
        self.size = _pair(size)

    def __call__(self, img):
        return F.center_crop(img, self.size)


class RandomCrop(_Shown):
    _names = ("size", "padding")

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        self.size, self.padding, self.pad_if_needed = _pair(size), padding, pad_if_needed
        self.fill, self.padding_mode = fill, padding_mode

    def __call__(self, img):
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        rows, columns = F._tensor(img)[0].shape[-2:]
        height, width = self.size
        if self.pad_if_needed and (columns < width or rows < height):
            img = F.pad(img, [max(width - columns, 0), max(height - rows, 0)], self.fill, self.padding_mode)
            rows, columns = F._tensor(img)[0].shape[-2:]
        if rows < height or columns < width:
            raise ValueError(
                f"Required crop size {(height, width)} is larger than input image size {(rows, columns)}"
            )
        top = warpup.randint(0, rows - height + 1, (1,)).item()
        left = warpup.randint(0, columns - width + 1, (1,)).item()
        return F.crop(img, top, left, height, width)


class RandomHorizontalFlip(_Shown):
    _names = ("p",)

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return F.hflip(img) if warpup.rand(1).item() < self.p else img


class RandomVerticalFlip(RandomHorizontalFlip):
    def __call__(self, img):
        return F.vflip(img) if warpup.rand(1).item() < self.p else img


class RandomApply:
    def __init__(self, transforms, p=0.5):
        self.transforms, self.p = transforms, p

    def __call__(self, img):
        if self.p < warpup.rand(1).item():
            return img
        for it in self.transforms:
            img = it(img)
        return img


class Pad(_Shown):
    _names = ("padding", "fill", "padding_mode")

    def __init__(self, padding, fill=0, padding_mode="constant"):
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def __call__(self, img):
        return F.pad(img, self.padding, self.fill, self.padding_mode)


class Grayscale(_Shown):
    _names = ("num_output_channels",)

    def __init__(self, num_output_channels=1):
        self.num_output_channels = num_output_channels

    def __call__(self, img):
        return F.rgb_to_grayscale(img, self.num_output_channels)


class Lambda(_Shown):
    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)


class ToPILImage:
    def __init__(self, mode=None):
        F.to_pil_image(None)


# The newer names, which `torchvision.transforms.v2` has besides these.
class ToImage(PILToTensor):
    def __call__(self, pic):
        return pic if isinstance(pic, warpup.Tensor) else F.pil_to_tensor(pic)


class ToDtype(_Shown):
    _names = ("scale",)

    def __init__(self, dtype, scale=False):
        self.dtype, self.scale = dtype, scale

    def __call__(self, image):
        return F.convert_image_dtype(image, self.dtype) if self.scale else image.to(self.dtype)


v2 = sys.modules["torchvision.transforms.v2"] = sys.modules[__name__]


def __getattr__(name):
    raise missing("torchvision.transforms", name, [it for it in globals() if it[0].isupper()])
