"""Functions of elements that few programs need, composed of others. Loaded on first use."""

import math

import _warpup
import warpup
from warpup import Tensor

from warpup import asinh as arcsinh, atan2 as arctan2, atanh as arctanh, trunc as fix
from warpup._registration import torch_function


def _pair(input, other):
    """Two tensors of one dtype; either may be a number."""
    if not isinstance(input, Tensor):
        input = warpup.tensor(input, dtype=None if isinstance(input, float) else other.dtype, device=other.device)
    if not isinstance(other, Tensor):
        other = warpup.tensor(other, dtype=None if isinstance(other, float) else input.dtype, device=input.device)
    dtype = warpup.promote_types(input.dtype, other.dtype)
    return input.to(dtype), other.to(dtype)


def _floating(input):
    return input if input.is_floating_point() else input.to(warpup.get_default_dtype())


@torch_function(also="arccosh")
def acosh(input):
    input = _floating(input)
    return (input + (input * input - 1.0).sqrt()).log()


arccosh = acosh


@torch_function(in_place=True)
def deg2rad(input):
    return _floating(input) * (math.pi / 180.0)


@torch_function(in_place=True)
def rad2deg(input):
    return _floating(input) * (180.0 / math.pi)


@torch_function(in_place=True)
def sinc(input):
    input = _floating(input)
    angle = input * math.pi
    zero = input == 0
    return warpup.where(zero, warpup.ones_like(input), angle.sin() / angle.masked_fill(zero, 1.0))


@torch_function(in_place=True)
def logit(input, eps=None):
    input = _floating(input)
    if eps is not None:
        input = input.clamp(eps, 1.0 - eps)
    return (input / (1.0 - input)).log()


@torch_function(in_place=True)
def erfc(input):
    return 1.0 - input.erf()


@torch_function(in_place=True)
def xlogy(input, other):
    input, other = (_floating(it) for it in _pair(input, other))
    zero = input == 0
    product = input * other.masked_fill(zero & (other == other), 1.0).log()
    return product


@torch_function(node="LogaddexpBackward0")
def logaddexp(input, other):
    most = warpup.maximum(input, other)
    infinite = (input == other) & input.isinf()
    safe = warpup.where(infinite, warpup.zeros_like(input), input - other).abs()
    return most + (-safe).exp().log1p().masked_fill(infinite, 0.0)


@torch_function
def logaddexp2(input, other):
    return logaddexp(input * math.log(2.0), other * math.log(2.0)) / math.log(2.0)


@torch_function(in_place=True)
def copysign(input, other):
    input, other = (_floating(it) for it in _pair(input, other))
    size = input.abs()
    return warpup.where(signbit(other), -size, size)


@torch_function
def signbit(input):
    if not input.is_floating_point():
        return input < 0
    return (input < 0) | ((input == 0) & (1.0 / input < 0))


@torch_function(in_place=True)
def heaviside(input, values):
    step = (input > 0).to(input.dtype)
    return warpup.where(input == 0, values.to(input.dtype), step)


@torch_function(in_place=True)
def hypot(input, other):
    return (input * input + other * other).sqrt()


@torch_function
def fmax(input, other):
    input, other = _pair(input, other)
    return warpup.where(input.isnan(), other, warpup.where(other.isnan(), input, warpup.maximum(input, other)))


@torch_function
def fmin(input, other):
    input, other = _pair(input, other)
    return warpup.where(input.isnan(), other, warpup.where(other.isnan(), input, warpup.minimum(input, other)))


@torch_function(in_place=True)
def float_power(input, exponent):
    input = input.double() if isinstance(input, Tensor) else input
    return input ** (exponent.double() if isinstance(exponent, Tensor) else float(exponent))


@torch_function
def ldexp(input, other):
    return input * 2.0 ** other


def _common(input, other):
    input, other = (it.abs() for it in _pair(input, other))
    input, other = warpup.broadcast_tensors(input, other)
    while bool((other != 0).any()):
        rest = warpup.where(other == 0, other, input % other.masked_fill(other == 0, 1))
        input, other = warpup.where(other == 0, input, other), rest
    return input


