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
    with warpup.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    with warpup.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Normal values between two bounds; those outside are drawn again."""

    def below(it):
        return (1.0 + math.erf((it - mean) / std / math.sqrt(2.0))) / 2.0

    with warpup.no_grad():
        if below(b) - below(a) <= 0.3:
            return _truncated(tensor, (mean, std), (a, b), generator)
        result = tensor.normal_(mean, std, generator=generator)
        while True:
            outside = (result < a) | (result > b)
            if not outside.any():
                break
            result = warpup.where(outside, warpup.empty_like(result).normal_(mean, std, generator=generator), result)
        return tensor if tensor is result else tensor.copy_(result)


def _truncated(tensor, normal, bounds, generator):
    """Between bounds that leave little: uniform values, of which the likely ones are kept."""
    mean, std = normal
    peak = -0.5 * ((max(bounds[0], min(mean, bounds[1])) - mean) / std) ** 2
    result = tensor.uniform_(*bounds, generator=generator)
    pending, drawn = None, result
    while True:
        likely = ((drawn - mean) / std) ** 2 * -0.5 - peak
        rejected = warpup.empty_like(tensor).uniform_(generator=generator).log() > likely
        pending = rejected if pending is None else pending & rejected
        if not pending.any():
            return tensor.copy_(result)
        drawn = warpup.empty_like(tensor).uniform_(*bounds, generator=generator)
        result = warpup.where(pending, drawn, result)


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


# The names under which programs call them in PyTorch.
_calculate_fan_in_and_fan_out = _fans


def _fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _fans(tensor)
    return fan_in if mode == "fan_in" else fan_out


_calculate_correct_fan = _fan


def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _fans(tensor)
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _fans(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)), generator)


def orthogonal_(tensor, gain=1, generator=None):
    """A matrix with orthogonal rows or columns, from the decomposition of a random one."""
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    with warpup.no_grad():
        rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
        flat = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        q, r = warpup.qr(flat.t() if rows < columns else flat)
        q = q * r.diagonal().sign()
        return tensor.copy_((q.t() if rows < columns else q).reshape(tensor.shape)).mul_(gain)


def dirac_(tensor, groups=1):
    """The identity of a convolution."""
    if tensor.dim() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    with warpup.no_grad():
        tensor.zero_()
        out = tensor.shape[0] // groups
        for group in range(groups):
            for at in range(min(out, tensor.shape[1])):
                tensor[(group * out + at, at, *(it // 2 for it in tensor.shape[2:]))] = 1
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal values; of each column, this share is 0."""
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with warpup.no_grad():
        tensor.normal_(0, std, generator=generator)
        zeros = math.ceil(sparsity * tensor.shape[0])
        for column in range(tensor.shape[1]):
            tensor[warpup.randperm(tensor.shape[0])[:zeros], column] = 0
    return tensor


def _deprecated(function):
    """The name of PyTorch's first years, without the underscore."""

    def old(*args, **kwargs):
        import warnings

        name = function.__name__
        warnings.warn(
            f"`nn.init.{name[:-1]}` is now deprecated in favor of `nn.init.{name}`.", FutureWarning, stacklevel=2
        )
        return function(*args, **kwargs)

    return old


for _function in (
    uniform_, normal_, constant_, eye_, xavier_uniform_, xavier_normal_, kaiming_uniform_, kaiming_normal_, orthogonal_,
    dirac_, sparse_,
):
    globals()[_function.__name__[:-1]] = _deprecated(_function)
del _function

__getattr__ = _names.getter("torch.nn.init", globals())
