"""Activation functions that are made of others, loaded on first use."""

import warpup
from _warpup import named
from warpup.nn import functional as F


def prelu(input, weight):
    if weight.numel() > 1:
        channels = input.shape[1] if input.dim() > 1 else 1
        if weight.numel() != channels:
            raise RuntimeError(
                f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {weight.numel()} and "
                f"channel size = {channels}."
            )
        weight = weight.reshape(-1, *[1] * (input.dim() - 2))
    return named(input.clamp(min=0) + weight * input.clamp(max=0), "PreluKernelBackward0")


def hardsigmoid(input, inplace=False):
    return F._kept(input, named(F.relu6(input + 3) / 6, "HardsigmoidBackward0"), inplace)


def _hardswish(input):
    return input * F.relu6(input + 3) / 6


def hardswish(input, inplace=False):
    return F._kept(input, named(_hardswish(F._saved(input, inplace)), "HardswishBackward0"), inplace)


def softsign(input):
    return input / (input.abs() + 1)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return F.softmax(-input, dim, dtype=dtype)


def celu(input, alpha=1.0, inplace=False):
    return F._kept(input, named(F.elu(input / alpha) * alpha, "CeluBackward0"), inplace)


def glu(input, dim=-1):
    if input.dim() == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    size = input.shape[dim]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.dim()} is size {size}")
    first, second = input.chunk(2, dim)
    return named(first * second.sigmoid(), "GluBackward0")


def threshold(input, threshold, value, inplace=False):
    return F._kept(input, named(input.masked_fill(input <= threshold, value), "ThresholdBackward0"), inplace)


def tanhshrink(input):
    return input - input.tanh()


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if not training:
        slopes = (lower + upper) / 2
    else:
        # A number is drawn for each element that is not positive.
        slopes = warpup.ones_like(input.detach())
        below = input.detach() <= 0
        drawn = warpup.rand(int(below.sum()), dtype=warpup.float64, device=input.device) * (upper - lower) + lower
        slopes[below] = drawn.to(input.dtype)
    result = warpup.where(input > 0, input, input * slopes)
    return F._kept(input, named(result, "RreluWithNoiseBackward0"), inplace)


def softshrink(input, lambd=0.5):
    if lambd < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    return (input - lambd).clamp(min=0) + (input + lambd).clamp(max=0)


def hardshrink(input, lambd=0.5):
    return input.masked_fill(input.abs() <= lambd, 0.0)
