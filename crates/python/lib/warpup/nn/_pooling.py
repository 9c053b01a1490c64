"""Functions of pooling and of other sizes, loaded on first use."""

import math

import _spatial


def _tuple(given, dims, name, function):
    if isinstance(given, int):
        return (given,) * dims
    given = tuple(given)
    if len(given) == 1:
        return given * dims
    if len(given) != dims:
        raise RuntimeError(f"{function}: {name} must either be a single int, or a tuple of {dims} ints")
    return given


def _windows(dims, function, kernel_size, stride, padding, dilation, ceil_mode):
    kernel = _tuple(kernel_size, dims, "kernel_size", function)
    # An empty tuple means no stride, like None.
    stride = kernel if stride is None or stride == () else _tuple(stride, dims, "stride", function)
    padding, dilation = _tuple(padding, dims, "padding", function), _tuple(dilation, dims, "dilation", function)
    if min(stride) <= 0:
        raise RuntimeError("stride should not be zero")
    for around, size, apart in zip(padding, kernel, dilation):
        if around < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {around}")
        if around > ((size - 1) * apart + 1) // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={around}, kernel_size={size} and "
                f"dilation={apart}"
            )
    return [
        (size, step, around, apart, 1 if ceil_mode else 0)
        for size, step, around, apart in zip(kernel, stride, padding, dilation)
    ]


def _batched(input, dims, message):
    if input.dim() not in (dims + 1, dims + 2):
        raise RuntimeError(message)
    has_batch = input.dim() == dims + 2
    return (input if has_batch else input.unsqueeze(0)), has_batch


def _largest(input, windows, has_batch, return_indices):
    positions = _spatial.largest(input, windows)
    out = _spatial.taken(input, positions, windows)
    if not has_batch:
        out, positions = out.squeeze(0), positions.squeeze(0)
    return (out, positions) if return_indices else out


def max_pool1d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    windows = _windows(1, "max_pool1d", kernel_size, stride, padding, dilation, ceil_mode)
    input, has_batch = _batched(
        input, 1,
        "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
        f"[{', '.join(map(str, input.shape))}]",
    )
    size, step, around, apart, up = windows[0]
    free = input.shape[-1] + 2 * around - apart * (size - 1) - 1
    if free < 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {math.floor(free / step) + 1}")
    # As in PyTorch: two dimensions, of which the first has one row.
    rows = [(1, 1, 0, 1, 0), windows[0]]
    out, positions = _largest(input.unsqueeze(-2), rows, True, True)
    out, positions = out.squeeze(-2), positions.squeeze(-2)
    if not has_batch:
        out, positions = out.squeeze(0), positions.squeeze(0)
    return (out, positions) if return_indices else out


def max_pool2d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    windows = _windows(2, "max_pool2d", kernel_size, stride, padding, dilation, ceil_mode)
    input, has_batch = _batched(input, 2, "non-empty 3D or 4D (batch mode) tensor expected for input")
    return _largest(input, windows, has_batch, return_indices)


def max_pool3d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    windows = _windows(3, "max_pool3d", kernel_size, stride, padding, dilation, ceil_mode)
    input, has_batch = _batched(input, 3, "non-empty 4D or 5D (batch mode) tensor expected for input")
    return _largest(input, windows, has_batch, return_indices)


