"""Functions of torch that call the method of their name, and functions composed of others."""

import builtins
import sys as _sys

import _warpup
from _warpup import Tensor, where as _where, zeros
from warpup._registration import torch_function as _torch_function

# The native methods of tensors: those that the table of operations lists, and the others.
for _name in (
    *_warpup.methods_of_table(),
    "add", "addcdiv", "addcmul", "addmm", "argmax", "argmin", "argsort", "baddbmm", "clamp", "clip", "clone", "cummax",
    "cummin", "cumprod", "cumsum", "detach", "flatten", "flip", "gather", "index_add", "index_select", "kthvalue", "lerp",
    "log_softmax", "masked_fill", "max", "median", "min", "mul", "permute", "reshape", "scatter", "scatter_add", "softmax",
    "sort", "squeeze", "std", "t", "topk", "transpose", "tril", "triu", "unsqueeze", "var",
):
    globals()[_name] = _warpup.function(_name)
del _name

absolute, arccos, arcsin, arctan = abs, acos, asin, atan
negative, mod = neg, remainder


class _MinMax(tuple):
    """The smallest and the largest."""

    min = property(lambda self: self[0])
    max = property(lambda self: self[1])

    def __repr__(self):
        return f"torch.return_types.aminmax(\nmin={self[0]!r},\nmax={self[1]!r})"


_MinMax.__name__ = "aminmax"


def _method(function):
    """Makes a function also a method of tensors; only a method if its name begins with `_`."""
    _warpup.add_method(function.__name__.removeprefix("_"), function)
    return function


def _dim(dim, rank):
    span = builtins.max(rank, 1)
    if not -span <= dim < span:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-span}, {span - 1}], but got {dim})"
        )
    return dim % span


def _list(given):
    """One number or several, as a list."""
    return list(given) if isinstance(given, (tuple, list)) else [given]


def _sizes(given):
    """Numbers given as `f(2, 3)` or `f((2, 3))`."""
    return list(given[0]) if len(given) == 1 and isinstance(given[0], (tuple, list)) else list(given)


def pow(input, exponent):
    return input ** exponent


def rsub(input, other, alpha=1):
    return other - input * alpha


@_method
@_torch_function(node="ClampMinBackward0")
def clamp_min(input, min):
    return input.clamp(min=min)


@_method
@_torch_function(node="ClampMaxBackward0")
def clamp_max(input, max):
    return input.clamp(max=max)


@_method
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    if input.dtype != other.dtype:
        raise RuntimeError(f"{_scalar(input)} did not match {_scalar(other)}")
    close = (input - other).abs() <= atol + (other.abs() * rtol)
    close = (input == other) | (close & isfinite(other))
    return close | (isnan(input) & isnan(other)) if equal_nan else close


@_method
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return _warpup.compared(isclose(input, other, rtol, atol, equal_nan).all())


@_method
def equal(input, other):
    return input.shape == other.shape and _warpup.compared((input == other).all())


def _scalar(of):
    return of.type().split(".")[-1].removesuffix("Tensor")


@_method
@_torch_function(node="AminmaxBackward0")
def aminmax(input, *, dim=None, keepdim=False):
    if dim is None and input.numel() == 0:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    dims = () if dim is None else dim
    return _MinMax((input.amin(dims, keepdim), input.amax(dims, keepdim)))


def _with_mean(spread, input, given, named):
    """The spread and the mean of `(dim, unbiased, keepdim)`, `(dim, *, correction, keepdim)` or `(unbiased)`."""
    dim = given[0] if given and not isinstance(given[0], builtins.bool) else None
    keepdim = given[2] if len(given) > 2 else named.get("keepdim", False)
    return spread(*given, **named), input.mean(dim, keepdim)


@_torch_function(node="VarMeanBackward0")
def var_mean(input, *given, **named):
    return _with_mean(input.var, input, given, named)


