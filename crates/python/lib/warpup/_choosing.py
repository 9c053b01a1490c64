"""Functions that choose, place and join elements and that few programs need. Loaded on first use."""

import itertools
import math

import warpup
from warpup import Tensor, no_grad
from warpup._functions import _dim, argwhere, msort
from warpup._registration import torch_function
from warpup._shapes import movedim as moveaxis, swapaxes as swapdims


@torch_function(node="TakeBackward0")
def take(input, index):
    return input.reshape(-1)[index]


@torch_function
def take_along_dim(input, indices, dim=None):
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    dim = _dim(dim, input.dim())
    sizes = list(_broadcast(
        [*input.shape[:dim], 1, *input.shape[dim + 1:]], [*indices.shape[:dim], 1, *indices.shape[dim + 1:]]
    ))
    of = lambda it: [*sizes[:dim], it.shape[dim], *sizes[dim + 1:]]
    return input.expand(*of(input)).gather(dim, indices.expand(*of(indices)))


def _broadcast(*shapes):
    """The shape that several broadcast to."""
    rank = max((len(it) for it in shapes), default=0)
    sizes = [1] * rank
    for shape in shapes:
        for at, size in enumerate(shape, rank - len(shape)):
            if size != 1 and sizes[at] not in (1, size):
                raise RuntimeError(
                    "Shape mismatch: objects cannot be broadcast to a single shape"
                )
            sizes[at] = sizes[at] if size == 1 else size
    return sizes


@torch_function(method=False)
def broadcast_shapes(*shapes):
    shapes = [(it,) if isinstance(it, int) else tuple(it) for it in shapes]
    sizes = [1] * max((len(it) for it in shapes), default=0)
    for number, shape in enumerate(shapes):
        for at in range(-1, -1 - len(shape), -1):
            if sizes[at] not in (1, shape[at]) and shape[at] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[at]} at {at}! Mismatching argument at index {number} "
                    f"had {shape}; but expected shape should be broadcastable to {sizes}"
                )
            sizes[at] = sizes[at] if shape[at] == 1 else shape[at]
    return warpup.Size(sizes)


@torch_function(method=False)
def broadcast_tensors(*tensors):
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    sizes = _broadcast(*(it.shape for it in tensors))
    return tuple(it.expand(sizes) for it in tensors)


def _along(input, dim, index):
    """A key for brackets: everything, but `index` in one dimension."""
    return (slice(None),) * _dim(dim, input.dim()) + (index,)


def _changed(input, dim, index, source):
    made = input.clone()
    made[_along(input, dim, index)] = source
    return made


@torch_function(in_place=True)
def index_copy(input, dim, index, source):
    return _changed(input, dim, index, source)


@torch_function(in_place=True)
def index_fill(input, dim, index, value):
    return _changed(input, dim, index, value)


@torch_function
def index_put(input, indices, values, accumulate=False):
    made = input.clone()
    index_put_(made, indices, values, accumulate)
    return made


@torch_function
def index_put_(input, indices, values, accumulate=False):
    if not accumulate:
        input[tuple(indices)] = values
        return input
    places = warpup.arange(input.numel(), device=input.device).reshape(input.shape)[tuple(indices)]
    values = values.expand(places.shape) if isinstance(values, Tensor) else input.new_full(places.shape, values)
    added = input.reshape(-1).index_add(0, places.reshape(-1), values.reshape(-1).to(input.dtype))
    return input.copy_(added.reshape(input.shape))


@torch_function(in_place=True)
def masked_scatter(input, mask, source):
    mask, input = broadcast_tensors(mask, input)
    order = mask.reshape(-1).long().cumsum(0) - 1
    chosen = source.reshape(-1)[order.clamp(min=0)].reshape(input.shape)
    return warpup.where(mask, chosen, input)


@torch_function
def select_scatter(input, src, dim, index):
    return _changed(input, dim, index, src)


@torch_function
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    return _changed(input, dim, slice(start, end, step), src)


@torch_function
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    made = input.clone()
    made.diagonal(offset, dim1, dim2).copy_(src)
    return made


@torch_function(in_place=True)
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    dim = _dim(dim, input.dim())
    src = src[tuple(slice(it) for it in index.shape)]
    if reduce in ("sum", "mean"):
        start = input if include_self else input.scatter(dim, index, 0)
        total = start.scatter_add(dim, index, src)
        if reduce == "sum":
            return total
        ones = warpup.ones_like(input)
        counts = (ones if include_self else ones.scatter(dim, index, 0)).scatter_add(dim, index, warpup.ones_like(src))
        counts = counts.clamp(min=1)
        return total / counts if input.is_floating_point() else total // counts
    if reduce not in ("prod", "amax", "amin"):
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin, got " + reduce)
    # Each row of the index in turn: a row names a place at most once.
    made = input
    if not include_self:
        first = {"prod": 1, "amax": -math.inf, "amin": math.inf}[reduce]
        made = input.scatter(dim, index, first)
    join = {"prod": lambda a, b: a * b, "amax": warpup.maximum, "amin": warpup.minimum}[reduce]
    for at in range(index.shape[dim]):
        place, value = index.narrow(dim, at, 1), src.narrow(dim, at, 1)
        held = made[tuple(slice(it) for it in (*index.shape[:dim], made.shape[dim], *index.shape[dim + 1:]))]
        made = made.scatter(dim, place, join(held.gather(dim, place), value))
    return made


