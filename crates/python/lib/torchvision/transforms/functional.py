"""torchvision.transforms.functional: what the transforms do, on pictures of datasets and on tensors."""

import warpup
from torchvision import missing
from torchvision._picture import Picture


class InterpolationMode:
    NEAREST, BILINEAR, BICUBIC = "nearest", "bilinear", "bicubic"


def _tensor(img):
    """Channels first; and how to go back."""
    if isinstance(img, Picture):
        return img.values.permute(2, 0, 1), lambda it: Picture(it.permute(1, 2, 0))
    if not isinstance(img, warpup.Tensor):
        raise TypeError(f"img should be Tensor Image or PIL Image. Got {type(img)}")
    return img, lambda it: it


def pil_to_tensor(pic):
    if not isinstance(pic, Picture):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    return pic.values.permute(2, 0, 1).clone()


def to_tensor(pic):
    if isinstance(pic, Picture):
        return pic.values.permute(2, 0, 1).contiguous().float().div(255)
    if type(pic).__module__ == "numpy" and hasattr(pic, "ndim"):
        values = warpup.from_numpy(pic[:, :, None] if pic.ndim == 2 else pic).permute(2, 0, 1).contiguous()
        return values.float().div(255) if values.dtype == warpup.uint8 else values
    raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")


def to_pil_image(pic, mode=None):
    raise NotImplementedError(
        "to_pil_image is not part of warpup, which has no PIL. Keep the tensor: transforms take it as well"
    )


def convert_image_dtype(image, dtype=None):
    dtype = warpup.float32 if dtype is None else dtype
    if image.dtype == dtype:
        return image
    if image.dtype.is_floating_point:
        if dtype.is_floating_point:
            return image.to(dtype)
        return image.mul(warpup.iinfo(dtype).max + 1 - 1e-3).to(dtype)
    if dtype.is_floating_point:
        return image.to(dtype) / warpup.iinfo(image.dtype).max
    return image.to(dtype)


def normalize(tensor, mean, std, inplace=False):
    if not isinstance(tensor, warpup.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError(
            f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}"
        )
    tensor = tensor if inplace else tensor.clone()
    mean, std = (warpup.as_tensor(it, dtype=tensor.dtype, device=tensor.device) for it in (mean, std))
    if (std == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero.")
    mean, std = (it.view(-1, 1, 1) if it.ndim == 1 else it for it in (mean, std))
    return tensor.sub_(mean).div_(std)


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    values, back = _tensor(img)
    height, width = values.shape[-2:]
    size = [size] if isinstance(size, int) else list(size)
    if len(size) == 1:
        short = size[0]
        size = [short, int(short * width / height)] if height <= width else [int(short * height / width), short]
    if size == [height, width]:
        return img
    if interpolation == InterpolationMode.NEAREST:
        made = warpup.nn.functional.interpolate(values[None].float(), size=size, mode="nearest")[0]
    else:
        made = warpup.nn.functional.interpolate(values[None].float(), size=size, mode="bilinear", align_corners=False)[0]
    if values.dtype == warpup.uint8:
        made = made.round().clamp(0, 255)
    return back(made.to(values.dtype))


def crop(img, top, left, height, width):
    values, back = _tensor(img)
    return back(values[..., top:top + height, left:left + width])


def pad(img, padding, fill=0, padding_mode="constant"):
    values, back = _tensor(img)
    padding = [padding] if isinstance(padding, int) else list(padding)
    if len(padding) == 1:
        padding *= 4
    elif len(padding) == 2:
        padding *= 2
    left, top, right, bottom = padding
    around = (left, right, top, bottom)
    mode = {"edge": "replicate"}.get(padding_mode, padding_mode)
    if mode == "constant":
        return back(warpup.nn.functional.pad(values, around, value=fill))
    made = warpup.nn.functional.pad(values[None].float(), around, mode=mode)[0]
    return back(made.to(values.dtype))


def center_crop(img, output_size):
    output_size = [output_size] * 2 if isinstance(output_size, int) else list(output_size)
    height, width = output_size if len(output_size) == 2 else output_size * 2
    values, _ = _tensor(img)
    rows, columns = values.shape[-2:]
    if width > columns or height > rows:
        left, top = max((width - columns) // 2, 0), max((height - rows) // 2, 0)
        right, bottom = max((width - columns + 1) // 2, 0), max((height - rows + 1) // 2, 0)
        img = pad(img, [left, top, right, bottom])
        rows, columns = max(rows, height), max(columns, width)
    return crop(img, round((rows - height) / 2.0), round((columns - width) / 2.0), height, width)


def hflip(img):
    values, back = _tensor(img)
    return back(values.flip(-1))


def vflip(img):
    values, back = _tensor(img)
    return back(values.flip(-2))


def rgb_to_grayscale(img, num_output_channels=1):
    values, back = _tensor(img)
    if values.shape[-3] == 3:
        red, green, blue = values.float().unbind(-3)
        gray = (0.2989 * red + 0.587 * green + 0.114 * blue).to(values.dtype).unsqueeze(-3)
    else:
        gray = values
    return back(gray.expand(*gray.shape[:-3], num_output_channels, *gray.shape[-2:]))


def __getattr__(name):
    raise missing("torchvision.transforms.functional", name, [it for it in globals() if not it.startswith("_")])
