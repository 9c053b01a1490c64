"""Sums, means, extremes and counts over axes."""

import builtins

import _numpy
import warpup
from numpy import _dtypes, _math
from numpy._convert import asarray, cast, into, tensor_of, wrapped
from warpup import Tensor


def _over(apply, a, axis, keepdims, out=None):
    """Applies a reduction of the last dimension to one or several axes, which it joins to one."""
    tensor = tensor_of(a)
    axes = _dtypes.axes_of(axis, tensor.ndim)
    shape = tensor.shape
    result = apply(_last(tensor, axes))
    if keepdims:
        result = result.reshape([1 if at in axes else size for at, size in enumerate(shape)])
    if out is not None:
        out[...] = wrapped(result)
        return out
    if keepdims and result.ndim:
        return asarray(wrapped(result))
    return wrapped(result)


def _last(tensor, axes):
    """The tensor with these axes joined to one, the last."""
    rest = [at for at in range(tensor.ndim) if at not in axes]
    joined = 1
    for at in axes:
        joined *= tensor.shape[at]
    if axes != list(range(len(rest), tensor.ndim)):
        tensor = tensor.permute(*rest, *axes)
    return tensor.reshape([*tensor.shape[:len(rest)], joined])


def _typed(a, dtype, least=None):
    """The tensor of `a` in the type of the result: the one given, or `least` for truths and short whole numbers."""
    tensor = tensor_of(a)
    it = _dtypes.of_tensor(tensor)
    if dtype is not None:
        return cast(tensor, _dtypes.of(dtype))
    return cast(tensor, least) if least is not None and it.kind != "f" else tensor


def _added(tensor, axis, keepdims):
    """The sums of a tensor. Floats are added in NumPy's order, so that the last digit is the same."""
    axes = _dtypes.axes_of(axis, tensor.ndim)
    if len(axes) == 1 and tensor.is_floating_point():
        result = _numpy.sums(tensor, axes[0])
    else:
        joined = _last(tensor, axes)
        result = _numpy.sums(joined, joined.ndim - 1) if tensor.is_floating_point() else joined.sum(-1)
    if keepdims:
        result = result.reshape([1 if at in axes else size for at, size in enumerate(tensor.shape)])
    return result


def _count(tensor, axis):
    count = 1
    for at in _dtypes.axes_of(axis, tensor.ndim):
        count *= tensor.shape[at]
    return count


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=None):
    if where is not None:
        a = _math.where(where, a, 0)
    result = wrapped(_added(_typed(a, dtype, _dtypes.INT), axis, keepdims))
    return into(out, result + initial if initial else result)


def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    tensor = _typed(a, dtype, _dtypes.FLOAT)
    own = tensor.dtype
    if own == _dtypes.BY_NAME["float16"].torch:
        tensor = cast(tensor, _dtypes.FLOAT32)
    count = _count(tensor, axis)
    result = _added(tensor, axis, keepdims)
    result = result / count if count else result * float("nan")
    return into(out, wrapped(result.to(own)))


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
    tensor = _typed(a, dtype, _dtypes.FLOAT)
    own = tensor.dtype
    if own == _dtypes.BY_NAME["float16"].torch:
        tensor = cast(tensor, _dtypes.FLOAT32)
    count = _count(tensor, axis)
    left = count - (ddof if correction is None else correction)
    if count == 0 or left <= 0:
        return into(out, wrapped(_added(tensor, axis, keepdims).to(own) * float("nan")))
    distance = tensor - _added(tensor, axis, True) / count
    return into(out, wrapped((_added(distance * distance, axis, keepdims) / left).to(own)))


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
    return into(out, _math.sqrt(var(a, axis, dtype, None, ddof, keepdims, correction=correction)))


def prod(a, axis=None, dtype=None, out=None, keepdims=False):
    return _over(lambda it: it.prod(-1), wrapped(_typed(a, dtype, _dtypes.INT)), axis, keepdims, out)


def _extreme(name, ufunc):
    def extreme(a, axis=None, out=None, keepdims=False, initial=None):
        tensor = tensor_of(a)
        if tensor.numel() == 0 and initial is None:
            raise ValueError(f"zero-size array to reduction operation {ufunc} which has no identity")
        own = tensor.dtype
        if own == warpup.bool:
            tensor = tensor.to(warpup.uint8)
        result = _over(lambda it: getattr(it, name)(-1).to(own), wrapped(tensor), axis, keepdims, out)
        return result if initial is None else getattr(_math, ufunc)(result, initial)

    extreme.__name__ = name
    return extreme


max = amax = _extreme("amax", "maximum")
min = amin = _extreme("amin", "minimum")


def ptp(a, axis=None, out=None, keepdims=False):
    return into(out, max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims))


def _place(name):
    def place(a, axis=None, out=None, *, keepdims=False):
        tensor = tensor_of(a)
        if tensor.numel() == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        if tensor.dtype == warpup.bool:
            tensor = tensor.to(warpup.uint8)
        return _over(lambda it: getattr(it, name)(-1), wrapped(tensor), axis, keepdims, out)

    place.__name__ = name
    return place


