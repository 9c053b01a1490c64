"""Statistics, distances and products that few programs need, composed of others. Loaded on first use."""

import math

import warpup
from warpup import Tensor
from warpup._functions import _dim
from warpup._registration import torch_function


@torch_function
def dist(input, other, p=2):
    return (input - other).norm(p)


@torch_function(node="CdistBackward0", method=False)
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    by_product = compute_mode == "use_mm_for_euclid_dist" or (
        compute_mode == "use_mm_for_euclid_dist_if_necessary" and (x1.shape[-2] > 25 or x2.shape[-2] > 25)
    )
    wants_gradient = warpup.is_grad_enabled() and (x1.requires_grad or x2.requires_grad)
    if p == 2 and by_product and not (wants_gradient or x1.is_cuda):
        return _by_product(x1, x2)
    between = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    if p == 0:
        return (between != 0).to(x1.dtype).sum(-1)
    return warpup.linalg.vector_norm(between, p, -1)


def _by_product(x1, x2):
    """Distances by one product of matrices, as PyTorch does for many rows: less exact for neighbours."""
    first, second = x1.pow(2).sum(-1, keepdim=True), x2.pow(2).sum(-1, keepdim=True)
    left = warpup.cat([x1 * -2, first, warpup.ones_like(first)], -1)
    right = warpup.cat([x2, warpup.ones_like(second), second], -1)
    return (left @ right.transpose(-2, -1)).clamp(min=0).sqrt()


@torch_function
def cov(input, *, correction=1, fweights=None, aweights=None):
    if not input.is_floating_point():
        input = input.to(warpup.get_default_dtype())
    rows = input.reshape(1, -1) if input.dim() < 2 else input
    rows = rows - rows.mean(1, keepdim=True)
    made = rows @ rows.t() / (rows.shape[1] - correction)
    return made.squeeze() if input.dim() < 2 else made


@torch_function
def corrcoef(input):
    made = cov(input)
    if made.dim() == 0:
        return made / made
    spread = made.diagonal().sqrt()
    return (made / spread.unsqueeze(1) / spread).clamp(-1, 1)


@torch_function
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    if not input.is_floating_point():
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    several = isinstance(q, Tensor) and q.dim() == 1
    chances = q.reshape(-1) if isinstance(q, Tensor) else warpup.tensor([q], dtype=input.dtype, device=input.device)
    rank = input.dim()
    values = input.reshape(-1) if dim is None else input.movedim(dim, -1)
    values = values.sort(-1).values
    if values.isnan().any():
        values = values.masked_fill(values.isnan().any(-1, keepdim=True), math.nan)
    places = chances * (values.shape[-1] - 1)
    below, above = places.floor(), places.ceil()
    if interpolation == "nearest":
        below = above = places.round()
    elif interpolation == "lower":
        above = below
    elif interpolation == "higher":
        below = above
    low, high = values.index_select(-1, below.long()), values.index_select(-1, above.long())
    share = 0.5 if interpolation == "midpoint" else places - below
    found = low + (high - low) * share if interpolation in ("linear", "midpoint") else low
    found = found.movedim(-1, 0)
    if keepdim:
        found = found.reshape(found.shape[0], *(1,) * rank) if dim is None else found.unsqueeze(_dim(dim, rank) + 1)
    return found if several else found.squeeze(0)


@torch_function
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    kept = input.reshape(-1) if dim is None else input
    if dim is None:
        return quantile(kept[~kept.isnan()], q, interpolation=interpolation)
    flat = kept.movedim(dim, -1).reshape(-1, kept.shape[dim])
    rows = [
        quantile(it[~it.isnan()] if not it.isnan().all() else it, q, interpolation=interpolation) for it in flat
    ]
    made = warpup.stack(rows, -1)
    sizes = [size for at, size in enumerate(kept.shape) if at != _dim(dim, kept.dim())]
    made = made.reshape(*made.shape[:-1], *sizes)
    return made.unsqueeze(dim) if keepdim else made


@torch_function
def nansum(input, dim=None, keepdim=False, *, dtype=None):
    kept = input.masked_fill(input.isnan(), 0) if input.is_floating_point() else input
    return kept.sum(dtype=dtype) if dim is None else kept.sum(dim, keepdim=keepdim, dtype=dtype)


