"""torch.nn.init: initial values of parameters. Each function writes into its tensor and returns it."""

import math

import warpup
from warpup import _names


def _set(tensor, values):
    with warpup.no_grad():
        return tensor.copy_(values)


def _in_place(tensor, method, *arguments):
    """Calls an in-place method, so that no second tensor is allocated."""
    with warpup.no_grad():
        return getattr(tensor, method)(*arguments)


def zeros_(tensor):
    return _in_place(tensor, "zero_")


def ones_(tensor):
    return _in_place(tensor, "fill_", 1.0)


def constant_(tensor, val):
    return _in_place(tensor, "fill_", val)


def eye_(tensor):
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return _set(tensor, warpup.eye(*tensor.shape))


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return _in_place(tensor, "uniform_", a, b)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return _in_place(tensor, "normal_", mean, std)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Draws values outside the bounds again, often enough for all but very narrow bounds."""
    values = warpup.randn_like(tensor) * std + mean
    for _ in range(32):
        outside = (values < a).logical_or(values > b)
        values = warpup.where(outside, warpup.randn_like(tensor) * std + mean, values)
    return _set(tensor, values.clamp(a, b))


def calculate_gain(nonlinearity, param=None):
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75}
    if nonlinearity in ("linear", "sigmoid") or nonlinearity.startswith("conv"):
        return 1
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def _fans(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _fans(tensor)
    return fan_in if mode == "fan_in" else fan_out


def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _fans(tensor)
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _fans(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)))


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)))


__getattr__ = _names.getter("torch.nn.init", globals())
