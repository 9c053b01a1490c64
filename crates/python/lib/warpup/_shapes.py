"""Functions and methods that split, repeat and join tensors."""

import builtins
from math import prod as _prod

import _warpup
from _warpup import Tensor, arange
from warpup._functions import _dim, _list, _method, _sizes
from warpup._registration import torch_function as _torch_function

cat = _warpup.cat


@_torch_function(node="StackBackward0")
def stack(tensors, dim=0):
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(
            f"stack(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}"
        )
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    try:
        return cat(_warpup.unsqueezed(tensors, dim), dim)
    except RuntimeError:
        # Most calls are right, so the sizes are compared only now.
        first = tensors[0].shape
        for at, it in enumerate(tensors):
            if it.shape != first:
                raise RuntimeError(
                    f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 "
                    f"and {list(it.shape)} at entry {at}"
                ) from None
        raise


def hstack(tensors):
    tensors = [it.reshape(1) if it.dim() == 0 else it for it in tensors]
    return cat(tensors, 0 if tensors[0].dim() == 1 else 1)


def vstack(tensors):
    return cat([it.reshape(1, -1) if it.dim() < 2 else it for it in tensors], 0)


def dstack(tensors):
    return cat([(it.reshape(1, -1) if it.dim() < 2 else it).unsqueeze(-1) if it.dim() < 3 else it for it in tensors], 2)


@_method
def narrow(input, dim, start, length):
    dim = _dim(dim, input.dim())
    start, size = int(start), input.shape[dim]
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    start += size if start < 0 else 0
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return _part(input, dim, start, start + length)


def _part(input, dim, start, end):
    return input[(slice(None),) * dim + (slice(start, end),)]


@_method
def select(input, dim, index):
    if input.dim() == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = _dim(dim, input.dim())
    if not -input.shape[dim] <= index < input.shape[dim]:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(input.shape)} at dimension {dim}"
        )
    return input[(slice(None),) * dim + (index,)]


@_torch_function(node="SplitBackward0")
def split(tensor, split_size_or_sections, dim=0):
    input, sizes, dim = tensor, split_size_or_sections, _dim(dim, tensor.dim())
    length = input.shape[dim]
    if not isinstance(sizes, (tuple, list)):
        if sizes < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={sizes}")
        if sizes == 0 and length > 0:
            raise RuntimeError(
                f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}"
            )
        sizes = [builtins.min(sizes, length - at) for at in range(0, length, sizes or 1)] or [length]
    if builtins.sum(sizes) != length:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's size at "
            f"dimension {dim}), but got split_sizes={list(sizes)}"
        )
    parts, start = [], 0
    for size in sizes:
        parts.append(_part(input, dim, start, start + size))
        start += size
    return tuple(parts)


@_method
@_torch_function(node="SplitBackward0")
def _split(input, split_size, dim=0):
    return split(input, split_size, dim)