@_torch_function(node="StdMeanBackward0")
def std_mean(input, *given, **named):
    return _with_mean(input.std, input, given, named)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if out is not None:
        raise NotImplementedError("norm(out=…) is not part of warpup; PyTorch has it")
    return input.norm(p, dim, keepdim, dtype)


@_method
def _norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    if isinstance(p, str):
        if p != "fro":
            raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
        p = 2
    return input._vector_norm(2 if p is None else p, dim, keepdim, dtype=dtype)


_round = Tensor.round


@_method
def round(input, *, decimals=0):
    if decimals == 0:
        return _round(input)
    if not input.is_floating_point():
        raise NotImplementedError(f"\"round_vml_cpu\" not implemented for '{_scalar(input)}'")
    # By a power of ten that is exact, as PyTorch does: for places before the point it divides first.
    ten = 10.0 ** builtins.abs(decimals)
    return _round(input * ten) / ten if decimals > 0 else _round(input / ten) * ten


def msort(input):
    return input.sort(0).values


# Products.


def _tensors_only(function, input, mat2):
    for at, (name, it) in enumerate((("input", input), ("mat2", mat2)), 1):
        if not isinstance(it, Tensor):
            raise TypeError(f"{function}(): argument '{name}' (position {at}) must be Tensor, not {type(it).__name__}")


@_method
def mm(input, mat2):
    _tensors_only("mm", input, mat2)
    for name, it in (("self", input), ("mat2", mat2)):
        if it.dim() != 2:
            raise RuntimeError(f"mm: {name} must be a matrix, got {it.dim()}-D tensor")
    return _warpup.matmul(input, mat2)


@_method
def bmm(input, mat2):
    _tensors_only("bmm", input, mat2)
    for name, it in (("batch1", input), ("batch2", mat2)):
        if it.dim() != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if input.shape[0] != mat2.shape[0]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{input.shape[0]}, {input.shape[2]}] but got: [{mat2.shape[0]}, {mat2.shape[1]}]."
        )
    return _warpup.matmul(input, mat2)


@_method
@_torch_function(node="MvBackward0")
def mv(input, vec):
    if input.dim() != 2 or vec.dim() != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.dim()}, {vec.dim()}")
    return _warpup.matmul(input, vec)


@_method
def dot(input, tensor):
    if input.dim() != 1 or tensor.dim() != 1:
        raise RuntimeError(f"1D tensors expected, but got {input.dim()}D and {tensor.dim()}D tensors")
    return _warpup.matmul(input, tensor)


@_method
def inner(input, other):
    if input.dim() == 0 or other.dim() == 0:
        return input * other
    rows = input.reshape(-1, input.shape[-1])
    return (rows @ other.reshape(-1, other.shape[-1]).T).reshape(input.shape[:-1] + other.shape[:-1])


@_method
def outer(input, vec2):
    for name, it in (("self", input), ("vec2", vec2)):
        if it.dim() != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {it.dim()}-D")
    return input.unsqueeze(1) * vec2


ger = outer


# Functions whose result depends on values.


@_method
def nonzero(input, *, as_tuple=False):
    found = input._nonzero()
    if not as_tuple:
        return found
    return tuple(found[:, at] for at in range(builtins.max(input.dim(), 1)))


def argwhere(input):
    return input.nonzero()


@_method
@_torch_function(node="MaskedSelectBackward0")
def masked_select(input, mask):
    if not mask.type().endswith("BoolTensor"):
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    # A sum of tensors without values has the common shape, or raises.
    shape = (mask | zeros(1, dtype=mask.dtype, device=mask.device).expand(input.shape)).shape
    places = mask.expand(shape).reshape(-1)._nonzero().squeeze(1)
    return input.expand(shape).reshape(-1).index_select(0, places)


_warpup.add_method("where", lambda input, condition, other: _where(condition, input, other))


def where(condition, *choices):
    return _where(condition, *choices) if choices else condition.nonzero(as_tuple=True)