def _unpooled(dims, input, indices, kernel_size, stride, padding, output_size):
    windows = _windows(dims, f"max_unpool{dims}d", kernel_size, stride, padding, 1, False)
    if output_size is None:
        output_size = [
            (size - 1) * step - 2 * around + kernel
            for size, (kernel, step, around, _, _) in zip(input.shape[-dims:], windows)
        ]
    sizes = list(output_size)[-dims:]
    if input.dim() == dims + 1:
        return _spatial.put(input.unsqueeze(0), indices.unsqueeze(0), sizes).squeeze(0)
    return _spatial.put(input, indices, sizes)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpooled(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpooled(2, input, indices, kernel_size, stride, padding, output_size)


def _divisor(count_include_pad, divisor_override):
    if divisor_override is None:
        return -1.0 if count_include_pad else 0.0
    if divisor_override <= 0:
        raise RuntimeError("divisor must be not zero")
    return float(divisor_override)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    windows = _windows(1, "avg_pool1d", kernel_size, stride, padding, 1, ceil_mode)
    input, has_batch = _batched(
        input, 1, f"Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got {list(input.shape)}"
    )
    rows = [(1, 1, 0, 1, 0), windows[0]]
    out = _spatial.average(input.unsqueeze(-2), rows, _divisor(count_include_pad, None)).squeeze(-2)
    return out if has_batch else out.squeeze(0)


def _averaged(dims, input, windows, divisor, message):
    input, has_batch = _batched(input, dims, message)
    out = _spatial.average(input, windows, divisor)
    return out if has_batch else out.squeeze(0)


def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    windows = _windows(2, "avg_pool2d", kernel_size, stride, padding, 1, ceil_mode)
    if input.dim() == 2:
        raise IndexError("Dimension out of range (expected to be in range of [-2, 1], but got -3)")
    message = "non-empty 3D or 4D (batch mode) tensor expected for input"
    return _averaged(2, input, windows, _divisor(count_include_pad, divisor_override), message)


def avg_pool3d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    windows = _windows(3, "avg_pool3d", kernel_size, stride, padding, 1, ceil_mode)
    message = "non-empty 4D or 5D (batch mode) tensor expected for input"
    return _averaged(3, input, windows, _divisor(count_include_pad, divisor_override), message)


def _adaptive(dims, input, output_size):
    """Sizes of a result; None keeps that of the input."""
    sizes = (output_size,) * dims if isinstance(output_size, int) or output_size is None else tuple(output_size)
    return [own if size is None else size for own, size in zip(input.shape[-dims:], sizes)]


def adaptive_avg_pool1d(input, output_size):
    if input.dim() not in (2, 3):
        raise RuntimeError(f"adaptive_avg_pool1d(): Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for input")
    sizes = [(1,), (_adaptive(1, input, output_size)[0],)]
    batched = input if input.dim() == 3 else input.unsqueeze(0)
    out = _spatial.average(batched.unsqueeze(-2), sizes, 0.0).squeeze(-2)
    return out if input.dim() == 3 else out.squeeze(0)


def _adaptive_average(dims, input, output_size):
    sizes = _adaptive(dims, input, output_size)
    ranks = f"{dims + 1}D or {dims + 2}D"
    message = f"adaptive_avg_pool{dims}d(): Expected {ranks} tensor, but got {list(input.shape)}"
    if all(size == 1 for size in sizes) and input.dim() in (dims + 1, dims + 2):
        return input.mean(tuple(range(-dims, 0)), keepdim=True)
    return _averaged(dims, input, [(size,) for size in sizes], 0.0, message)


def adaptive_avg_pool2d(input, output_size):
    return _adaptive_average(2, input, output_size)


def adaptive_avg_pool3d(input, output_size):
    return _adaptive_average(3, input, output_size)


def _adaptive_largest(dims, input, output_size, return_indices):
    message = f"adaptive_max_pool{dims}d(): Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(input.shape)}"
    sizes = [(size,) for size in _adaptive(dims, input, output_size)]
    input, has_batch = _batched(input, dims, message)
    return _largest(input, sizes, has_batch, return_indices)


def adaptive_max_pool1d(input, output_size, return_indices=False):
    return _adaptive_largest(1, input, output_size, return_indices)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    return _adaptive_largest(2, input, output_size, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    return _adaptive_largest(3, input, output_size, return_indices)


_RANKS = {"linear": 3, "bilinear": 4, "trilinear": 5, "bicubic": 4, "lanczos": 4}


def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
    antialias=False,
):
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
                "trilinear"
            )
    dims = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if mode in ("bicubic", "lanczos") or antialias:
        raise NotImplementedError(f"mode={mode!r} and antialias of interpolate() are not part of warpup; PyTorch has them")
    given = size if size is not None else scale_factor
    if isinstance(given, (tuple, list)) and len(given) != dims:
        name = "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions"
        if size is not None:
            raise ValueError(
                f"{name} of {list(input.shape[2:])} and output size of {size}. Please provide input tensor in (N, C, "
                "d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
            )
        raise ValueError(
            f"{name} of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. Please provide input "
            "tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
        )
    given = list(given) if isinstance(given, (tuple, list)) else [given] * dims
    own = input.shape[2:]
    sizes = given if size is not None else [math.floor(it * factor) for it, factor in zip(own, given)]
    if mode == "area":
        pool = {1: adaptive_avg_pool1d, 2: adaptive_avg_pool2d, 3: adaptive_avg_pool3d}[dims]
        return pool(input, sizes)
    if mode not in _RANKS and mode not in ("nearest", "nearest-exact") or not 3 <= input.dim() <= 5:
        raise NotImplementedError(
            "Input Error: Only 3D, 4D and 5D input Tensors supported "
            f"(got {input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | "
            f"nearest-exact (got {mode})"
        )
    if mode in _RANKS and _RANKS[mode] != input.dim():
        raise NotImplementedError(f"Got {input.dim()}D input, but {mode} mode needs {_RANKS[mode]}D input")
    if min(sizes) <= 0:
        raise RuntimeError(
            "Input and output sizes should be greater than 0, but got input "
            f"({', '.join(f'{n}: {s}' for n, s in zip('HW', own))}) output "
            f"({', '.join(f'{n}: {s}' for n, s in zip('HW', sizes))})"
        )
    if mode in _RANKS and align_corners:
        steps = [(it - 1) / (to - 1) if to > 1 else 0.0 for it, to in zip(own, sizes)]
        between = "corners"
    else:
        by_factor = scale_factor is not None and not recompute_scale_factor
        steps = [1.0 / it for it in given] if by_factor else [it / to for it, to in zip(own, sizes)]
        between = "linear" if mode in _RANKS else mode
    return _spatial.resample(input, sizes, steps, between)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)


def pixel_shuffle(input, upscale_factor):
    if input.dim() < 3:
        raise RuntimeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {input.dim()} dimension(s)"
        )
    *outer, channels, rows, columns = input.shape
    factor = upscale_factor
    if channels % factor**2:
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={channels} is not divisible by {factor**2}"
        )
    split = input.reshape(-1, channels // factor**2, factor, factor, rows, columns)
    return split.permute(0, 1, 4, 2, 5, 3).reshape(*outer, channels // factor**2, rows * factor, columns * factor)


def pixel_unshuffle(input, downscale_factor):
    *outer, channels, rows, columns = input.shape
    factor = downscale_factor
    split = input.reshape(-1, channels, rows // factor, factor, columns // factor, factor)
    return split.permute(0, 1, 3, 5, 2, 4).reshape(*outer, channels * factor**2, rows // factor, columns // factor)


def channel_shuffle(input, groups):
    batch, channels, *sizes = input.shape
    return input.reshape(batch, groups, channels // groups, *sizes).transpose(1, 2).reshape(input.shape)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    size = math.prod(_tuple(kernel_size, 2, "kernel_size", "lp_pool2d"))
    out = avg_pool2d(input.abs() ** norm_type, kernel_size, stride, 0, ceil_mode)
    return (out * size) ** (1.0 / norm_type)