@torch_function
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    flat = input.reshape(-1)
    starts = warpup.ones_like(flat, dtype=warpup.bool)
    if flat.numel() > 1:
        starts = warpup.cat([starts[:1], flat[1:] != flat[:-1]])
    places = starts.nonzero().squeeze(1)
    results = [flat[places]]
    if return_inverse:
        results.append((starts.long().cumsum(0) - 1).reshape(input.shape))
    if return_counts:
        ends = warpup.cat([places[1:], places.new_full((1,), flat.numel())])[: places.numel()]
        results.append(ends - places)
    return results[0] if len(results) == 1 else tuple(results)


@torch_function(method=False)
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    right = right or side == "right"
    if sorter is not None:
        sorted_sequence = sorted_sequence.gather(-1, sorter)
    values = input if isinstance(input, Tensor) else warpup.tensor(input, device=sorted_sequence.device)
    if sorted_sequence.dim() == 1:
        edges = sorted_sequence
        before = edges <= values.unsqueeze(-1) if right else edges < values.unsqueeze(-1)
    else:
        edges = sorted_sequence.unsqueeze(-2)
        before = edges <= values.unsqueeze(-1) if right else edges < values.unsqueeze(-1)
    found = before.sum(-1)
    return found.int() if out_int32 else found


@torch_function(method=False)
def bucketize(input, boundaries, *, out_int32=False, right=False):
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@torch_function
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    like = elements if isinstance(elements, Tensor) else test_elements
    elements, tests = (
        it if isinstance(it, Tensor) else warpup.tensor(it, device=like.device) for it in (elements, test_elements)
    )
    found = (elements.unsqueeze(-1) == tests.reshape(-1)).any(-1)
    return ~found if invert else found


@torch_function(method=False)
def unravel_index(indices, shape):
    shape = [shape] if isinstance(shape, int) else list(shape)
    places = []
    for size in reversed(shape):
        places.append(indices % size)
        indices = indices // size
    return tuple(reversed(places))


def _corner(row, col, offset, keep, dtype, device):
    places = [(a, b) for a in range(row) for b in range(col) if keep(b - a, offset)]
    made = warpup.tensor(places, dtype=dtype or warpup.long, device=device).reshape(-1, 2)
    return made.t().contiguous()


@torch_function(method=False)
def tril_indices(row, col, offset=0, *, dtype=None, device=None, layout=None):
    return _corner(row, col, offset, lambda far, offset: far <= offset, dtype, device)


@torch_function(method=False)
def triu_indices(row, col, offset=0, *, dtype=None, device=None, layout=None):
    return _corner(row, col, offset, lambda far, offset: far >= offset, dtype, device)


@torch_function
def diagflat(input, offset=0):
    return warpup.diag(input.reshape(-1), offset)


@torch_function(method=False)
def block_diag(*tensors):
    tensors = [it.reshape(1, -1) if it.dim() < 2 else it for it in tensors]
    width, rows, start = sum(it.shape[1] for it in tensors), [], 0
    for it in tensors:
        left, right = (it.new_zeros(it.shape[0], size) for size in (start, width - start - it.shape[1]))
        rows.append(warpup.cat([left, it, right], 1))
        start += it.shape[1]
    return warpup.cat(rows)


def _atleast(rank, tensors):
    def one(it):
        if it.dim() == 0:
            it = it.reshape(1)
        if it.dim() == 1 and rank > 1:
            it = it.unsqueeze(0)
        if it.dim() == 2 and rank > 2:
            it = it.unsqueeze(-1)
        return it

    if len(tensors) == 1:
        return one(tensors[0]) if isinstance(tensors[0], Tensor) else tuple(one(it) for it in tensors[0])
    return tuple(one(it) for it in tensors)


@torch_function(method=False)
def atleast_1d(*tensors):
    return _atleast(1, tensors)


@torch_function(method=False)
def atleast_2d(*tensors):
    return _atleast(2, tensors)


@torch_function(method=False)
def atleast_3d(*tensors):
    return _atleast(3, tensors)


@torch_function(method=False)
def column_stack(tensors):
    return warpup.cat([it.reshape(it.numel(), 1) if it.dim() < 2 else it for it in tensors], 1)


