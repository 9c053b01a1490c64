"""Sampling a picture at the places of a grid. Loaded on first use."""

import itertools

import warpup
from warpup import _warpup


def _check(input, grid, mode, padding_mode):
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: "
            f"'{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if input.shape[0] != grid.shape[0]:
        raise RuntimeError(
            f"grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if grid.shape[-1] != input.dim() - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {input.dim() - 2} in last dimension, but got grid with sizes "
            f"{list(grid.shape)}"
        )
    if mode == "bicubic" and input.dim() != 4:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


def _reflected(place, low, high):
    """Mirrored at both ends until it lies between them."""
    if low == high:
        return place * 0.0
    span = high - low
    place = (place - low).abs()
    extra = place % span
    turns = ((place - extra.detach()) / span).detach().floor()
    is_even = turns % 2 == 0
    return warpup.where(is_even, extra + low, span - extra + low)


def _fitted(place, size, padding_mode, align_corners):
    """A place inside of the picture, for modes other than zeros."""
    if padding_mode == "zeros":
        return place
    if padding_mode == "reflection":
        ends = (0, size - 1) if align_corners else (-0.5, size - 0.5)
        place = _reflected(place, *ends)
    return place.clamp(0, size - 1)


def _picked(flat, places, sizes):
    """The values of a picture at whole places, one tensor for each dimension; 0 outside of it."""
    index, inside = None, None
    for place, size in zip(places, sizes):
        here = (place >= 0) & (place <= size - 1)
        inside = here if inside is None else inside & here
        whole = place.clamp(0, size - 1).long()
        index = whole if index is None else index * size + whole
    shape = index.shape
    index = index.reshape(shape[0], 1, -1).expand(-1, flat.shape[1], -1)
    values = flat.gather(2, index).reshape(shape[0], flat.shape[1], *shape[1:])
    return values * inside.unsqueeze(1).to(values.dtype)


def _cubic(at):
    """The weights of four neighbours, by the distance from the second of them."""
    a = -0.75

    def near(x):
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x):
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(at + 1), near(at), near(1 - at), far(2 - at)]


def _bicubic(flat, places, sizes, fit):
    begins = [it.detach().floor() for it in places]
    weights = [_cubic(it - begin) for it, begin in zip(places, begins)]
    total = 0.0
    for row, line in itertools.product(range(4), range(4)):
        at = [fit(begins[0] + row - 1, sizes[0]), fit(begins[1] + line - 1, sizes[1])]
        total = total + _picked(flat, at, sizes) * (weights[0][row] * weights[1][line]).unsqueeze(1)
    return total


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    _check(input, grid, mode, padding_mode)
    align_corners = bool(align_corners)
    sizes = input.shape[2:]
    flat = input.flatten(2)

    def fit(place, size):
        return _fitted(place, size, padding_mode, align_corners)

    # The last dimension of the grid names the columns first.
    places = []
    for place, size in zip(reversed(grid.unbind(-1)), sizes):
        place = (place + 1) * ((size - 1) / 2) if align_corners else (place + 1) * (size / 2) - 0.5
        places.append(place if mode == "bicubic" else fit(place, size))
    name = f"GridSampler{len(sizes)}DBackward0"
    if mode == "bicubic":
        return _warpup.named(_bicubic(flat, places, sizes, fit), name)
    if mode == "nearest":
        return _warpup.named(_picked(flat, [it.detach().round() for it in places], sizes), name)
    begins = [it.detach().floor() for it in places]
    # How far the next place is, and this one.
    shares = [(1 - (place - begin), place - begin) for place, begin in zip(places, begins)]
    total = 0.0
    for corner in itertools.product((0, 1), repeat=len(sizes)):
        weight = 1.0
        for share, step in zip(shares, corner):
            weight = weight * share[step]
        at = [begin + step for begin, step in zip(begins, corner)]
        total = total + _picked(flat, at, sizes) * weight.unsqueeze(1)
    return _warpup.named(total, name)


def affine_grid(theta, size, align_corners=None):
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    wanted = {4: (2, 3), 5: (3, 4)}.get(len(size))
    if wanted is None:
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {size}."
        )
    if theta.dim() != 3 or theta.shape[-2:] != wanted:
        raise ValueError(
            f"Expected a batch of {wanted[0]}D affine matrices of shape Nx{wanted[0]}x{wanted[1]} for size "
            f"{size}. Got {theta.shape}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    spatial = size[2:]
    make = {"dtype": theta.dtype, "device": theta.device}
    parts = []
    for at in range(len(spatial) - 1, -1, -1):
        count = spatial[at]
        line = warpup.linspace(-1, 1, count, **make) if count > 1 else warpup.zeros(1, **make)
        line = line if align_corners else line * (count - 1) / count
        parts.append(line.reshape([-1 if it == at else 1 for it in range(len(spatial))]).expand(spatial))
    parts.append(warpup.ones(spatial, **make))
    base = warpup.stack(parts, -1).reshape(1, -1, len(spatial) + 1).expand(size[0], -1, -1)
    grid = base.bmm(theta.transpose(1, 2)).reshape(size[0], *spatial, len(spatial))
    return _warpup.named(grid, "AffineGridGeneratorBackward0")
