"""Arrays joined and taken apart: `concatenate`, `stack`, `split`, `tile` and `repeat`."""

import warpup
from numpy import _dtypes
from numpy._convert import asarray, cast, tensor_of
from numpy._dtypes import axis_of
from numpy._shapes import _array, atleast_1d, atleast_2d, expand_dims, ravel


def _typed(arrays, dtype=None):
    """The tensors of arrays, in one type."""
    tensors = [tensor_of(it) for it in arrays]
    if not tensors:
        raise ValueError("need at least one array to concatenate")
    it = _dtypes.of(dtype) if dtype is not None else _dtypes.of_tensor(tensors[0])
    if dtype is None:
        for other in tensors:
            it = _dtypes.promoted(it, _dtypes.of_tensor(other))
    return [cast(tensor, it) for tensor in tensors]


def concatenate(arrays, axis=0, out=None, *, dtype=None):
    tensors = _typed(arrays, dtype)
    if axis is None:
        tensors, axis = [it.reshape(-1) for it in tensors], 0
    first = tensors[0]
    if first.ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = axis_of(axis, first.ndim)
    for at, it in enumerate(tensors):
        if it.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{first.ndim} dimension(s) and the array at index {at} has {it.ndim} dimension(s)"
            )
        for dim, (want, got) in enumerate(zip(first.shape, it.shape)):
            if dim != axis and want != got:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {dim}, the array at index 0 has size {want} and the array at index {at} has size {got}"
                )
    joined = _array(warpup.cat(tensors, axis))
    if out is not None:
        out[...] = joined
        return out
    return joined


concat = concatenate


def append(arr, values, axis=None):
    return concatenate([arr, values] if axis is not None else [ravel(arr), ravel(values)], axis or 0)


def stack(arrays, axis=0, out=None, *, dtype=None):
    arrays = list(arrays)
    if not arrays:
        raise ValueError("need at least one array to stack")
    tensors = _typed(arrays, dtype)
    if any(it.shape != tensors[0].shape for it in tensors):
        raise ValueError("all input arrays must have the same shape")
    return _array(warpup.stack(tensors, axis_of(axis, tensors[0].ndim + 1)))


def vstack(tup, *, dtype=None):
    return concatenate([atleast_2d(it) for it in tup], 0, dtype=dtype)


row_stack = vstack


def hstack(tup, *, dtype=None):
    arrays = [atleast_1d(it) for it in tup]
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup):
    arrays = [atleast_2d(it) for it in tup]
    return concatenate([it if it.ndim > 2 else expand_dims(it, 2) for it in arrays], 2)


def column_stack(tup):
    arrays = [asarray(it) for it in tup]
    return concatenate([it if it.ndim > 1 else it.reshape(-1, 1) for it in arrays], 1)


def array_split(ary, indices_or_sections, axis=0):
    tensor = tensor_of(ary)
    axis = axis_of(axis, tensor.ndim)
    size = tensor.shape[axis]
    if hasattr(indices_or_sections, "__len__"):
        ends = [min(max(it + size if it < 0 else it, 0), size) for it in map(int, indices_or_sections)]
    else:
        each, more = divmod(size, indices_or_sections)
        ends = [each * at + min(at, more) for at in range(1, indices_or_sections)]
    starts = [0, *ends]
    parts = zip(starts, [*ends, size])
    return [_array(tensor.narrow(axis, start, max(end - start, 0))) for start, end in parts]


def split(ary, indices_or_sections, axis=0):
    tensor = tensor_of(ary)
    if not hasattr(indices_or_sections, "__len__"):
        if tensor.shape[axis_of(axis, tensor.ndim)] % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 1 if tensor_of(ary).ndim > 1 else 0)


def tile(A, reps):
    reps = list(reps) if hasattr(reps, "__len__") else [reps]
    tensor = tensor_of(A)
    while tensor.ndim < len(reps):
        tensor = tensor.unsqueeze(0)
    reps = [1] * (tensor.ndim - len(reps)) + reps
    for axis, count in enumerate(reps):
        if count != 1:
            empty = tensor.narrow(axis, 0, 0)
            tensor = warpup.cat([tensor] * count, axis) if count else empty
    return _array(tensor.clone())


def repeat(a, repeats, axis=None):
    tensor = tensor_of(a)
    if axis is None:
        tensor, axis = tensor.reshape(-1), 0
    axis = axis_of(axis, tensor.ndim)
    size = tensor.shape[axis]
    counts = list(repeats) if hasattr(repeats, "__len__") else [repeats] * size
    if len(counts) == 1:
        counts *= size
    if len(counts) != size:
        raise ValueError(f"operands could not be broadcast together with shape ({size},) ({len(counts)},)")
    at = [place for place, count in enumerate(counts) for _ in range(int(count))]
    return _array(tensor.index_select(axis, warpup.tensor(at, dtype=warpup.int64, device="cpu")))
