"""Order and places: `sort`, `argsort`, `unique`, `nonzero`, `take`, `searchsorted`, `bincount` and the like."""

import bisect
import math

import warpup
from numpy import _dtypes, _math
from numpy._array import ndarray
from numpy._convert import array, asarray, cast, tensor_of, wrapped
from numpy._dtypes import axis_of
from numpy._math import nonzero

_array = ndarray._of


def _ordered(a, axis):
    tensor = tensor_of(a)
    if axis is None:
        tensor, axis = tensor.reshape(-1), -1
    own = tensor.dtype
    if own == warpup.bool:
        tensor = tensor.to(warpup.uint8)
    values, places = tensor.sort(axis_of(axis, tensor.ndim))
    return values.to(own), places


def sort(a, axis=-1, kind=None, *, stable=None):
    return _array(_ordered(a, axis)[0])


def argsort(a, axis=-1, kind=None, *, stable=None):
    return _array(_ordered(a, axis)[1])


def flatnonzero(a):
    return nonzero(asarray(a).reshape(-1))[0]


def argwhere(a):
    found = nonzero(a)
    return _array(warpup.stack([it._t for it in found], 1))


def take(a, indices, axis=None, out=None):
    array = asarray(a)
    if axis is None:
        return array.reshape(-1)[indices]
    axis = axis_of(axis, array.ndim)
    return array[(slice(None),) * axis + (indices,)]


def take_along_axis(arr, indices, axis=-1):
    tensor, places = tensor_of(arr), tensor_of(indices)
    return _array(tensor.gather(axis_of(axis, tensor.ndim), places))


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    if axis is not None:
        raise NotImplementedError("unique(axis=…) is not part of warpup; NumPy has it")
    tensor = tensor_of(ar)
    values, places = _ordered(ar, None)
    count = values.numel()
    is_new = warpup.ones(count, dtype=warpup.bool, device="cpu")
    if count > 1:
        is_new[1:] = values[1:] != values[:-1]
    found = [_array(values[is_new])]
    if return_index:
        found.append(_array(places[is_new]))
    if return_inverse:
        inverse = warpup.zeros(count, dtype=warpup.int64, device="cpu")
        inverse[places] = is_new.long().cumsum(0) - 1
        found.append(_array(inverse.reshape(tensor.shape)))
    if return_counts:
        starts = warpup.arange(count, device="cpu")[is_new]
        ends = warpup.cat([starts[1:], warpup.tensor([count], device="cpu")]) if count else starts
        found.append(_array(ends - starts))
    return tuple(found) if len(found) > 1 else found[0]


def searchsorted(a, v, side="left", sorter=None):
    values = tensor_of(a).tolist()
    find = bisect.bisect_left if side == "left" else bisect.bisect_right
    wanted = tensor_of(v)
    places = [find(values, it) for it in wanted.reshape(-1).tolist()]
    return wrapped(warpup.tensor(places, dtype=warpup.int64, device="cpu").reshape(wanted.shape))


def digitize(x, bins, right=False):
    return searchsorted(bins, x, "left" if right else "right")


def bincount(x, weights=None, minlength=0):
    values = tensor_of(x).tolist()
    if any(it < 0 for it in values):
        raise ValueError("'list' argument must have no negative elements")
    counts = [0] * max(max(values, default=-1) + 1, minlength)
    parts = [1] * len(values) if weights is None else [float(it) for it in tensor_of(weights).tolist()]
    for value, part in zip(values, parts):
        counts[value] += part
    return array(counts, _dtypes.INT if weights is None else _dtypes.FLOAT)


def histogram(a, bins=10, range=None, density=None, weights=None):
    if density or weights is not None:
        raise NotImplementedError("histogram(density=…, weights=…) is not part of warpup; NumPy has them")
    from numpy._creation import linspace

    values = tensor_of(a).reshape(-1)
    if hasattr(bins, "__len__"):
        edges = asarray(bins)
    else:
        low, high = range if range is not None else (values.min().item(), values.max().item()) if len(values) else (0, 1)
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = linspace(low, high, bins + 1)
    limits = edges.tolist()
    counts = [0] * (len(limits) - 1)
    for value in values.tolist():
        if limits[0] <= value <= limits[-1]:
            counts[min(bisect.bisect_right(limits, value), len(counts)) - 1] += 1
    return array(counts), edges


def isin(element, test_elements, assume_unique=False, invert=False):
    array, known = asarray(element), set(tensor_of(test_elements).reshape(-1).tolist())
    truths = [(it in known) != invert for it in array._t.reshape(-1).tolist()]
    return wrapped(warpup.tensor(truths, dtype=warpup.bool, device="cpu").reshape(array.shape))


def intersect1d(ar1, ar2):
    first = unique(ar1)
    return first[isin(first, ar2)]


def union1d(ar1, ar2):
    from numpy._joins import concatenate

    return unique(concatenate((asarray(ar1).ravel(), asarray(ar2).ravel())))


def setdiff1d(ar1, ar2):
    first = unique(ar1)
    return first[isin(first, ar2, invert=True)]


def unravel_index(indices, shape):
    tensor = tensor_of(indices)
    found = []
    for size in reversed(shape):
        found.append(wrapped(tensor % size))
        tensor = tensor // size
    return tuple(reversed(found))


def interp(x, xp, fp):
    places, values = tensor_of(xp).tolist(), tensor_of(fp).tolist()
    wanted = cast(tensor_of(x), _dtypes.FLOAT)

    def at(it):
        if it <= places[0] or math.isnan(it):
            return values[0]
        if it >= places[-1]:
            return values[-1]
        right = bisect.bisect_right(places, it)
        slope = (values[right] - values[right - 1]) / (places[right] - places[right - 1])
        return slope * (it - places[right - 1]) + values[right - 1]

    found = [at(it) for it in wanted.reshape(-1).tolist()]
    return wrapped(warpup.tensor(found, dtype=_dtypes.FLOAT.torch, device="cpu").reshape(wanted.shape))


def array_equiv(a1, a2):
    return bool(_math.equal(a1, a2).all())


def lexsort(keys):
    from numpy._creation import arange

    order = arange(len(keys[0]))
    for key in keys:
        order = order[argsort(asarray(key)[order])]
    return order
