"""Functions of convolution and padding, loaded on first use."""

import _spatial

from warpup import Tensor


def _tuple(given, dims, name):
    """One number or one for each spatial dimension, as a tuple."""
    if isinstance(given, int):
        return (given,) * dims
    given = tuple(given)
    if len(given) == 1:
        return given * dims
    if len(given) != dims:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the convolution "
            f"dimensions, but got {name}={list(given)}"
        )
    return given


def _batched(input, dims, function):
    """The input with a batch, and whether it had one."""
    if input.dim() not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {function}, but got input of size: "
            f"{list(input.shape)}"
        )
    has_batch = input.dim() == dims + 2
    return (input if has_batch else input.unsqueeze(0)), has_batch


def _checked(function, dims, input, weight, bias, numbers):
    for at, (name, it) in enumerate((("input", input), ("weight", weight)), 1):
        if not isinstance(it, Tensor):
            raise TypeError(f"{function}(): argument '{name}' (position {at}) must be Tensor, not {type(it).__name__}")
    for it in (weight, bias):
        if it is not None and it.device != input.device:
            raise RuntimeError(
                f"Input type ({input.type()}) and {'weight' if it is weight else 'bias'} type ({it.type()}) should be "
                "the same"
            )
    stride, padding, dilation = (_tuple(given, dims, name) for name, given in numbers)
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(dilation) <= 0:
        raise RuntimeError("dilation should be greater than zero")
    return stride, padding, dilation