argmax, argmin = _place("argmax"), _place("argmin")


def all(a, axis=None, out=None, keepdims=False):
    return _over(lambda it: (it == 0).sum(-1) == 0, a, axis, keepdims, out)


def any(a, axis=None, out=None, keepdims=False):
    return _over(lambda it: (it != 0).sum(-1) > 0, a, axis, keepdims, out)


def count_nonzero(a, axis=None, *, keepdims=False):
    result = _over(lambda it: (it != 0).sum(-1), a, axis, keepdims)
    return result.item() if axis is None and not keepdims else result


def _products(tensor, axis):
    """The running products. Tensors have no `cumprod` here."""
    rows = tensor.transpose(0, axis)
    found = [row for row in rows[:1]]
    for row in rows[1:]:
        found.append(found[-1] * row)
    return warpup.stack(found).transpose(0, axis) if found else tensor.clone()


def _running(name, run):
    def running(a, axis=None, dtype=None, out=None):
        tensor = _typed(a, dtype, _dtypes.INT)
        if axis is None:
            tensor, axis = tensor.reshape(-1), 0
        return into(out, wrapped(run(tensor, _dtypes.axis_of(axis, tensor.ndim))))

    running.__name__ = name
    return running


cumsum, cumprod = _running("cumsum", Tensor.cumsum), _running("cumprod", _products)


def diff(a, n=1, axis=-1):
    tensor = tensor_of(a)
    axis = _dtypes.axis_of(axis, tensor.ndim)
    for _ in range(n):
        size = tensor.shape[axis]
        after, before = tensor.narrow(axis, 1, size - 1), tensor.narrow(axis, 0, size - 1)
        tensor = after ^ before if tensor.dtype == warpup.bool else after - before
    return wrapped(tensor)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        result, total = mean(a, axis, keepdims=keepdims), _count(tensor_of(a), axis) * 1.0
    else:
        a, weights = asarray(a), asarray(weights)
        if weights.ndim == 1 and a.ndim > 1 and axis is not None:
            weights = weights.reshape([-1 if at == _dtypes.axis_of(axis, a.ndim) else 1 for at in range(a.ndim)])
        total = sum(weights * _math.add(a * 0, 1), axis, keepdims=keepdims)
        result = sum(a * weights, axis, keepdims=keepdims) / total
    return (result, total) if returned else result


def _percent(a, q, axis, keepdims, method):
    if method != "linear":
        raise NotImplementedError(f"percentile(method='{method}') is not part of warpup; NumPy has it")
    tensor = _typed(a, None, _dtypes.FLOAT)

    def at(part):
        def pick(it):
            ordered, place = it.sort(-1)[0], part * (it.shape[-1] - 1)
            low = int(place)
            high = builtins.min(low + 1, it.shape[-1] - 1)
            left, right, share = ordered[..., low], ordered[..., high], place - low
            return left + (right - left) * share if share < 0.5 else right - (right - left) * (1 - share)

        return _over(pick, wrapped(tensor), axis, keepdims)

    if hasattr(q, "__len__"):
        from numpy._joins import stack

        return stack([asarray(at(float(part))) for part in q])
    return at(float(q))


def percentile(a, q, axis=None, *, method="linear", keepdims=False):
    q = [part / 100 for part in q] if hasattr(q, "__len__") else q / 100
    return _percent(a, q, axis, keepdims, method)


def quantile(a, q, axis=None, *, method="linear", keepdims=False):
    return _percent(a, q, axis, keepdims, method)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    tensor = _typed(a, None, _dtypes.FLOAT)

    def middle(it):
        ordered, size = it.sort(-1)[0], it.shape[-1]
        if size == 0:
            return it.sum(-1) * float("nan")
        if size % 2:
            return ordered[..., size // 2]
        return (ordered[..., size // 2 - 1] + ordered[..., size // 2]) / 2

    return _over(middle, wrapped(tensor), axis, keepdims, out)


def _without_nan(function, instead):
    def reduce(a, axis=None, **options):
        array = asarray(a)
        return function(_math.where(_math.isnan(array), array.dtype.type(instead), array), axis, **options)

    return reduce


nansum, nanprod = _without_nan(sum, 0), _without_nan(prod, 1)
nanmax, nanmin = _without_nan(max, float("-inf")), _without_nan(min, float("inf"))


def nanmean(a, axis=None, keepdims=False):
    array = asarray(a)
    return nansum(array, axis, keepdims=keepdims) / sum(~_math.isnan(array), axis, keepdims=keepdims)


def nanvar(a, axis=None, keepdims=False):
    array = asarray(a)
    return nanmean(_math.square(array - nanmean(array, axis, True)), axis, keepdims)


def nanstd(a, axis=None, keepdims=False):
    return _math.sqrt(nanvar(a, axis, keepdims))


def trace(a, offset=0):
    from numpy._shapes import diagonal

    return sum(diagonal(a, offset))