@torch_function
def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    counts = (~input.isnan()).to(input.dtype)
    return nansum(input, dim, keepdim, dtype=dtype) / nansum(counts, dim, keepdim)


@torch_function
def nanmedian(input, dim=None, keepdim=False):
    if dim is None:
        kept = input[~input.isnan()]
        return kept.median() if kept.numel() else input.new_full((), math.nan)
    order = input.sort(dim)
    counts = (~input.isnan()).sum(dim, keepdim=True)
    place = ((counts - 1) // 2).clamp(min=0)
    found = [it.gather(dim, place) for it in (order.values, order.indices)]
    return _Named("nanmedian", *(found if keepdim else (it.squeeze(dim) for it in found)))


class _Named(tuple):
    """Values and indices."""

    def __new__(cls, name, values, indices):
        made = tuple.__new__(cls, (values, indices))
        made._name = name
        return made

    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])

    def __repr__(self):
        return f"torch.return_types.{self._name}(\nvalues={self[0]!r},\nindices={self[1]!r})"


@torch_function
def mode(input, dim=-1, keepdim=False):
    dim = _dim(dim, input.dim())
    rows = input.movedim(dim, -1)
    counts = (rows.unsqueeze(-1) == rows.unsqueeze(-2)).sum(-1)
    often = counts == counts.amax(-1, keepdim=True)
    if rows.is_floating_point():
        least = rows.masked_fill(~often, math.inf).amin(-1, keepdim=True)
    else:
        least = rows.masked_fill(~often, warpup.iinfo(rows.dtype).max).amin(-1, keepdim=True)
    last = (rows == least).long() * warpup.arange(rows.shape[-1], device=rows.device)
    values, indices = least.squeeze(-1), last.argmax(-1)
    if keepdim:
        values, indices = values.unsqueeze(dim), indices.unsqueeze(dim)
    return _Named("mode", values, indices)


@torch_function
def histc(input, bins=100, min=0, max=0):
    flat = input.reshape(-1)
    low, high = (float(flat.min()), float(flat.max())) if min == max == 0 and flat.numel() else (float(min), float(max))
    if low == high:
        low, high = low - 1, high + 1
    kept = flat[(flat >= low) & (flat <= high)]
    places = ((kept - low) * bins / (high - low)).floor().long().clamp(max=bins - 1)
    return warpup.bincount(places, minlength=bins).to(input.dtype)


@torch_function
def histogram(input, bins, *, range=None, weight=None, density=False):
    flat = input.reshape(-1)
    if isinstance(bins, Tensor):
        edges = bins
    else:
        low, high = range if range is not None else (float(flat.min()), float(flat.max()))
        edges = warpup.linspace(low, high, bins + 1)
    inside = (flat >= edges[0]) & (flat <= edges[-1])
    kept = flat[inside]
    places = (warpup.searchsorted(edges, kept, right=True) - 1).clamp(0, edges.numel() - 2)
    counts = warpup.zeros(edges.numel() - 1, dtype=input.dtype)
    heavy = warpup.ones_like(kept) if weight is None else weight.reshape(-1)[inside]
    counts = counts.index_add(0, places, heavy)
    if density:
        counts = counts / counts.sum() / edges.diff()
    return _Histogram((counts, edges))


class _Histogram(tuple):
    hist = property(lambda self: self[0])
    bin_edges = property(lambda self: self[1])

    def __repr__(self):
        return f"torch.return_types.histogram(\nhist={self[0]!r},\nbin_edges={self[1]!r})"


@torch_function
def logcumsumexp(input, dim):
    most = input.amax(dim, keepdim=True).detach()
    return (input - most).exp().cumsum(dim).log() + most


@torch_function
def diff(input, n=1, dim=-1, prepend=None, append=None):
    dim = _dim(dim, input.dim())
    parts = [it for it in (prepend, input, append) if it is not None]
    made = warpup.cat(parts, dim) if len(parts) > 1 else input
    for _ in range(n):
        size = made.shape[dim] - 1
        later, earlier = made.narrow(dim, 1, size), made.narrow(dim, 0, size)
        made = later ^ earlier if made.dtype == warpup.bool else later - earlier
    return made