@torch_function
def gcd(input, other):
    return _common(input, other)


@torch_function
def lcm(input, other):
    common = _common(input, other)
    return ((input * other).abs() // common.masked_fill(common == 0, 1)).abs()


@torch_function(in_place=True)
def sgn(input):
    return input.sign()


@torch_function
def isposinf(input):
    return input == math.inf


@torch_function
def isneginf(input):
    return input == -math.inf


@torch_function
def isreal(input):
    return warpup.ones_like(input, dtype=warpup.bool)


@torch_function
def positive(input):
    return input


@torch_function(also="conj_physical resolve_conj resolve_neg real")
def conj(input):
    return input


conj_physical = resolve_conj = resolve_neg = real = conj


@torch_function(also="is_neg is_complex")
def is_conj(input):
    return False


is_neg = is_complex = is_conj


@torch_function
def is_inference(input):
    return _warpup.is_inference(input)


@torch_function
def is_nonzero(input):
    if input.numel() != 1:
        raise RuntimeError(
            "Boolean value of Tensor with no values is ambiguous" if input.numel() == 0
            else "Boolean value of Tensor with more than one value is ambiguous"
        )
    return bool(input.item())


@torch_function
def is_same_size(input, other):
    return input.shape == other.shape


@torch_function
def is_signed(input):
    return input.dtype not in (warpup.uint8, warpup.bool)


@torch_function
def angle(input):
    turned = warpup.where(input < 0, math.pi, 0.0)
    return warpup.where(input.isnan(), input, turned.to(input.dtype))


@torch_function
def frexp(input):
    exponent = input.abs().log2().floor() + 1
    exponent = exponent.masked_fill(input == 0, 0)
    return input / 2.0 ** exponent, exponent.int()


@torch_function
def get_device(input):
    return (input.device.index or 0) if input.is_cuda else -1


@torch_function(function=False)
def ndimension(input):
    return input.dim()


@torch_function(function=False)
def sum_to_size(input, *size):
    size = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    lead = input.dim() - len(size)
    if lead:
        input = input.sum(tuple(range(lead)))
    dims = [at for at, it in enumerate(size) if it == 1 and input.shape[at] != 1]
    return input.sum(dims, keepdim=True) if dims else input


@torch_function(function=False)
def apply_(input, callable):
    values = [callable(it) for it in input.reshape(-1).tolist()]
    return input.copy_(warpup.tensor(values, dtype=input.dtype).reshape(input.shape))


@torch_function(function=False)
def map_(input, tensor, callable):
    pairs = zip(input.reshape(-1).tolist(), tensor.expand_as(input).reshape(-1).tolist())
    return input.copy_(warpup.tensor([callable(*it) for it in pairs], dtype=input.dtype).reshape(input.shape))


@torch_function
def lgamma(input):
    """The logarithm of the gamma function, by Lanczos' approximation."""
    wide = _floating(input).double()
    small = wide < 0.5
    x = warpup.where(small, 1.0 - wide, wide) - 1.0
    total = 0.9999999999998099
    for at, factor in enumerate(_LANCZOS, 1):
        total = total + factor / (x + at)
    t = x + 7.5
    made = 0.5 * math.log(2 * math.pi) + (x + 0.5) * t.log() - t + total.log()
    mirrored = math.log(math.pi) - (math.pi * wide).sin().abs().log() - made
    return warpup.where(small, mirrored, made).to(_floating(input).dtype)


_LANCZOS = (
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-06, 1.5056327351493116e-07,
)


@torch_function
def digamma(input):
    """The derivative of `lgamma`: ten steps up, then a series."""
    wide = _floating(input).double()
    total = warpup.zeros_like(wide)
    for _ in range(10):
        total = total - 1.0 / wide
        wide = wide + 1.0
    square = 1.0 / (wide * wide)
    tail = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    return (total + wide.log() - 0.5 / wide - tail).to(_floating(input).dtype)
