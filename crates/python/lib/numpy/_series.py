"""Functions of NumPy along an axis: polynomials, windows, differences, and rows taken out or put in. Loaded on first use."""

import builtins
import math

import numpy as np
import warpup
from numpy._convert import asarray, wrapped
from numpy._more import _float
from numpy._places import broadcast_arrays


def delete(arr, obj, axis=None):
    array = asarray(arr)
    if axis is None:
        array, axis = array.ravel(), 0
    size = array.shape[axis]
    gone = asarray(range(*obj.indices(size)) if isinstance(obj, slice) else obj).reshape(-1)
    if gone.dtype.kind == "b":
        gone = np.flatnonzero(gone)
    for it in gone.tolist():
        if not -size <= it < size:
            raise IndexError(f"index {it} is out of bounds for axis {axis} with size {size}")
    left = {it % size for it in gone.tolist()}
    return np.take(array, [it for it in range(size) if it not in left], axis)


def insert(arr, obj, values, axis=None):
    array = asarray(arr)
    if axis is None:
        array, axis = array.ravel(), 0
    size = array.shape[axis]
    values = asarray(values, array.dtype)
    if isinstance(obj, int):
        at = obj + size if obj < 0 else obj
        shape = list(array.shape)
        if values.ndim < array.ndim:
            values = np.expand_dims(values, axis) if values.ndim == array.ndim - 1 and values.ndim else values
        shape[axis] = values.shape[axis] if values.ndim == array.ndim else 1
        values = np.broadcast_to(values, tuple(shape))
        before, after = (np.take(array, list(it), axis) for it in (range(at), range(at, size)))
        return np.concatenate([before, values, after], axis)
    if axis != 0 or array.ndim != 1:
        raise NotImplementedError("insert of several rows is not part of warpup; NumPy has it")
    rows, made = array.tolist(), []
    places = [it % size if it < 0 else it for it in asarray(obj).reshape(-1).tolist()]
    added = np.broadcast_to(values, (len(places),)).tolist()
    for at in range(size + 1):
        made += [value for place, value in zip(places, added) if place == at]
        made += rows[at:at + 1]
    return asarray(made, array.dtype)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    array = asarray(arr)
    moved = np.moveaxis(array, axis, -1)
    rows = moved.reshape(-1, moved.shape[-1])
    found = [asarray(func1d(row, *args, **kwargs)) for row in rows]
    made = np.stack(found).reshape(moved.shape[:-1] + found[0].shape)
    for at in range(found[0].ndim):
        made = np.moveaxis(made, moved.ndim - 1 + at, axis % array.ndim + at)
    return made


def gradient(f, *varargs, axis=None, edge_order=1):
    array = _float(f)
    axes = range(array.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    steps = list(varargs) or [1.0] * len(axes)
    steps = steps * len(axes) if len(steps) == 1 else steps
    made = [
        wrapped(warpup.gradient(array._t, spacing=(_spacing(step),), dim=at % array.ndim, edge_order=edge_order)[0])
        for at, step in zip(axes, steps)
    ]
    return made[0] if len(made) == 1 else tuple(made)


def _spacing(step):
    return float(step) if np.ndim(step) == 0 else _float(step)._t


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.moveaxis(_float(y), axis, -1)
    steps = dx if x is None else np.diff(_float(x))
    return np.sum((y[..., 1:] + y[..., :-1]) / 2 * steps, -1)


def convolve(a, v, mode="full"):
    a, v = asarray(a), asarray(v)
    a, v = (a, v) if a.size >= v.size else (v, a)
    kind = np.result_type(a, v)
    padded = np.pad(a.astype(float), v.size - 1)
    windows = np.arange(a.size + v.size - 1)[:, None] + np.arange(v.size)[None]
    full = (padded[windows] * v.astype(float)[::-1]).sum(1).astype(kind)
    if mode == "full":
        return full
    size = a.size if mode == "same" else a.size - v.size + 1
    start = (v.size - 1) // 2 if mode == "same" else v.size - 1
    return full[start:start + size]


def correlate(a, v, mode="valid"):
    return convolve(a, asarray(v)[::-1], mode)


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    from numpy._decompositions import lstsq

    x, y = _float(x), _float(y)
    powers = vander(x, deg + 1)
    scale = np.sqrt((powers * powers).sum(0))
    return lstsq(powers / scale, y)[0] / (scale if y.ndim == 1 else scale[:, None])


def polyval(p, x):
    x = asarray(x)
    total = np.zeros_like(x) if x.ndim else 0
    for it in asarray(p).tolist():
        total = total * x + it
    return total


def vander(x, N=None, increasing=False):
    x = asarray(x)
    powers = np.arange(x.size if N is None else N)
    return x[:, None] ** (powers if increasing else powers[::-1])


def resize(a, new_shape):
    values = asarray(a).ravel()
    count = math.prod(new_shape) if hasattr(new_shape, "__len__") else new_shape
    if values.size == 0:
        return np.zeros(new_shape, values.dtype)
    return values[np.arange(count) % values.size].reshape(new_shape)


def kron(a, b):
    return wrapped(warpup.kron(asarray(a)._t, asarray(b)._t))


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a, b = broadcast_arrays(a, b)
    dtype = warpup.promote_types(a._t.dtype, b._t.dtype)
    return wrapped(warpup.linalg.cross(a._t.to(dtype), b._t.to(dtype), dim=-1 if axis is None else axis))


def ediff1d(ary, to_end=None, to_begin=None):
    parts = [np.diff(asarray(ary).ravel())]
    parts = ([asarray(to_begin).ravel()] if to_begin is not None else []) + parts
    return np.concatenate(parts + ([asarray(to_end).ravel()] if to_end is not None else []))


def setxor1d(ar1, ar2, assume_unique=False):
    return np.union1d(np.setdiff1d(ar1, ar2), np.setdiff1d(ar2, ar1))


def trim_zeros(filt, trim="fb"):
    places = np.flatnonzero(asarray(filt)).tolist()
    if not places:
        return filt[:0]
    return filt[places[0] if "f" in trim.lower() else 0:places[-1] + 1 if "b" in trim.lower() else None]


def _without_nan(a, fill):
    a = _float(a)
    return np.where(np.isnan(a), fill, a)


def nanargmax(a, axis=None):
    return np.argmax(_without_nan(a, -np.inf), axis)


def nanargmin(a, axis=None):
    return np.argmin(_without_nan(a, np.inf), axis)


def nancumsum(a, axis=None):
    return np.cumsum(_without_nan(a, 0.0), axis)


def nanmedian(a, axis=None):
    if axis is None:
        a = _float(a).ravel()
        return np.median(a[~np.isnan(a)])
    return apply_along_axis(nanmedian, axis, _float(a))


def cumulative_sum(x, /, *, axis=None):
    return np.cumsum(x, axis)


def cumulative_prod(x, /, *, axis=None):
    return np.cumprod(x, axis)


def hanning(M):
    return _window(M, (0.5, -0.5))


def hamming(M):
    return _window(M, (0.54, -0.46))


def blackman(M):
    return _window(M, (0.42, -0.5, 0.08))


def _window(size, weights):
    if size < 2:
        return np.ones(builtins.max(size, 0))
    steps = np.arange(size) * (2 * np.pi / (size - 1))
    return builtins.sum(weight * np.cos(steps * at) for at, weight in enumerate(weights))