def _conv(dims, input, weight, bias, stride, padding, dilation, groups):
    function = f"conv{dims}d"
    same = padding == "same"
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        padding = 0
    numbers = (("stride", stride), ("padding", padding), ("dilation", dilation))
    stride, padding, dilation = _checked(function, dims, input, weight, bias, numbers)
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    input, has_batch = _batched(input, dims, function)
    if same:
        if max(stride) > 1:
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        totals = [step * (size - 1) for step, size in zip(dilation, weight.shape[2:])]
        padding = [total // 2 for total in totals]
        if any(total % 2 for total in totals):
            # One more at the end, as in PyTorch.
            input = pad(input, [it for total in reversed(totals) for it in (0, total % 2)])
    out = _spatial.convolution([input, weight, bias], stride, padding, dilation, groups)
    return out if has_batch else out.squeeze(0)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _conv(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _conv(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _conv(3, input, weight, bias, stride, padding, dilation, groups)


_AXES = {1: ("width",), 2: ("height", "width"), 3: ("depth", "height", "width")}


def _transposed(dims, input, weight, bias, stride, padding, output_padding, groups, dilation):
    function = f"conv_transpose{dims}d"
    numbers = (("stride", stride), ("padding", padding), ("dilation", dilation))
    stride, padding, dilation = _checked(function, dims, input, weight, bias, numbers)
    output_padding = _tuple(output_padding, dims, "output_padding")
    input, has_batch = _batched(input, dims, function)
    if any(extra >= max(step, apart) for extra, step, apart in zip(output_padding, stride, dilation)):
        axes = _AXES[max(dims, 2)]
        told = []
        for name, given in (("output_padding", output_padding), ("stride", stride), ("dilation", dilation)):
            given = given if dims > 1 else (0 if name == "output_padding" else 1, *given)
            told += [f"{name}_{axis}: {it}" for axis, it in zip(axes, given)]
        raise RuntimeError(
            "output padding must be smaller than either stride or dilation, but got " + " ".join(told)
        )
    sizes = [
        (size - 1) * step - 2 * around + apart * (kernel - 1) + extra + 1
        for size, step, around, apart, kernel, extra in zip(
            input.shape[2:], stride, padding, dilation, weight.shape[2:], output_padding
        )
    ]
    if min(sizes) <= 0:
        raise RuntimeError(
            f"Given input size per channel: ({' x '.join(map(str, input.shape[2:]))}). Calculated output size per "
            f"channel: ({' x '.join(map(str, sizes))}). Output size is too small"
        )
    out = _spatial.convolution([input, weight, bias], stride, padding, dilation, groups, sizes)
    return out if has_batch else out.squeeze(0)


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return _transposed(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return _transposed(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return _transposed(3, input, weight, bias, stride, padding, output_padding, groups, dilation)


def pad(input, pad, mode="constant", value=None):
    """Pads the last dimensions: two numbers for each, the last dimension first."""
    pad = list(pad)
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) // 2 > input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.dim()}"
        )
    if mode not in ("constant", "reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    ends = [(input.dim() - 1 - at, pad[2 * at], pad[2 * at + 1]) for at in range(len(pad) // 2)]
    if mode == "constant":
        return _constant(input, ends, 0.0 if value is None else float(value))
    if value is not None and value != 0:
        raise ValueError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if not input.dim() - 2 <= len(ends) <= input.dim() - 1:
        raise NotImplementedError(
            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now"
        )
    for dim, before, after in ends:
        size = input.shape[dim]
        if mode == "reflect" and max(before, after) >= size:
            raise RuntimeError(
                "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({before}, {after}) at dimension {dim} of input {list(input.shape)}"
            )
        if mode == "circular" and max(before, after) > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
    for dim, before, after in ends:
        input = _joined(_cut(input, dim, before, after), dim, max(before, 0), max(after, 0), mode)
    return input


def _cut(input, dim, before, after):
    """Padding below 0 leaves elements out."""
    start, end = max(-before, 0), max(-after, 0)
    if start or end:
        return input.narrow(dim, start, input.shape[dim] - start - end)
    return input


def _constant(input, ends, value):
    for dim, before, after in ends:
        input = _cut(input, dim, before, after)
    starts, stops = [0] * input.dim(), [0] * input.dim()
    for dim, before, after in ends:
        starts[dim], stops[dim] = max(before, 0), max(after, 0)
    return _spatial.pad(input, starts, stops, value)


def _joined(input, dim, before, after, mode):
    import warpup

    size = input.shape[dim]

    def part(start, length):
        return input.narrow(dim, start, length)

    if mode == "reflect":
        first, last = part(1, before).flip(dim), part(size - 1 - after, after).flip(dim)
    elif mode == "circular":
        first, last = part(size - before, before), part(0, after)
    else:
        shape = list(input.shape)
        first = part(0, 1).expand(*shape[:dim], before, *shape[dim + 1:]) if before else None
        last = part(size - 1, 1).expand(*shape[:dim], after, *shape[dim + 1:]) if after else None
    parts = [first if before else None, input, last if after else None]
    parts = [it for it in parts if it is not None]
    return warpup.cat(parts, dim) if len(parts) > 1 else input


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Each window as a column: (batch, channels times places, windows)."""
    import warpup

    if input.dim() not in (3, 4):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
            f"input, but got: {list(input.shape)}"
        )
    kernel, dilation, padding, stride = (_tuple(it, 2, "") for it in (kernel_size, dilation, padding, stride))
    input, has_batch = _batched(input, 2, "unfold")
    input = pad(input, (padding[1], padding[1], padding[0], padding[0]))
    sizes = [
        (size - apart * (length - 1) - 1) // step + 1
        for size, apart, length, step in zip(input.shape[2:], dilation, kernel, stride)
    ]
    places = [
        input[
            :, :, row * dilation[0]:row * dilation[0] + (sizes[0] - 1) * stride[0] + 1:stride[0],
            column * dilation[1]:column * dilation[1] + (sizes[1] - 1) * stride[1] + 1:stride[1],
        ]
        for row in range(kernel[0]) for column in range(kernel[1])
    ]
    out = warpup.stack(places, 2).reshape(input.shape[0], -1, sizes[0] * sizes[1])
    return out if has_batch else out.squeeze(0)
