"""Functions and methods that few labs need, loaded on first use: samples, and what is made of other functions."""

import warpup
from warpup import Tensor, _functions
from warpup._registration import torch_function


@torch_function
def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    """Indices drawn with the weights of a row, as PyTorch draws them: without replacement by the largest of weights over random numbers."""
    if input.dim() not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not input.is_floating_point():
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for the input, got: " + warpup._functions._scalar(input)
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > input.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    with warpup.no_grad():
        weights = input.detach()
        if not input.is_cuda:
            # A card asserts this in its kernel; here the host looks.
            if not bool(((weights >= 0) & (weights < float("inf"))).all()):
                raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
            if not bool((weights.sum(-1) > 0).all()):
                raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        # One sample is drawn as without replacement.
        if replacement and num_samples > 1:
            sums = weights.double().cumsum(-1)
            sums = sums / sums[..., -1:]
            drawn = warpup.rand(
                *weights.shape[:-1], num_samples, dtype=warpup.double, device=weights.device, generator=generator
            )
            return (sums.unsqueeze(-2) < drawn.unsqueeze(-1)).sum(-1)
        scores = weights / warpup.empty_like(weights).exponential_(1, generator=generator)
        if num_samples == 1:
            return scores.argmax(-1, keepdim=True)
        return scores.topk(num_samples, -1).indices


@torch_function
def bernoulli(input, p=None, *, generator=None, out=None):
    """0 or 1, which is 1 with the probability of each element, or with `p`."""
    with warpup.no_grad():
        if p is not None:
            return warpup.empty_like(input).bernoulli_(p, generator=generator)
        if not input.is_floating_point():
            raise RuntimeError("Expected a floating point tensor of probabilities")
        if not input.is_cuda and input.numel() and not bool(((input >= 0) & (input <= 1)).all()):
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
        drawn = warpup.rand(input.shape, dtype=input.dtype, device=input.device, generator=generator)
        return (drawn < input).to(input.dtype)


@torch_function(method=False)
def normal(mean=0.0, std=1.0, size=None, *, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    if size is not None:
        size = (size,) if isinstance(size, int) else tuple(size)
        made = warpup.empty(size, dtype=dtype, device=device).normal_(float(mean), float(std), generator=generator)
        return made.requires_grad_(requires_grad)
    if not isinstance(mean, Tensor) and not isinstance(std, Tensor):
        raise TypeError(
            "normal() received an invalid combination of arguments - got (float, float), but expected one of: a mean or "
            "a std that is a Tensor, or a size"
        )
    if isinstance(std, Tensor) and not std.is_cuda and bool((std < 0).any()):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    like = mean + std
    with warpup.no_grad():
        drawn = warpup.randn(like.shape, dtype=like.dtype, device=like.device, generator=generator)
        return drawn * std + mean


@torch_function(method=False)
def full_like(
    input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False,
    memory_format=None,
):
    made = warpup.empty_like(input, dtype=dtype, device=device)
    made.fill_(fill_value)
    return made.requires_grad_(True) if requires_grad else made


@torch_function(method=False)
def randint_like(
    input, low, high=None, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False,
    memory_format=None,
):
    low, high = (0, low) if high is None else (low, high)
    dtype, device = input.dtype if dtype is None else dtype, input.device if device is None else device
    return warpup.randint(low, high, input.shape, dtype=dtype, device=device).requires_grad_(requires_grad)


@torch_function(in_place=True)
def nan_to_num(input, nan=0.0, posinf=None, neginf=None, *, out=None):
    if not input.is_floating_point():
        return input.clone()
    limits = warpup.finfo(input.dtype)
    values = input.masked_fill(input != input, 0.0 if nan is None else nan)
    values = values.masked_fill(input == float("inf"), limits.max if posinf is None else posinf)
    return values.masked_fill(input == float("-inf"), limits.min if neginf is None else neginf)


@torch_function
def ravel(input):
    return input.reshape(-1)


@torch_function(function=False)
def scatter_(input, dim, index, src=None, *, value=None, reduce=None):
    source = src if value is None else value
    if reduce is not None:
        source = source if isinstance(source, Tensor) else warpup.full(index.shape, source, dtype=input.dtype)
        if reduce not in ("add", "multiply"):
            raise RuntimeError("reduce argument must be either add or multiply.")
        kind = "sum" if reduce == "add" else "prod"
        return _functions.written(input, input.scatter_reduce(dim, index, source, kind))
    return _functions.written(input, input.scatter(dim, index, source))


@torch_function(function=False)
def scatter_add_(input, dim, index, src):
    return _functions.written(input, input.scatter_add(dim, index, src))