@torch_function
def hsplit(input, indices_or_sections):
    return _split("hsplit", input, indices_or_sections, 0 if input.dim() == 1 else 1)


@torch_function
def vsplit(input, indices_or_sections):
    return _split("vsplit", input, indices_or_sections, 0)


@torch_function
def dsplit(input, indices_or_sections):
    return _split("dsplit", input, indices_or_sections, 2)


def _split(name, input, sections, dim):
    least = {"hsplit": 1, "vsplit": 2, "dsplit": 3}[name]
    if input.dim() < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with "
            f"{input.dim()} dimensions!"
        )
    if isinstance(sections, int) and (sections == 0 or input.shape[dim] % sections):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {input.shape[dim]} is not "
            f"divisible by the split_size {sections}!"
        )
    return warpup.tensor_split(input, sections, dim)


@torch_function(node="SplitWithSizesBackward0")
def split_with_sizes(input, split_sizes, dim=0):
    return input.split(list(split_sizes), dim)


@torch_function
def fliplr(input):
    return input.flip(1)


@torch_function
def flipud(input):
    return input.flip(0)


@torch_function
def rot90(input, k=1, dims=(0, 1)):
    a, b = dims
    if k % 4 == 1:
        return input.flip(b).transpose(a, b)
    if k % 4 == 2:
        return input.flip(a, b)
    return input.flip(a).transpose(a, b) if k % 4 == 3 else input.clone()


@torch_function(method=False)
def cartesian_prod(*tensors):
    if len(tensors) == 1:
        return tensors[0]
    grids = warpup.meshgrid(*tensors, indexing="ij")
    return warpup.stack([it.reshape(-1) for it in grids], 1)


@torch_function(method=False)
def combinations(input, r=2, with_replacement=False):
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = list(choose(range(input.numel()), r))
    return input[warpup.tensor(places, dtype=warpup.long, device=input.device).reshape(-1, r)]


@torch_function
def kron(input, other):
    rank = max(input.dim(), other.dim())
    a = input.reshape(*(1,) * (rank - input.dim()), *input.shape)
    b = other.reshape(*(1,) * (rank - other.dim()), *other.shape)
    sizes = [x * y for x, y in zip(a.shape, b.shape)]
    for at in range(rank):
        a, b = a.unsqueeze(2 * at + 1), b.unsqueeze(2 * at)
    return (a * b).reshape(sizes)


@torch_function(method=False)
def vander(x, N=None, increasing=False):
    count = x.shape[-1] if N is None else N
    powers = warpup.arange(count, device=x.device)
    return x.unsqueeze(-1) ** (powers if increasing else powers.flip(0))


@torch_function(method=False)
def tensordot(a, b, dims=2):
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        dims = (range(a.dim() - dims, a.dim()), range(dims))
    left, right = ([_dim(it, of.dim()) for it in given] for given, of in zip(dims, (a, b)))
    kept_a = [it for it in range(a.dim()) if it not in left]
    kept_b = [it for it in range(b.dim()) if it not in right]
    inner = math.prod(a.shape[it] for it in left)
    sizes = [a.shape[it] for it in kept_a] + [b.shape[it] for it in kept_b]
    return (a.permute(*kept_a, *left).reshape(-1, inner) @ b.permute(*right, *kept_b).reshape(inner, -1)).reshape(sizes)


@torch_function(node="UnfoldBackward0")
def unfold(input, dimension, size, step):
    dim = _dim(dimension, input.dim())
    count = (input.shape[dim] - size) // step + 1
    places = warpup.arange(count, device=input.device).unsqueeze(1) * step + warpup.arange(size, device=input.device)
    parts = input.index_select(dim, places.reshape(-1)).unflatten(dim, (count, size))
    return parts.movedim(dim + 1, -1)


@torch_function
def as_strided(input, size, stride, storage_offset=None):
    """The elements at these steps, copied: a view in PyTorch."""
    base = input if input.is_contiguous() else input.contiguous()
    places = warpup.tensor(storage_offset or 0, device=input.device)
    for length, step in zip(size, stride):
        places = places.unsqueeze(-1) + warpup.arange(length, device=input.device) * step
    return base.reshape(-1)[places]


@torch_function(node="RenormBackward0", in_place=True)
def renorm(input, p, dim, maxnorm):
    others = tuple(it for it in range(input.dim()) if it != _dim(dim, input.dim()))
    sizes = input.norm(p, others, keepdim=True)
    with no_grad():
        too_long = sizes > maxnorm
    return input * warpup.where(too_long, maxnorm / (sizes + 1e-7), warpup.ones_like(sizes))


@torch_function
def narrow_copy(input, dim, start, length):
    return input.narrow(dim, start, length).clone()
