"""`numpy.finfo` and `numpy.iinfo`."""

import math

import warpup
from numpy import _dtypes


class finfo:
    """The limits of a type of floats."""

    def __init__(self, dtype):
        self.dtype = _dtypes.of(dtype)
        if self.dtype.kind != "f":
            raise ValueError(f"data type {self.dtype.type!r} not inexact")
        limits = warpup.finfo(self.dtype.torch)
        self.bits = self.dtype.bits
        for name in ("max", "min", "eps", "tiny"):
            setattr(self, name, self.dtype.type(getattr(limits, name)))
        self.smallest_normal, self.resolution = self.tiny, self.dtype.type(10.0 ** math.ceil(math.log10(limits.eps)))


class iinfo:
    """The limits of a type of whole numbers."""

    def __init__(self, type):
        self.dtype = _dtypes.of(type)
        if self.dtype.kind not in "iu":
            raise ValueError(f"Invalid integer data type {self.dtype.kind!r}.")
        self.bits = self.dtype.bits
        self.min, self.max = _dtypes.limits(self.dtype)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype.name})"
