"""What both kinds of weight norm and of spectral norm compute, and the kinds of old, which are hooks. Loaded on first use.
"""

import sys

import warpup
from warpup import _generator
from warpup.nn import Module, Parameter
from warpup.nn import functional as F


def length(v, dim):
    """The norm over all dimensions but one, or over all for -1: `torch.norm_except_dim`."""
    others = [it for it in range(v.dim()) if it != dim]
    return warpup.linalg.vector_norm(v, 2, others, keepdim=True) if dim != -1 else warpup.linalg.vector_norm(v)


def with_length(v, g, dim):
    """`torch._weight_norm`: the direction of one and the length of the other."""
    return warpup._warpup.named(v * (g / length(v, dim)), "WeightNormInterfaceBackward0")


def default_dim(module):
    return 1 if type(module).__name__.removeprefix("Parametrized").startswith("ConvTranspose") else 0


def as_matrix(weight, dim):
    if dim != 0:
        weight = weight.permute(dim, *(it for it in range(weight.dim()) if it != dim))
    return weight.flatten(1)


def _find(module, kind, name):
    """The number and the hook of this kind for a parameter."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and hook.name == name:
            return number, hook
    return None, None


class WeightNorm:
    def __init__(self, name, dim):
        self.name, self.dim = name, -1 if dim is None else dim

    def compute_weight(self, module):
        return with_length(getattr(module, self.name + "_v"), getattr(module, self.name + "_g"), self.dim)

    @staticmethod
    def apply(module, name, dim):
        print(
            "FutureWarning: `torch.nn.utils.weight_norm` is deprecated in favor of "
            "`torch.nn.utils.parametrizations.weight_norm`.", file=sys.stderr
        )
        if _find(module, WeightNorm, name)[1] is not None:
            raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        delattr(module, name)
        module.register_parameter(name + "_g", Parameter(length(weight.detach(), made.dim)))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, made.compute_weight(module))
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module):
        weight = self.compute_weight(module)
        for name in (self.name, self.name + "_g", self.name + "_v"):
            delattr(module, name)
        setattr(module, self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module, name="weight", dim=0):
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name="weight"):
    number, hook = _find(module, WeightNorm, name)
    if hook is None:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    hook.remove(module)
    del module._forward_pre_hooks[number]
    return module


class SpectralNorm:
    _version = 1

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight):
        return as_matrix(weight, self.dim) if weight.dim() > 1 else weight.reshape(weight.shape[0], -1)

    def compute_weight(self, module, do_power_iteration):
        weight, u, v = (getattr(module, self.name + end) for end in ("_orig", "_u", "_v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with warpup.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(warpup.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(warpup.mv(matrix, v), dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()
        return weight / warpup.dot(u, warpup.mv(matrix, v))

    def remove(self, module):
        with warpup.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for end in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + end)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        if _find(module, SpectralNorm, name)[1] is not None:
            raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        made = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        with warpup.no_grad():
            rows, columns = made.reshape_weight_to_matrix(weight).shape
            u, v = (
                F.normalize(weight.new_empty(size).normal_(0, 1), dim=0, eps=eps) for size in (rows, columns)
            )
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        # Until the first forward, a plain tensor stands for the weight.
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(made)
        return made


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    SpectralNorm.apply(module, name, n_power_iterations, default_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module, name="weight"):
    number, hook = _find(module, SpectralNorm, name)
    if hook is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    hook.remove(module)
    del module._forward_pre_hooks[number]
    return module


def skip_init(module_cls, *args, **kwargs):
    """A module whose parameters nobody fills."""
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    code = module_cls.__init__.__code__
    if "device" not in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    # What fills them draws nothing from the program's random numbers.
    state = _generator.states()
    made = module_cls(*args, **kwargs)
    _generator.restore(state)
    return made.to_empty(device=kwargs.get("device") or "cpu")
