"""Functions of NumPy that choose places in an array, and the keys in brackets. Loaded on first use."""

import builtins

import numpy as np
import warpup
from numpy._array import ndarray
from numpy._convert import asarray, wrapped


class vectorize:
    """A function of numbers, applied to each element."""

    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.pyfunc, self.otypes = pyfunc, otypes

    def __call__(self, *args):
        arrays = broadcast_arrays(*args)
        found = [self.pyfunc(*it) for it in zip(*(it.ravel().tolist() for it in arrays))]
        if found and isinstance(found[0], tuple):
            return tuple(asarray(list(it)).reshape(arrays[0].shape) for it in zip(*found))
        made = asarray(found, self.otypes[0] if self.otypes else None)
        return made.reshape(arrays[0].shape) if arrays[0].ndim else made[0]


def broadcast_arrays(*args, subok=False):
    tensors = warpup.broadcast_tensors(*(asarray(it)._t for it in args))
    return tuple(ndarray._of(it) for it in tensors)


def broadcast_shapes(*args):
    return tuple(warpup.broadcast_shapes(*args))


def select(condlist, choicelist, default=0):
    made = asarray(default)
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        made = np.where(condition, choice, made)
    return made


def piecewise(x, condlist, funclist, *args, **kw):
    x = asarray(x)
    given = [asarray(it) for it in condlist]
    if len(funclist) == len(given) + 1:
        rest = given[0]
        for it in given[1:]:
            rest = rest | it
        given.append(~rest)
    made = np.zeros_like(x)
    for condition, it in zip(given, funclist):
        made[condition] = it(x[condition], *args, **kw) if callable(it) else it
    return made


def choose(a, choices, out=None, mode="raise"):
    return np.stack(broadcast_arrays(*choices))[(asarray(a), *np.indices(np.shape(a)))]


def compress(condition, a, axis=None, out=None):
    return np.take(asarray(a).ravel() if axis is None else a, np.flatnonzero(asarray(condition)), axis or 0)


def extract(condition, arr):
    return asarray(arr).ravel()[np.flatnonzero(asarray(condition).ravel())]


def place(arr, mask, vals):
    places = np.flatnonzero(asarray(mask).ravel())
    values = asarray(vals, arr.dtype).ravel().tolist()
    arr.ravel()[places] = asarray([values[it % len(values)] for it in range(places.size)], arr.dtype)


def put(a, ind, v, mode="raise"):
    a.ravel()[asarray(ind).ravel()] = np.resize(v, np.size(ind)).astype(a.dtype)


def putmask(a, mask, values):
    a[asarray(mask)] = np.resize(values, a.shape)[asarray(mask)]


def copyto(dst, src, casting="same_kind", where=True):
    dst[...] = np.where(where, src, dst)


def fill_diagonal(a, val, wrap=False):
    at = np.arange(min(a.shape))
    a[(at,) * a.ndim] = val


def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


def diag_indices_from(arr):
    return diag_indices(arr.shape[0], arr.ndim)


def diagflat(v, k=0):
    return np.diag(asarray(v).ravel(), k)


def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tri(n, m, k, dtype=bool))


def triu_indices(n, k=0, m=None):
    return np.nonzero(~np.tri(n, m, k - 1, dtype=bool))


def tril_indices_from(arr, k=0):
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    total = 0
    for at, size in zip(multi_index, dims):
        total = asarray(total) * size + at
    return total


def ix_(*args):
    count = len(args)
    made = []
    for at, it in enumerate(args):
        it = asarray(it)
        it = np.flatnonzero(it) if it.dtype.kind == "b" else it
        made.append(it.reshape([1] * at + [-1] + [1] * (count - at - 1)))
    return tuple(made)


def rot90(m, k=1, axes=(0, 1)):
    return wrapped(warpup.rot90(asarray(m)._t, k, axes))


def rollaxis(a, axis, start=0):
    a = asarray(a)
    axis, start = axis % a.ndim, start + a.ndim if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)


def atleast_3d(*arys):
    made = []
    for it in map(asarray, arys):
        made.append(it.reshape(1, 1, 1) if it.ndim == 0 else it[None, :, None] if it.ndim == 1 else it[:, :, None] if it.ndim == 2 else it)
    return made[0] if len(made) == 1 else tuple(made)


def partition(a, kth, axis=-1):
    """Sorted: each element at `kth` is where a partition puts it."""
    return np.sort(a, axis)


def argpartition(a, kth, axis=-1):
    return np.argsort(a, axis)


class ndenumerate:
    """Places and elements, in the order of rows."""

    def __init__(self, arr):
        self._array = asarray(arr)

    def __iter__(self):
        return zip(ndindex(*self._array.shape), self._array.ravel())


class ndindex:
    """The places of an array, in the order of rows."""

    def __init__(self, *shape):
        self._shape = tuple(shape[0]) if shape and not isinstance(shape[0], int) else shape

    def __iter__(self):
        import itertools

        return itertools.product(*map(range, self._shape))


class _Slices:
    def __getitem__(self, key):
        return key


s_ = index_exp = _Slices()


def _row(it):
    """A key in brackets, as a row."""
    if not isinstance(it, slice):
        return asarray(it)
    start = 0 if it.start is None else it.start
    if isinstance(it.step, complex):
        return np.linspace(start, it.stop, int(builtins.abs(it.step)))
    return np.arange(start, it.stop, 1 if it.step is None else it.step)


class _Rows:
    def __getitem__(self, key):
        return np.concatenate([np.atleast_1d(_row(it)) for it in (key if isinstance(key, tuple) else (key,))])


class _Columns:
    def __getitem__(self, key):
        parts = [_row(it) for it in (key if isinstance(key, tuple) else (key,))]
        return np.concatenate([it.reshape(-1, 1) if it.ndim < 2 else it for it in parts], 1)


r_, c_ = _Rows(), _Columns()


class _Grid:
    def __init__(self, sparse):
        self._sparse = sparse

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return _row(key)
        made = np.meshgrid(*map(_row, key), indexing="ij", sparse=self._sparse)
        return tuple(made) if self._sparse else np.stack(made)


mgrid, ogrid = _Grid(False), _Grid(True)
