"""Functions of NumPy for each element that few programs need. Loaded on first use."""

import builtins

import numpy as np
import warpup
from numpy._convert import asarray, wrapped


def _float(x):
    array = asarray(x)
    return array if array.dtype.kind == "f" else array.astype(float)


def _pair(function):
    """A function of two arrays, made of one of tensors."""

    def made(x1, x2):
        a, b = _float(x1)._t, _float(x2)._t
        dtype = warpup.promote_types(a.dtype, b.dtype)
        return wrapped(function(a.to(dtype), b.to(dtype)))

    return made


def _whole(function):
    def made(x1, x2):
        return wrapped(function(asarray(x1)._t, asarray(x2)._t))

    return made


arctan2 = atan2 = _pair(warpup.atan2)
logaddexp = _pair(warpup.logaddexp)
copysign = _pair(warpup.copysign)
heaviside = _pair(warpup.heaviside)
fmod = _whole(warpup.fmod)
gcd, lcm = _whole(warpup.gcd), _whole(warpup.lcm)


def _single(function):
    return lambda x: wrapped(function(_float(x)._t))


arccosh, arcsinh, arctanh = (_single(getattr(warpup, it)) for it in ("acosh", "asinh", "atanh"))
acos, asin, atan, acosh, asinh, atanh = (_single(getattr(warpup, it)) for it in ("acos", "asin", "atan", "acosh", "asinh", "atanh"))
sinc = _single(warpup.sinc)


def float_power(x1, x2):
    return _float(x1) ** _float(x2)


def divmod(x1, x2):
    return np.floor_divide(x1, x2), np.remainder(x1, x2)


def conjugate(x):
    return asarray(x).copy()


conj = conjugate


def real(val):
    return asarray(val)


def imag(val):
    return np.zeros_like(asarray(val))


def isreal(x):
    return np.ones(np.shape(x), dtype=bool)


def iscomplex(x):
    return np.zeros(np.shape(x), dtype=bool)


def isrealobj(x):
    return True


def iscomplexobj(x):
    return False


def isposinf(x):
    return np.equal(asarray(x), np.inf)


def isneginf(x):
    return np.equal(asarray(x), -np.inf)


def iterable(y):
    return hasattr(y, "__iter__")


def fmax(x1, x2):
    a, b = _float(x1), _float(x2)
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.maximum(a, b)))


def fmin(x1, x2):
    a, b = _float(x1), _float(x2)
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.minimum(a, b)))


class errstate:
    """Does nothing: warpup's numpy does not warn of errors of arithmetic."""

    def __init__(self, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __call__(self, function):
        return function


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    return {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def geterr():
    return seterr()


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return str(a)


def binary_repr(num, width=None):
    text = format(num if num >= 0 else num + (1 << (width or num.bit_length() + 1)), "b")
    return text.rjust(width or 0, "0")


def base_repr(number, base=2, padding=0):
    digits, number, sign = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", builtins.abs(int(number)), "-" if number < 0 else ""
    text = ""
    while number:
        number, at = builtins.divmod(number, base)
        text = digits[at] + text
    return sign + "0" * padding + (text or "0")


def isdtype(dtype, kind):
    kinds = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f", "numeric": "iuf"}
    return np.dtype(dtype).kind in "".join(kinds[it] for it in (kind if isinstance(kind, tuple) else (kind,)))
