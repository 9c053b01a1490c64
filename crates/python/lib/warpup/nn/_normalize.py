"""Functions of normalization over channels, loaded on first use."""

import math

import _spatial


def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05
):
    if training:
        _several(input)
    elif running_mean is None or running_var is None:
        raise RuntimeError(f"running_{'mean' if running_mean is None else 'var'} must be defined in evaluation mode")
    channels = input.shape[1] if input.dim() > 1 else 1
    for name, it in (("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias)):
        if it is not None and it.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {it.numel()}")
    if training and running_mean is not None:
        _track(input, running_mean, running_var, momentum)
    given = [input] if training else [input, running_mean, running_var]
    return _spatial.channel_norm(given + _affine(input, weight, bias), 0 if training else None, float(eps))


def _several(input):
    size = input.shape
    if math.prod(size) // (size[1] if len(size) > 1 else 1) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def _affine(input, weight, bias):
    """Weight and bias, or neither; ones or zeros where one is missing."""
    import warpup

    if weight is None and bias is not None:
        weight = warpup.ones_like(bias)
    if bias is None and weight is not None:
        bias = warpup.zeros_like(weight)
    return [weight, bias]


def _track(input, mean, variance, momentum, batch=1):
    """Moves running statistics to those of this input. `momentum` of None means no movement."""
    import warpup

    with warpup.no_grad():
        rows = _spatial.moments(input.detach())
        if batch > 1:
            rows = rows.reshape(2, batch, -1).mean(1)
        for running, row in zip((mean, variance), rows):
            running.lerp_(row.to(running.dtype), momentum)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if input.shape[1] % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    return _spatial.channel_norm([input] + _affine(input, weight, bias), num_groups, float(eps))


def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    batch, channels, *sizes = input.shape
    if use_input_stats and math.prod(sizes) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    # A batch norm of one sample with the channels of all, as in PyTorch.
    flat = input.reshape(1, batch * channels, *sizes)
    if running_mean is not None:
        _track(flat, running_mean, running_var, momentum, batch)
    affine = [None if it is None else it.repeat(batch) for it in (weight, bias)]
    out = _spatial.channel_norm([flat] + _affine(flat, *affine), 0, float(eps))
    return out.reshape(input.shape)


def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    from warpup.nn import functional as F

    squares = (input * input).unsqueeze(1)
    around = [0, 0] * (input.dim() - 2) + [size // 2, (size - 1) // 2]
    padded = F.pad(squares, around)
    shape = padded.shape
    planes = padded.reshape(shape[0], 1, shape[2], -1)
    means = F.avg_pool2d(planes, (size, 1), stride=1).reshape(input.shape)
    return input / (means * alpha + k) ** beta


def feature_dropout(input, p, training, inplace, kept):
    """Whole channels dropped: the first `kept` dimensions have a number each."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0:
        return input
    shape = list(input.shape[:kept]) + [1] * (input.dim() - kept)
    noise = input.detach().new_empty(shape).bernoulli_(1 - p)
    if p < 1.0:
        noise = noise.div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


def dropout1d(input, p=0.5, training=True, inplace=False):
    return feature_dropout(input, p, training, inplace, max(input.dim() - 1, 1))


def dropout2d(input, p=0.5, training=True, inplace=False):
    return feature_dropout(input, p, training, inplace, 2)


def dropout3d(input, p=0.5, training=True, inplace=False):
    return feature_dropout(input, p, training, inplace, 2)
