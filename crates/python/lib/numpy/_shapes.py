"""Shapes: `reshape`, `concatenate`, `stack`, `split` and the like."""

import warpup
from numpy._array import ndarray
from numpy._convert import array, tensor_of
from numpy._dtypes import axes_of, axis_of
from numpy._math import listed

_array = ndarray._of


def reshape(a, *shape, order="C", copy=None):
    if len(shape) == 1 and hasattr(shape[0], "__len__"):
        shape = tuple(shape[0])
    tensor = tensor_of(a)
    sizes = [size.__index__() for size in shape]
    if sizes.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    known = 1
    for size in sizes:
        known *= size if size != -1 else 1
    count = tensor.numel()
    if known != count if -1 not in sizes else known == 0 or count % known:
        raise ValueError(f"cannot reshape array of size {count} into shape {listed(sizes)}")
    if order == "F":
        return _array(tensor.T.reshape(sizes[::-1]).T)
    return _array(tensor.reshape(sizes))


def ravel(a, order="C"):
    return _array(tensor_of(a).T.reshape(-1) if order == "F" else tensor_of(a).reshape(-1))


def flatten(a, order="C"):
    return array(ravel(a, order))


def shape(a):
    return tuple(tensor_of(a).shape)


def ndim(a):
    return tensor_of(a).ndim


def size(a, axis=None):
    tensor = tensor_of(a)
    return tensor.numel() if axis is None else tensor.shape[axis_of(axis, tensor.ndim)]


def transpose(a, *axes):
    tensor = tensor_of(a)
    if len(axes) == 1 and (axes[0] is None or hasattr(axes[0], "__len__")):
        axes = axes[0]
    if not axes:
        return _array(tensor.T)
    if len(axes) != tensor.ndim:
        raise ValueError("axes don't match array")
    order = [axis_of(axis, tensor.ndim) for axis in axes]
    if len(set(order)) < len(order):
        raise ValueError("repeated axis in transpose")
    return _array(tensor.permute(*order))


permute_dims = transpose


def swapaxes(a, axis1, axis2):
    tensor = tensor_of(a)
    return _array(tensor.transpose(axis_of(axis1, tensor.ndim), axis_of(axis2, tensor.ndim)))


def moveaxis(a, source, destination):
    tensor = tensor_of(a)
    sources, places = axes_of(source, tensor.ndim), axes_of(destination, tensor.ndim)
    order = [at for at in range(tensor.ndim) if at not in sources]
    for place, at in sorted(zip(places, sources)):
        order.insert(place, at)
    return _array(tensor.permute(*order))


def squeeze(a, axis=None):
    tensor = tensor_of(a)
    if axis is None:
        return _array(tensor.reshape([size for size in tensor.shape if size != 1]))
    axes = axes_of(axis, tensor.ndim)
    if any(tensor.shape[at] != 1 for at in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return _array(tensor.reshape([size for at, size in enumerate(tensor.shape) if at not in axes]))


def expand_dims(a, axis):
    tensor = tensor_of(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    for at in sorted(axes_of(list(axes), tensor.ndim + len(axes))):
        tensor = tensor.unsqueeze(at)
    return _array(tensor)


def atleast_1d(a):
    tensor = tensor_of(a)
    return _array(tensor if tensor.ndim else tensor.reshape(1))


def atleast_2d(a):
    tensor = tensor_of(a)
    return _array(tensor if tensor.ndim > 1 else tensor.reshape(1, -1))


def broadcast_to(array, shape):
    tensor = tensor_of(array)
    shape = tuple(shape) if hasattr(shape, "__len__") else (shape,)
    try:
        return _array(tensor.expand(*shape))
    except RuntimeError:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{listed(tensor.shape)}  and requested shape {listed(shape)}"
        ) from None


def flip(m, axis=None):
    tensor = tensor_of(m)
    for at in axes_of(axis, tensor.ndim):
        tensor = tensor.flip(at)
    return _array(tensor)


def fliplr(m):
    return flip(m, 1)


def flipud(m):
    return flip(m, 0)


def roll(a, shift, axis=None):
    tensor = tensor_of(a)
    if axis is None:
        return reshape(roll(ravel(a), shift, 0), tuple(tensor.shape))
    shifts = shift if isinstance(shift, (tuple, list)) else [shift]
    for by, at in zip(shifts, axes_of(axis, tensor.ndim)):
        size = tensor.shape[at]
        cut = size - by % size if size else 0
        tensor = warpup.cat([tensor.narrow(at, cut, size - cut), tensor.narrow(at, 0, cut)], at)
    return _array(tensor)


def pad(array, pad_width, mode="constant", constant_values=0):
    if mode != "constant":
        raise NotImplementedError(f"pad(mode='{mode}') is not part of warpup; NumPy has it")
    tensor = tensor_of(array)
    widths = tensor_of(pad_width).expand(tensor.ndim, 2).tolist()
    sizes = [size + before + after for size, (before, after) in zip(tensor.shape, widths)]
    whole = warpup.full(sizes, constant_values, dtype=tensor.dtype, device="cpu")
    inside = tuple(slice(before, before + size) for size, (before, _) in zip(tensor.shape, widths))
    whole[inside] = tensor
    return _array(whole)


def meshgrid(*xi, indexing="xy", sparse=False, copy=True):
    tensors = [tensor_of(it).reshape(-1) for it in xi]
    order = list(range(len(tensors)))
    if indexing == "xy" and len(tensors) > 1:
        order[0], order[1] = 1, 0
    sizes = [0] * len(tensors)
    for at, tensor in zip(order, tensors):
        sizes[at] = tensor.shape[0]
    grids = []
    for at, tensor in zip(order, tensors):
        grid = tensor.reshape([-1 if place == at else 1 for place in range(len(sizes))])
        grids.append(_array(grid.clone() if sparse else grid.expand(*sizes).clone()))
    return tuple(grids)


def diagonal(a, offset=0, axis1=0, axis2=1):
    tensor = tensor_of(a)
    if tensor.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    axis1, axis2 = axis_of(axis1, tensor.ndim), axis_of(axis2, tensor.ndim)
    rest = [at for at in range(tensor.ndim) if at not in (axis1, axis2)]
    tensor = tensor.permute(*rest, axis1, axis2)
    rows, columns = tensor.shape[-2:]
    count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    at = warpup.arange(count, device="cpu")
    return _array(tensor[..., at + max(-offset, 0), at + max(offset, 0)])


def diag(v, k=0):
    tensor = tensor_of(v)
    if tensor.ndim != 1:
        return diagonal(v, k)
    size = tensor.shape[0] + abs(k)
    whole = warpup.zeros(size, size, dtype=tensor.dtype, device="cpu")
    at = warpup.arange(tensor.shape[0], device="cpu")
    whole[at + max(-k, 0), at + max(k, 0)] = tensor
    return _array(whole)


def _triangle(name):
    def triangle(m, k=0):
        return _array(getattr(tensor_of(m), name)(k))

    triangle.__name__ = name
    return triangle


tril, triu = _triangle("tril"), _triangle("triu")
