"""Methods that work in place, made of those that do not. Loaded on first use."""

from warpup import Tensor, no_grad
from warpup._functions import written
from warpup._registration import torch_function

_NATIVE = (
    "ceil_ clamp_ clamp_max_ clamp_min_ cos_ detach_ erf_ exp_ fill_ floor_ log_ neg_ relu_ round_ rsqrt_ sigmoid_ sin_ sqrt_ "
    "tanh_ zero_"
).split()


def _made(name):
    def method(self, *args, **kwargs):
        # A function that saves its input has to save it as it was.
        source = self.clone() if self.requires_grad else self
        return written(self, getattr(source, name)(*args, **kwargs))

    return method


def __getattr__(name):
    if not name.endswith("_") or name.startswith("_"):
        raise AttributeError(f"module 'torch' has no attribute '{name}'")
    native = getattr(Tensor, name, None) if name in _NATIVE else None
    method = native if native is not None else _made(name[:-1])
    globals()[name] = method
    return method


@torch_function(function=False)
def resize_(input, *sizes, memory_format=None):
    """The same elements in another shape; new ones hold what was in memory, here zeros."""
    sizes = tuple(sizes[0]) if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
    wanted = 1
    for it in sizes:
        wanted *= it
    with no_grad():
        flat = input.detach().reshape(-1)[:wanted]
        if flat.numel() < wanted:
            import warpup

            flat = warpup.cat([flat, flat.new_zeros(wanted - flat.numel())])
        input.data = flat.reshape(sizes).clone()
    return input


@torch_function
def resize_as_(input, the_template, *, memory_format=None):
    return resize_(input, *the_template.shape)


@torch_function(function=False)
def set_(input, source):
    input.data = source
    return input


@torch_function(function=False)
def share_memory_(input):
    return input


@torch_function(function=False)
def fill_diagonal_(input, fill_value, wrap=False):
    if input.dim() < 2:
        raise RuntimeError("dimensions must larger than 1")
    least = min(input.shape)
    if wrap and input.dim() == 2 and input.shape[0] > input.shape[1]:
        step = input.shape[1] + 1
        flat = input.reshape(-1).clone()
        flat[::step] = fill_value
        return input.copy_(flat.reshape(input.shape))
    import warpup

    places = warpup.arange(least, device=input.device)
    with no_grad():
        input[(places,) * input.dim()] = fill_value
    return input
