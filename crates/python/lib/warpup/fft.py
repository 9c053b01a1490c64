"""torch.fft: discrete Fourier transforms, as products with the matrix of the transform. Loaded on first use.

The values are those of a fast transform; the work is not: it grows with the square of the length.
"""

import math

import warpup
from warpup import Tensor, _names
from warpup._complex import ComplexTensor, complex

_NORMS = ("backward", "ortho", "forward")


def _whole(input):
    """Real tensors and integers as complex tensors."""
    if isinstance(input, ComplexTensor):
        return input
    if not input.is_floating_point():
        input = input.to(warpup.get_default_dtype())
    return complex(input, warpup.zeros_like(input))


def _scale(norm, size, is_inverse):
    norm = "backward" if norm is None else norm
    if norm not in _NORMS:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    if norm == "ortho":
        return 1.0 / math.sqrt(size)
    return 1.0 / size if (norm == "forward") != is_inverse else 1.0


def _fitted(input, n, dim):
    """Cut, or filled with zeros, to a length."""
    size = input.shape[dim]
    if n is None or n == size:
        return input
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")
    if n < size:
        return input.narrow(dim, 0, n)
    shape = list(input._pair.shape)
    shape[dim] = n - size
    return ComplexTensor(warpup.cat([input._pair, input._pair.new_zeros(shape)], dim))


def _transform(input, n, dim, norm, is_inverse):
    input = _whole(input)
    if input.ndim == 0:
        raise RuntimeError("Dimension specified as -1 but tensor has no dimensions")
    dim = input._dim(dim)
    if input.shape[dim] < 1 and n is None:
        raise RuntimeError(f"Invalid number of data points ({input.shape[dim]}) specified")
    input = _fitted(input, n, dim)
    size = input.shape[dim]
    steps = warpup.arange(size, dtype=warpup.float64, device=input.device)
    # The remainder first, so that angles stay small and exact.
    angles = (steps.unsqueeze(1) * steps) % size * ((2.0 if is_inverse else -2.0) * math.pi / size)
    cosines, sines = angles.cos(), angles.sin()
    last = input.transpose(dim, -1)
    real, imag = last.real.double(), last.imag.double()
    scale = _scale(norm, size, is_inverse)
    found = complex((real @ cosines - imag @ sines) * scale, (real @ sines + imag @ cosines) * scale)
    return found.to(input.dtype).transpose(dim, -1)


def fft(input, n=None, dim=-1, norm=None, *, out=None):
    return _transform(input, n, dim, norm, False)


def ifft(input, n=None, dim=-1, norm=None, *, out=None):
    return _transform(input, n, dim, norm, True)


def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    if isinstance(input, ComplexTensor):
        raise TypeError("rfft expects a real input tensor, but got " + str(input.dtype).replace("torch.complex64", "ComplexFloat"))
    found = fft(input, n, dim, norm)
    return found.narrow(dim, 0, found.shape[dim] // 2 + 1)


def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    input = _whole(input)
    dim = input._dim(dim)
    n = 2 * (input.shape[dim] - 1) if n is None else n
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")
    half = _fitted(input, n // 2 + 1, dim)
    # The other half mirrors it; imaginary parts without a mirror count for nothing.
    count = n - n // 2 - 1
    mirror = half.narrow(dim, 1, count).flip(dim).conj() if count else None
    whole = half if mirror is None else ComplexTensor(warpup.cat([half._pair, mirror._pair], dim))
    first = warpup.ones(n, dtype=whole._pair.dtype, device=whole.device)
    first[0] = 0
    if n % 2 == 0:
        first[n // 2] = 0
    shape = [1] * whole.ndim
    shape[dim] = n
    whole = complex(whole.real, whole.imag * first.reshape(shape))
    return ifft(whole, n, dim, norm).real


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    n = 2 * (input.shape[dim] - 1) if n is None else n
    turned = {"backward": "forward", None: "forward", "forward": "backward", "ortho": "ortho"}[norm]
    return irfft(_whole(input).conj(), n, dim, turned)


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    turned = {"backward": "forward", None: "forward", "forward": "backward", "ortho": "ortho"}[norm]
    return rfft(input, n, dim, turned).conj()


def _axes(input, s, dim):
    """The dimensions and their lengths."""
    rank = input.dim()
    if dim is None:
        dim = list(range(rank)) if s is None else list(range(rank - len(s), rank))
    else:
        dim = list(dim) if isinstance(dim, (tuple, list)) else [dim]
    sizes = [None] * len(dim) if s is None else [None if it == -1 else it for it in s]
    if len(sizes) != len(dim):
        raise RuntimeError("When given, dim and shape arguments must have the same length")
    dim = [warpup._functions._dim(it, rank) for it in dim]
    if len(set(dim)) != len(dim):
        raise RuntimeError("FFT dims must be unique")
    return list(zip(dim, sizes))


def fftn(input, s=None, dim=None, norm=None, *, out=None):
    for at, size in _axes(input, s, dim):
        input = fft(input, size, at, norm)
    return input


def ifftn(input, s=None, dim=None, norm=None, *, out=None):
    for at, size in _axes(input, s, dim):
        input = ifft(input, size, at, norm)
    return input


def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    *others, (at, size) = _axes(input, s, dim)
    input = rfft(input, size, at, norm)
    for at, size in others:
        input = fft(input, size, at, norm)
    return input


def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    *others, (at, size) = _axes(input, s, dim)
    for before, length in others:
        input = ifft(input, length, before, norm)
    return irfft(input, size, at, norm)


def fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return fftn(input, s, dim, norm)


def ifft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return ifftn(input, s, dim, norm)


def rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return rfftn(input, s, dim, norm)


def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return irfftn(input, s, dim, norm)


def fftfreq(n, d=1.0, *, out=None, dtype=None, device=None, requires_grad=False):
    steps = warpup.arange(n, dtype=dtype or warpup.get_default_dtype(), device=device)
    steps = warpup.where(steps >= (n + 1) // 2, steps - n, steps)
    return (steps * (1.0 / (n * d))).requires_grad_(requires_grad)


def rfftfreq(n, d=1.0, *, out=None, dtype=None, device=None, requires_grad=False):
    steps = warpup.arange(n // 2 + 1, dtype=dtype or warpup.get_default_dtype(), device=device)
    return (steps * (1.0 / (n * d))).requires_grad_(requires_grad)


def _shifted(input, dim, sign):
    dims = list(range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    sizes = [input.shape[it] for it in dims]
    shifts = [size // 2 if sign > 0 else (size + 1) // 2 for size in sizes]
    return input.roll(shifts, dims)


def fftshift(input, dim=None):
    return _shifted(input, dim, 1)


def ifftshift(input, dim=None):
    return _shifted(input, dim, -1)


__getattr__ = _names.getter("torch.fft", globals())
