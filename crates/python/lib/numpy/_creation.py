"""Arrays from shapes and numbers: `zeros`, `arange`, `linspace`, `eye` and the like."""

import math

import warpup
from numpy import _dtypes
from numpy._array import ndarray
from numpy._convert import array, asarray, cast, tensor_of

_array = ndarray._of


def full(shape, fill_value, dtype=None, order="C"):
    if dtype is None:
        it = _dtypes.of_number(fill_value) if type(fill_value) in (bool, int, float) else asarray(fill_value).dtype
    else:
        it = _dtypes.of(dtype)
    if hasattr(fill_value, "_t") or hasattr(fill_value, "__len__"):
        made = zeros(shape, it)
        made[...] = fill_value
        return made
    value = bool(fill_value) if it.kind == "b" else fill_value if it.kind == "f" else int(fill_value)
    return _array(warpup.full(_dtypes.sizes_of(shape), value, dtype=it.torch, device="cpu"))


def zeros(shape, dtype=float, order="C"):
    return _array(warpup.zeros(_dtypes.sizes_of(shape), dtype=_dtypes.of(dtype).torch, device="cpu"))


def ones(shape, dtype=float, order="C"):
    return _array(warpup.ones(_dtypes.sizes_of(shape), dtype=_dtypes.of(dtype).torch, device="cpu"))


def empty(shape, dtype=float, order="C"):
    return _array(warpup.empty(_dtypes.sizes_of(shape), dtype=_dtypes.of(dtype).torch, device="cpu"))


def _like(make):
    def like(a, dtype=None, order="K", subok=True, shape=None):
        tensor = tensor_of(a)
        return make(tuple(tensor.shape) if shape is None else shape, dtype or _dtypes.of_tensor(tensor))

    like.__name__ = make.__name__ + "_like"
    return like


zeros_like, ones_like, empty_like = _like(zeros), _like(ones), _like(empty)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    tensor = tensor_of(a)
    return full(tuple(tensor.shape) if shape is None else shape, fill_value, dtype or _dtypes.of_tensor(tensor))


def arange(start=None, stop=None, step=1, dtype=None):
    if start is None:
        start, stop = 0, stop
    elif stop is None:
        start, stop = 0, start
    start, stop, step = (it._value if hasattr(it, "_value") else it for it in (start, stop, step))
    if step == 0:
        raise ZeroDivisionError("division by zero")
    count = max(math.ceil((stop - start) / step), 0)
    is_float = any(isinstance(it, float) for it in (start, stop, step))
    it = _dtypes.of(dtype) if dtype is not None else _dtypes.FLOAT if is_float else _dtypes.INT
    # NumPy takes the distance of the first two numbers, which is not always the step.
    gap = (start + step) - start
    places = warpup.arange(count, dtype=_dtypes.FLOAT.torch if is_float else _dtypes.INT.torch, device="cpu")
    return _array(cast(places * gap + start, it))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    start, stop, num = float(start), float(stop), num.__index__()
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    parts = num - 1 if endpoint else num
    places = warpup.arange(num, dtype=_dtypes.FLOAT.torch, device="cpu")
    step = (stop - start) / parts if parts > 0 else math.nan
    values = places * step + start if parts > 0 else places * (stop - start) + start
    if endpoint and num > 1:
        values[-1] = stop
    it = _dtypes.of(dtype)
    made = _array(cast(values if it.kind == "f" else values.floor(), it))
    return (made, _dtypes.FLOAT.type(step)) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None):
    made = base ** linspace(start, stop, num, endpoint)
    return made if dtype is None else made.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True):
    made = logspace(math.log10(start), math.log10(stop), num, endpoint)
    if num > 0:
        made[0] = start
    if num > 1 and endpoint:
        made[-1] = stop
    return made


def eye(N, M=None, k=0, dtype=float):
    rows, columns = N, N if M is None else M
    if k == 0:
        return _array(warpup.eye(rows, columns, dtype=_dtypes.FLOAT.torch, device="cpu").to(_dtypes.of(dtype).torch))
    made = zeros((rows, columns), dtype)
    for row in range(rows):
        if 0 <= row + k < columns:
            made[row, row + k] = 1
    return made


def identity(n, dtype=None):
    return eye(n, dtype=dtype or float)


def tri(N, M=None, k=0, dtype=float):
    return _array(ones((N, N if M is None else M))._t.tril(k).to(_dtypes.of(dtype).torch))


def indices(dimensions, dtype=int):
    from numpy._joins import stack
    from numpy._shapes import meshgrid

    return stack(meshgrid(*(arange(size, dtype=dtype) for size in dimensions), indexing="ij"))


def fromiter(iter, dtype, count=-1):
    return array(list(iter) if count < 0 else [it for it, _ in zip(iter, range(count))], dtype)


def fromfunction(function, shape, *, dtype=float, **options):
    return function(*indices(shape, dtype), **options)
