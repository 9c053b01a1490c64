"""torch.finfo and torch.iinfo: the numeric limits of a dtype. Loaded on first use."""

import warpup

# What its classes print as their module.
__name__ = "torch"


def _checked(function, dtype):
    if not isinstance(dtype, warpup.dtype):
        raise TypeError(f"{function}(): argument 'type' (position 1) must be torch.dtype, not {type(dtype).__name__}")
    return str(dtype).split(".")[1]


class finfo:
    """Limits of a floating-point dtype."""

    # Bits, digits of the fraction, smallest exponent, largest number, resolution.
    _FACTS = {
        "float16": (16, 10, -14, 65504.0, 0.001),
        "bfloat16": (16, 7, -126, 3.3895313892515355e38, 0.01),
        "float32": (32, 23, -126, 3.4028234663852886e38, 1e-06),
        "float64": (64, 52, -1022, 1.7976931348623157e308, 1e-15),
    }

    def __init__(self, dtype=None):
        dtype = warpup.get_default_dtype() if dtype is None else dtype
        self.dtype = _checked("finfo", dtype)
        if self.dtype not in self._FACTS:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{dtype}'")
        self.bits, digits, exponent, self.max, self.resolution = self._FACTS[self.dtype]
        self.min = -self.max
        self.eps = 2.0**-digits
        self.tiny = self.smallest_normal = 2.0**exponent

    def __repr__(self):
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """Limits of an integer dtype."""

    _BITS = {"uint8": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64}

    def __init__(self, dtype):
        self.dtype = _checked("iinfo", dtype)
        if self.dtype == "bool":
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if self.dtype not in self._BITS:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{dtype}'")
        self.bits = self._BITS[self.dtype]
        signed = self.dtype != "uint8"
        self.max = 2 ** (self.bits - signed) - 1
        self.min = -(2 ** (self.bits - 1)) if signed else 0

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