@_method
def bincount(input, weights=None, minlength=0):
    if input.is_floating_point() or input.type().endswith("BoolTensor"):
        kind = _scalar(input)
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{kind}'")
    if input.dim() != 1 or (input.numel() and input.min().item() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    size = builtins.max(input.max().item() + 1 if input.numel() else 0, minlength)
    ones = input.new_ones(input.shape, dtype=_warpup_dtype("int64")) if weights is None else weights
    return ones.new_zeros(size).scatter_add(0, input.long(), ones)


def _warpup_dtype(name):
    return dict(_warpup.dtypes())[name]


@_method
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        raise NotImplementedError("unique(dim=…) is not part of warpup; PyTorch has it")
    order = input.reshape(-1).sort()
    found = order.values
    starts = found.new_ones(found.shape, dtype=_warpup_dtype("bool"))
    if found.numel() > 1:
        starts = _warpup.cat([starts[:1], found[1:] != found[:-1]], 0)
    places = starts._nonzero().squeeze(1)
    results = [found.index_select(0, places)]
    if return_inverse:
        group = starts.long().cumsum(0) - 1
        results.append(group.new_zeros(group.shape).scatter(0, order.indices, group).reshape(input.shape))
    if return_counts:
        ends = _warpup.cat([places[1:], places.new_full((1,), found.numel())], 0)[: places.numel()]
        results.append(ends - places)
    return results[0] if len(results) == 1 else tuple(results)


# Methods of modules that few programs need, beside those that `@torch_function` registers: other names of native functions,
# and native operations in place.
_LATER = {
    "warpup._choosing": "argwhere moveaxis msort swapdims",
    "warpup._in_place":
        "abs_ acos_ acosh_ addmm_ asin_ asinh_ atan2_ atan_ atanh_ baddbmm_ bitwise_and_ bitwise_not_ bitwise_or_ bitwise_xor_ "
        "cosh_ cumprod_ cumsum_ divide_ eq_ erfinv_ exp2_ expm1_ fix_ fmod_ frac_ ge_ gt_ index_add_ le_ log10_ log1p_ log2_ "
        "logical_and_ logical_not_ logical_or_ logical_xor_ lt_ multiply_ ne_ reciprocal_ sign_ sinh_ square_ subtract_ tan_ "
        "tril_ triu_ true_divide_ trunc_",
    "warpup._pointwise": "arcsinh arctan2 arctanh fix",
}
for _module, _methods in (*_LATER.items(), *((_it[0], _it[2]) for _it in _warpup.registered())):
    _warpup.add_later(_module, _methods)
del _module, _methods


def written(input, result, names={}):
    """Writes the result of a function into a tensor, whose node then has the name of that function."""
    node = result.grad_fn
    input.copy_(result)
    if node is not None:
        name = node.name()
        _warpup.named(input, names.get(name, name))
    return input


def _layout(self):
    from warpup._layouts import strided

    return strided


def _adjoint(self):
    if self.dim() not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor."
            + (" For batches of matrices, consider using tensor.mH" if self.dim() > 2 else "")
        )
    return self.T


# What no tensor of warpup is.
for _name in "is_ipu is_maia is_mkldnn is_mps is_mtia is_nested is_quantized is_sparse is_sparse_csr is_vulkan is_xla is_xpu".split():
    _warpup.add_attribute(_name, property(lambda self: False))
_warpup.add_attribute("layout", property(_layout))
_warpup.add_attribute("H", property(_adjoint))
_warpup.add_attribute("mH", property(lambda self: self.mT))
_warpup.add_attribute("name", None)
_warpup.add_attribute("output_nr", 0)
_warpup.add_attribute("volatile", False)
del _name


def __getattr__(name):
    """PyTorch's `torch.functional`, which is this file, also has the functions of layers as `F`."""
    if name != "F":
        raise AttributeError(f"module 'torch.functional' has no attribute '{name}'")
    return _sys.modules["warpup"].nn.functional