@_method
@_torch_function(node="SplitBackward0")
def chunk(input, chunks, dim=0):
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    length = input.shape[_dim(dim, input.dim())]
    if length == 0:
        return (input,) * chunks
    return split(input, -(-length // chunks), dim)


@_method
def tensor_split(input, indices_or_sections, dim=0):
    length = input.shape[_dim(dim, input.dim())]
    if isinstance(indices_or_sections, (tuple, list)):
        edges = [0, *indices_or_sections, length]
        return tuple(_part(input, _dim(dim, input.dim()), a, b) for a, b in zip(edges, edges[1:]))
    size, more = divmod(length, indices_or_sections)
    return split(input, [size + (at < more) for at in range(indices_or_sections)], dim)


@_method
@_torch_function(node="UnbindBackward0")
def unbind(input, dim=0):
    return tuple(select(input, dim, at) for at in range(input.shape[_dim(dim, input.dim())]))


@_method
def movedim(input, source, destination):
    source, destination = _list(source), _list(destination)
    if len(source) != len(destination):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source "
            f"({source} dims) should contain the same number of dims as destination ({destination} dims)"
        )
    rank = input.dim()
    goes = {_dim(to, rank): _dim(at, rank) for at, to in zip(source, destination)}
    rest = iter([at for at in range(rank) if at not in goes.values()])
    return input.permute([goes[at] if at in goes else next(rest) for at in range(rank)])


moveaxis = movedim


@_method
@_torch_function(node="TransposeBackward0")
def swapaxes(input, axis0, axis1):
    return input.transpose(axis0, axis1)


swapdims = swapaxes


@_method
def unflatten(input, dim, sizes):
    dim, sizes = _dim(dim, input.dim()), list(sizes)
    size, known = input.shape[dim], _prod(it for it in sizes if it != -1)
    if -1 in sizes and known and size % known == 0:
        sizes = [size // known if it == -1 else it for it in sizes]
    elif known != size:
        raise RuntimeError(
            f"unflatten: Provided sizes {sizes} don't multiply up to the size of dim {dim} ({size}) in the input tensor"
        )
    return input.reshape(*input.shape[:dim], *sizes, *input.shape[dim + 1:])


@_method
def _view_as(input, other):
    return input.view(other.shape)


@_method
def _reshape_as(input, other):
    return input.reshape(other.shape)


@_method
def _expand_as(input, other):
    return input.expand(other.shape)


def broadcast_to(input, size):
    return input.expand(size)


@_method
@_torch_function(node="RepeatBackward0")
def _repeat(input, *repeats):
    counts = _sizes(repeats)
    if len(counts) < input.dim():
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        )
    sizes = [1] * (len(counts) - input.dim()) + list(input.shape)
    if builtins.any(it < 0 for it in counts):
        grown = [size * count for size, count in zip(sizes, counts)]
        negative = next(it for it in grown if it < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {negative}: {grown}")
    seen, spread = [], []
    for size, count in zip(sizes, counts):
        seen += [1, size]
        spread += [count, size]
    # One copy in all: `reshape` and `expand` give views.
    wide = input.reshape(seen).expand(spread).clone()
    return wide.reshape([size * count for size, count in zip(sizes, counts)])


@_method
@_torch_function(node="RepeatBackward0")
def tile(input, *dims):
    counts = _sizes(dims)
    return _repeat(input, [1] * (input.dim() - len(counts)) + counts)


def _repeated_positions(counts, total):
    """Each position as often as its count says. On a card the host waits only for what it has to know: the total."""
    if counts.numel() == 0:
        return counts.new_zeros(0)
    ends = counts.cumsum(0)
    if total is None:
        total = int(ends[-1])
        if not (counts >= 0).all():
            raise RuntimeError("repeats can not be negative")
    # After the end of a position comes the next one; those that are repeated no time end where the one before does.
    starts = ends.new_zeros(total + 1).index_add(0, ends, _warpup.ones_like(ends))
    return starts.cumsum(0)[:total].to(counts.dtype)


@_method
def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    if repeats is None:  # Only the numbers of repetitions were given: repeat the positions.
        return _repeated_positions(input, output_size)
    if dim is None:
        input, dim = input.flatten(), 0
    dim = _dim(dim, input.dim())
    size = input.shape[dim]
    if isinstance(repeats, Tensor) and repeats.numel() != 1:
        if repeats.numel() != size:
            raise RuntimeError(
                "repeats must have the same size as input along dim, but got "
                f"repeats.size(0) = {repeats.numel()} and input.size({dim}) = {size}"
            )
        return input.index_select(dim, _repeated_positions(repeats, output_size))
    count = int(repeats)
    if count < 0:
        raise RuntimeError("Repeats must be non-negative")
    seen = input.unsqueeze(dim + 1)
    sizes = list(seen.shape)
    sizes[dim + 1] = count
    return seen.expand(sizes).clone().flatten(dim, dim + 1)


@_method
@_torch_function(node="RollBackward0")
def roll(input, shifts, dims=None):
    if dims is None or dims == ():
        return roll(input.flatten(), shifts, 0).reshape(input.shape)
    shifts, dims = _list(shifts), _list(dims)
    if len(shifts) != len(dims):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    for shift, dim in zip(shifts, dims):
        dim = _dim(dim, input.dim())
        size = input.shape[dim]
        cut = size - shift % size if size else 0
        if cut != size:
            input = cat([_part(input, dim, cut, size), _part(input, dim, 0, cut)], dim)
    return input


@_method
@_torch_function(node="DiagonalBackward0")
def diagonal(input, offset=0, dim1=0, dim2=1):
    first, second = _dim(dim1, input.dim()), _dim(dim2, input.dim())
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    rows, columns = input.shape[first], input.shape[second]
    start = offset if offset >= 0 else -offset * columns
    room = builtins.min(rows, columns - offset) if offset >= 0 else builtins.min(rows + offset, columns)
    room = builtins.max(room, 0)
    last = movedim(input, (first, second), (-2, -1))
    if not last.is_contiguous() and last.transpose(-2, -1).is_contiguous():
        # The same elements lie on the other side of the transpose.
        return diagonal(input, -offset, second, first)
    if room and last.is_contiguous():
        # A view: every element is as far from the one before it.
        return last.flatten(-2)[..., start:start + (room - 1) * (columns + 1) + 1:columns + 1]
    last = last.flatten(-2)
    places = [start + at * (columns + 1) for at in range(room)]
    return last.index_select(-1, _places(places, input))


def _places(places, like):
    """Positions as a tensor of int64 on the device of another."""
    return arange(1).new_tensor(places).to(like.device)


@_method
@_torch_function(node="DiagEmbedBackward0")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    size = input.shape[-1]
    side = size + builtins.abs(offset)
    start = offset if offset >= 0 else -offset * side
    flat = input.new_zeros(*input.shape[:-1], side * side)
    places = _places([start + at * (side + 1) for at in range(size)], input)
    made = flat.index_add(-1, places, input).unflatten(-1, (side, side))
    return made if (dim1, dim2) == (-2, -1) else made.movedim((-2, -1), (dim1, dim2))


@_method
def diag(input, diagonal=0):
    if input.dim() == 1:
        return diag_embed(input, diagonal)
    if input.dim() == 2:
        return input.diagonal(diagonal)
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")


@_method
@_torch_function(node="TraceBackward0")
def trace(input):
    if input.dim() != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.dim()}")
    return input.diagonal().sum()


def meshgrid(*tensors, indexing="ij"):
    tensors = _sizes(tensors)
    if indexing == "xy":
        swapped = meshgrid(tensors[1], tensors[0], *tensors[2:])
        return (swapped[1], swapped[0], *swapped[2:])
    sizes = [it.numel() for it in tensors]
    seen = lambda at: [1] * at + [-1] + [1] * (len(sizes) - at - 1)
    return tuple(it.reshape(seen(at)).expand(sizes) for at, it in enumerate(tensors))


def _made(name):
    def make(input, *size, dtype=None, device=None, requires_grad=False):
        return _new(getattr(_warpup, name), input, _sizes(size), dtype, device, requires_grad)

    make.__name__ = "_new_" + name
    return _method(make)


def _new(make, like, arguments, dtype, device, requires_grad):
    return make(
        *arguments, dtype=dtype or like.dtype, device=device or like.device, requires_grad=requires_grad
    )


for _name in ("zeros", "ones", "empty"):
    _made(_name)
del _name


@_method
def _new_full(input, size, fill_value, *, dtype=None, device=None, requires_grad=False):
    return _new(_warpup.full, input, (size, fill_value), dtype, device, requires_grad)


@_method
def _new_tensor(input, data, *, dtype=None, device=None, requires_grad=False):
    return _new(_warpup.tensor, input, (data,), dtype, device, requires_grad)


@_method
def _type(input, dtype=None, non_blocking=False):
    from warpup._legacy import type_of

    return type_of(input, dtype)


@_method
def _type_as(input, other):
    return input.to(other.device).to(other.dtype)