def _steps(y, x, dx, dim):
    if x is None:
        return 1.0 if dx is None else dx
    return diff(x, dim=-1 if x.dim() == 1 else dim)


def _areas(y, x, dx, dim):
    dim = _dim(dim, y.dim())
    size = y.shape[dim] - 1
    steps = _steps(y, x, dx, dim)
    if isinstance(steps, Tensor) and steps.dim() == 1:
        steps = steps.reshape(*(-1 if at == dim else 1 for at in range(y.dim())))
    return (y.narrow(dim, 1, size) + y.narrow(dim, 0, size)) * steps / 2


@torch_function(also="trapz", method=False)
def trapezoid(y, x=None, *, dx=None, dim=-1):
    return _areas(y, x, dx, dim).sum(dim)


trapz = trapezoid


@torch_function(method=False)
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    return _areas(y, x, dx, dim).cumsum(dim)


@torch_function(method=False)
def gradient(input, *, spacing=1, dim=None, edge_order=1):
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    found = []
    for number, at in enumerate(dims):
        step = spacing[number] if isinstance(spacing, (tuple, list)) else spacing
        size = input.shape[at]
        places = warpup.arange(size, dtype=input.dtype) * step if not isinstance(step, Tensor) else step
        sizes = [-1 if it == at % input.dim() else 1 for it in range(input.dim())]
        part = lambda it, start, length: it.narrow(at, start, length)
        gaps = diff(places)
        slopes = diff(input, dim=at) / gaps.reshape(sizes)
        left, right = gaps[:-1].reshape(sizes), gaps[1:].reshape(sizes)
        inner = (part(slopes, 0, size - 2) * right + part(slopes, 1, size - 2) * left) / (left + right)
        found.append(warpup.cat([part(slopes, 0, 1), inner, part(slopes, size - 2, 1)], at))
    return tuple(found)


@torch_function(node="LinalgCrossBackward0")
def cross(input, other, dim=None):
    input, other = warpup.broadcast_tensors(input, other)
    if dim is None:
        dim = next((at for at, size in enumerate(input.shape) if size == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    if input.shape[dim] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.shape[dim]} and {other.shape[dim]}"
        )
    a, b = input.unbind(dim), other.unbind(dim)
    parts = [a[(at + 1) % 3] * b[(at + 2) % 3] - a[(at + 2) % 3] * b[(at + 1) % 3] for at in range(3)]
    return warpup.stack(parts, dim)


@torch_function
def vdot(input, other):
    return input.dot(other)


@torch_function(in_place=True)
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return beta * input + alpha * batch1.bmm(batch2).sum(0)


@torch_function(in_place=True)
def addmv(input, mat, vec, *, beta=1, alpha=1):
    return beta * input + alpha * mat.mv(vec)


@torch_function(in_place=True)
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    return beta * input + alpha * warpup.outer(vec1, vec2)


@torch_function
def ger(input, vec2):
    return warpup.outer(input, vec2)


@torch_function(method=False)
def chain_matmul(*matrices):
    made = matrices[0]
    for it in matrices[1:]:
        made = made @ it
    return made


@torch_function(method=False)
def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False, **named):
    made = base ** warpup.linspace(start, end, steps, dtype=dtype, device=device)
    return made.requires_grad_(requires_grad)


def range_(start=0, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    """`torch.range`, which includes its end."""
    if end is None:
        start, end = 0, start
    count = int((end - start) / step) + 1
    made = start + step * warpup.arange(count, device=device)
    made = made.to(dtype or warpup.get_default_dtype())
    return made.requires_grad_(requires_grad)


@torch_function(method=False)
def poisson(input, generator=None):
    """Drawn one by one: products of uniform numbers (Knuth), as PyTorch does for rates below 10."""
    drawn = []
    for rate in input.detach().reshape(-1).tolist():
        least, product, count = math.exp(-rate), 1.0, 0
        while rate > 0:
            product *= float(warpup.rand((), dtype=warpup.double, generator=generator))
            if product <= least:
                break
            count += 1
        drawn.append(count)
    return warpup.tensor(drawn, dtype=input.dtype, device=input.device).reshape(input.shape)
