"""torchvision.utils: pictures side by side."""

import warpup
from torchvision import missing


def make_grid(
    tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0, **kwargs
):
    """A picture of pictures, `nrow` in each row."""
    if isinstance(tensor, list):
        tensor = warpup.stack(tensor, dim=0)
    if not isinstance(tensor, warpup.Tensor):
        raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
    if tensor.dim() == 2:
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 3:
        tensor = (warpup.cat((tensor, tensor, tensor), 0) if tensor.size(0) == 1 else tensor).unsqueeze(0)
    if tensor.dim() == 4 and tensor.size(1) == 1:
        tensor = warpup.cat((tensor, tensor, tensor), 1)
    if normalize:
        tensor = tensor.clone()
        if value_range is not None and not isinstance(value_range, tuple):
            raise TypeError("value_range has to be a tuple (min, max) if specified. min and max are numbers")
        for part in tensor if scale_each else [tensor]:
            low, high = value_range or (float(part.min()), float(part.max()))
            part.clamp_(min=low, max=high).sub_(low).div_(max(high - low, 1e-5))
    if tensor.size(0) == 1:
        return tensor.squeeze(0)
    count = tensor.size(0)
    columns = min(nrow, count)
    rows = -(-count // columns)
    height, width = tensor.size(2) + padding, tensor.size(3) + padding
    grid = tensor.new_full((tensor.size(1), height * rows + padding, width * columns + padding), pad_value)
    for at in range(count):
        down, right = at // columns * height + padding, at % columns * width + padding
        grid[:, down:down + height - padding, right:right + width - padding].copy_(tensor[at])
    return grid


def save_image(tensor, fp, format=None, **kwargs):
    raise NotImplementedError("save_image is not part of warpup: a run has no disk. Plot numbers with lab.plot(x, series)")


def __getattr__(name):
    raise missing("torchvision.utils", name, [it for it in globals() if not it.startswith("_")])
