"""Functions and methods that few programs need: other names, and elements put in place. Loaded on first use."""

import warpup
from warpup import Tensor
from warpup._registration import torch_function
from warpup.nn import functional as F


@torch_function(method=False)
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    if isinstance(obj, Tensor):
        made = obj.to(device=device, dtype=dtype)
        if copy and made is obj:
            made = obj.clone()
        if copy is False and made is not obj:
            raise ValueError("can't alias tensor of another dtype or device")
        return made.detach().requires_grad_(requires_grad) if made.requires_grad != requires_grad else made
    made = warpup.tensor(obj, dtype=dtype, device=device) if copy else warpup.as_tensor(obj, dtype=dtype, device=device)
    return made.requires_grad_(True) if requires_grad else made


@torch_function(method=False)
def scalar_tensor(s, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """In the default dtype, whatever kind of number it is given."""
    dtype = warpup.get_default_dtype() if dtype is None else dtype
    return warpup.tensor(s, dtype=dtype, device=device, requires_grad=requires_grad)


@torch_function(method=False)
def spmm(input, mat2, *, out=None):
    """A matrix product; the first factor may be sparse in PyTorch."""
    return warpup.mm(input, mat2, out=out)


@torch_function(method=False)
def row_stack(tensors, *, out=None):
    return warpup.vstack(tensors)


@torch_function(method=False)
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor whose dimensions lie in memory in the order of these strides."""
    order = sorted(range(len(size)), key=lambda it: -stride[it])
    made = warpup.empty([size[it] for it in order], dtype=dtype, device=device)
    made = made.permute([order.index(it) for it in range(len(size))]) if order else made
    if made.stride() != tuple(stride):
        raise NotImplementedError("empty_strided with gaps or overlaps is not part of warpup; PyTorch has it")
    return made.requires_grad_(True) if requires_grad else made


@torch_function(method=False)
def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    made = warpup.empty([size[it] for it in physical_layout], dtype=dtype, device=device)
    made = made.permute([list(physical_layout).index(it) for it in range(len(size))])
    return made.requires_grad_(True) if requires_grad else made


@torch_function(method=False)
def fill(input, value):
    return warpup.full_like(input, value.item() if isinstance(value, Tensor) else value)


@torch_function(function=False, in_place=True)
def absolute(input, *, out=None):
    return input.abs()


@torch_function(function=False, in_place=True)
def negative(input, *, out=None):
    return -input


@torch_function(function=False, in_place=True)
def arccos(input, *, out=None):
    return input.acos()


@torch_function(function=False, in_place=True)
def arcsin(input, *, out=None):
    return input.asin()


@torch_function(function=False, in_place=True)
def arctan(input, *, out=None):
    return input.atan()


@torch_function
def adjoint(input):
    return input.mT


@torch_function(function=False)
def broadcast_to(input, *size):
    return warpup.broadcast_to(input, size[0] if len(size) == 1 and not isinstance(size[0], int) else size)


@torch_function(function=False)
def where(input, condition, other):
    return warpup.where(condition, input, other)


@torch_function(function=False)
def resize(input, *sizes):
    return input.reshape(*sizes)


@torch_function(function=False)
def resize_as(input, tensor):
    return input.reshape(tensor.shape)


@torch_function
def unsafe_chunk(input, chunks, dim=0):
    return input.chunk(chunks, dim)


@torch_function
def unsafe_split(input, split_size, dim=0):
    return input.split(split_size, dim)


@torch_function
def unsafe_split_with_sizes(input, split_sizes, dim=0):
    return input.split(split_sizes, dim)


@torch_function(method=False)
def threshold(input, threshold, value):
    return F.threshold(input, threshold, value)


@torch_function
def hardshrink(input, lambd=0.5):
    return F.hardshrink(input, lambd)


@torch_function(method=False)
def bilinear(input1, input2, weight, bias=None):
    return F.bilinear(input1, input2, weight, bias)


@torch_function(method=False)
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return F.cosine_similarity(x1, x2, dim, eps)


@torch_function(method=False)
def pairwise_distance(x1, x2, p=2, eps=1e-6, keepdim=False):
    return F.pairwise_distance(x1, x2, p, eps, keepdim)


@torch_function
def put(input, index, source, accumulate=False):
    flat = input.reshape(-1)
    places = warpup.where(index < 0, index + flat.numel(), index).reshape(-1)
    values = source.reshape(-1)
    made = flat.index_add(0, places, values) if accumulate else flat.index_copy(0, places, values)
    return made.reshape(input.shape)


@torch_function(function=False)
def put_(input, index, source, accumulate=False):
    return input.copy_(put(input, index, source, accumulate))


@torch_function
def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    """Combines rows of `source` with those of the input that `index` names."""
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    shape = [1] * source.dim()
    shape[dim] = -1
    return input.scatter_reduce(dim, index.reshape(shape).expand(source.shape), source, reduce, include_self=include_self)


@torch_function(function=False)
def index_reduce_(input, dim, index, source, reduce, *, include_self=True):
    return input.copy_(index_reduce(input, dim, index, source, reduce, include_self=include_self))


@torch_function
def nonzero_static(input, *, size, fill_value=-1):
    found = input.nonzero()[:size]
    rest = found.new_full((size - found.shape[0], found.shape[1]), fill_value)
    return warpup.cat([found, rest])


@torch_function
def nextafter(input, other, *, out=None):
    """The next number that the dtype has, towards the other."""
    import math

    if input.dtype == warpup.float64:
        step = math.nextafter
    elif input.dtype == warpup.float32:
        step = _next_of_float32
    else:
        raise NotImplementedError(f'"nextafter_cpu" not implemented for \'{warpup._functions._scalar(input)}\'')
    input, other = warpup.broadcast_tensors(input, other)
    values = [step(*it) for it in zip(input.reshape(-1).tolist(), other.reshape(-1).tolist())]
    return warpup.tensor(values, dtype=input.dtype, device=input.device).reshape(input.shape)


def _next_of_float32(value, towards):
    import math
    import struct

    if value == towards or value != value or towards != towards:
        return towards if value == value else value
    if value == 0.0:
        return math.copysign(struct.unpack("<f", struct.pack("<I", 1))[0], towards)
    bits = struct.unpack("<i", struct.pack("<f", value))[0]
    bits += 1 if (value < towards) == (value > 0) else -1
    return struct.unpack("<f", struct.pack("<i", bits))[0]


@torch_function(function=False)
def record_stream(input, stream):
    """Says that a stream uses the memory. Results are the same with it and without it: warpup gives memory back in the
    order of the program, and no kernel of a stream sees another tensor there."""
    if not input.is_cuda:
        raise NotImplementedError(
            "Could not run 'aten::record_stream' with arguments from the 'CPU' backend: only tensors of a card have streams."
        )
    stream.cuda_stream  # noqa: B018


@torch_function(function=False)
def dim_order(input, ambiguity_check=False):
    """The dimensions from the slowest to the fastest in memory."""
    if ambiguity_check:
        raise NotImplementedError("dim_order(ambiguity_check=…) is not part of warpup; PyTorch has it")
    return tuple(sorted(range(input.dim()), key=lambda it: (-input.stride(it), it)))


@torch_function(function=False)
def to_dense(input, dtype=None, *, masked_grad=True):
    return input if dtype is None else input.to(dtype)


@torch_function(method=False)
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, generator=None):
    return F.rrelu(input, lower, upper, training)


def _steps(length, periodic, dtype, device):
    """The places in a window that ends where the next would begin."""
    dtype = dtype or warpup.get_default_dtype()
    if length < 2:
        return warpup.ones(length, dtype=dtype, device=device), None
    last = length if periodic else length - 1
    return warpup.arange(length, dtype=dtype, device=device), last


def _cosines(length, weights, periodic, options):
    """A sum of cosines over one period: hann, hamming."""
    steps, last = _steps(length, periodic, **options)
    if last is None:
        return steps
    alpha, beta = weights
    return (steps * (2 * warpup.pi / last)).cos() * -beta + alpha


def _options(dtype, device):
    return {"dtype": dtype, "device": device}


@torch_function(method=False)
def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return _cosines(window_length, (0.5, 0.5), periodic, _options(dtype, device)).requires_grad_(requires_grad)


@torch_function(method=False)
def hamming_window(
    window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False,
):
    return _cosines(window_length, (alpha, beta), periodic, _options(dtype, device)).requires_grad_(requires_grad)


@torch_function(method=False)
def blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    steps, last = _steps(window_length, periodic, dtype, device)
    if last is not None:
        steps = steps * (2 * warpup.pi / last)
        steps = (steps * 2).cos() * 0.08 - steps.cos() * 0.5 + 0.42
    return steps.requires_grad_(requires_grad)


@torch_function(method=False)
def bartlett_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    steps, last = _steps(window_length, periodic, dtype, device)
    if last is not None:
        rising = steps * (2.0 / last)
        steps = warpup.where(steps <= last // 2, rising, 2 - rising)
    return steps.requires_grad_(requires_grad)
