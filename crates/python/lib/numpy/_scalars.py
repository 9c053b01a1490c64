"""The scalars of NumPy, such as `numpy.float32(1.5)`: numbers that know their type."""

import math
import operator

import _numpy
from numpy import _dtypes
from numpy._array import ndarray
from warpup import Tensor


class generic:
    """A scalar. `_value` is the same number as Python's own."""

    def __new__(cls, value=0):
        if hasattr(value, "_t") and value.ndim > 0:
            return value.astype(cls)
        self = float.__new__(cls, value) if issubclass(cls, float) else object.__new__(cls)
        self._value = _fitted(cls._dtype, value)
        return self

    dtype = property(lambda self: self._dtype)
    shape, ndim, size = (), 0, 1
    itemsize = nbytes = property(lambda self: self._dtype.itemsize)
    T = real = property(lambda self: self)
    _t = property(lambda self: _numpy.gathered(self._value, self._dtype.torch))

    def item(self):
        return self._value

    tolist = item

    def astype(self, dtype, copy=True):
        return _dtypes.of(dtype).type(self._value)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'numpy.{type(self).__name__}' object has no attribute '{name}'")
        return getattr(ndarray._of(self._t), name)

    def __repr__(self):
        return f"np.{type(self).__name__}({text(self)})"

    def __str__(self):
        return text(self)

    def __format__(self, spec):
        return format(self._value, spec) if spec else text(self)

    def __hash__(self):
        return hash(self._value)

    def __bool__(self):
        return bool(self._value)

    def __int__(self):
        return int(self._value)

    def __float__(self):
        return float(self._value)

    def __neg__(self):
        return type(self)(-self._value)

    def __pos__(self):
        return self

    def __abs__(self):
        return type(self)(abs(self._value))

    def __round__(self, ndigits=None):
        return round(self._value) if ndigits is None else type(self)(round(self._value, ndigits))

    def __trunc__(self):
        return math.trunc(self._value)

    def __getitem__(self, key):
        if key == () or key is Ellipsis:
            return self
        raise IndexError("invalid index to scalar variable.")

    def __reduce__(self):
        return type(self), (self._value,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class number(generic):
    pass


class integer(number):
    def __index__(self):
        return self._value

    def __invert__(self):
        return type(self)(~self._value)


class signedinteger(integer):
    pass


class unsignedinteger(integer):
    pass


class inexact(number):
    pass


class floating(inexact):
    def is_integer(self):
        return self._value.is_integer()


def _fitted(it, value):
    """A number as its type keeps it."""
    if it.kind == "f":
        value = float(value)
        return value if it.bits == 64 else _numpy.rounded(value, it.bits)
    if it.kind == "b":
        return bool(value)
    value = int(value)
    low, high = _dtypes.limits(it)
    return value if low <= value <= high else (value - low) % 2 ** it.bits + low


def _class(name, it):
    bases = {"b": (generic,), "u": (unsignedinteger,), "i": (signedinteger,), "f": (floating,)}[it.kind]
    if name == "float64":
        bases += (float,)
    made = type(name, bases, {"_dtype": it, "__module__": "numpy"})
    _dtypes.add_class(it, made)
    return made


CLASSES = {name: _class(name, it) for name, it in _dtypes.BY_NAME.items()}
bool_, int64, float64 = CLASSES["bool"], CLASSES["int64"], CLASSES["float64"]
bool_.__repr__ = lambda self: f"np.{self._value}_"
bool_.__invert__ = lambda self: TRUE if not self._value else FALSE
bool_.__index__ = lambda self: int(self._value)
TRUE, FALSE = bool_(True), bool_(False)


def text(scalar):
    """A scalar as `str` gives it."""
    value, it = scalar._value, scalar._dtype
    if it.kind != "f" or it.bits == 64 or not math.isfinite(value) or value == 0:
        return repr(value)
    mantissa, _, exponent = _numpy.shortest(value, it.bits).partition("e")
    whole, _, part = mantissa.partition(".")
    exponent = int(exponent)
    sign, digits = ("-" if whole.startswith("-") else ""), whole.lstrip("-") + part
    if not -4 <= exponent < 16:
        return f"{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"
    if exponent < 0:
        return sign + "0." + "0" * (-exponent - 1) + digits
    digits = digits.ljust(exponent + 1, "0")
    return sign + digits[:exponent + 1] + "." + (digits[exponent + 1:] or "0")


def _divided(a, b):
    if b != 0:
        return a / b
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def _rest(by, of_floats):
    def apply(a, b):
        if b != 0:
            return by(a, b)
        return of_floats(a, b) if isinstance(a, float) or isinstance(b, float) else 0

    return apply


def _power(a, b):
    if isinstance(a, int) and isinstance(b, int) and b < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    try:
        result = a ** b
        return math.nan if isinstance(result, complex) else result
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf if a > 0 or b % 2 == 0 else -math.inf


def _add(a, b):
    return a or b if isinstance(a, bool) and isinstance(b, bool) else a + b


def _subtract(a, b):
    if isinstance(a, bool) and isinstance(b, bool):
        raise TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
            "logical_xor function instead."
        )
    return a - b


_OPERATORS = {
    "add": _add, "sub": _subtract, "mul": operator.mul, "truediv": _divided,
    "floordiv": _rest(operator.floordiv, _divided), "mod": _rest(operator.mod, lambda a, b: math.nan),
    "pow": _power, "and": operator.and_, "or": operator.or_, "xor": operator.xor, "lshift": operator.lshift,
    "rshift": operator.rshift,
}
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _operand(other):
    """Value and type of the other operand; the type of Python's numbers is None."""
    if isinstance(other, generic):
        return other._value, other._dtype
    if isinstance(other, (bool, int, float)):
        return other, None
    return None


def _binary(name, apply):
    def forward(self, other, swapped=False):
        found = _operand(other)
        if found is None:
            return NotImplemented
        value, own = found
        it = _dtypes.promoted(self._dtype, own) if own else _dtypes.with_number(self._dtype, value)
        if name == "truediv" and it.kind != "f":
            it = _dtypes.FLOAT
        a, b = self._value, value
        if it.bits < 64 and it.kind == "f" and own is None:
            b = _numpy.rounded(float(b), it.bits)
        return it.type(apply(b, a) if swapped else apply(a, b))

    return forward, lambda self, other: forward(self, other, True)


def _comparison(name):
    apply = getattr(operator, name)

    def compare(self, other):
        found = _operand(other)
        if found is None:
            if name in ("eq", "ne") and not hasattr(other, "_t") and not isinstance(other, Tensor):
                return FALSE if name == "eq" else TRUE
            return NotImplemented
        value, own = found
        if own is None and self._dtype.kind == "f" and self._dtype.bits < 64:
            value = _numpy.rounded(float(value), self._dtype.bits)
        return TRUE if apply(self._value, value) else FALSE

    return compare


# `float64` inherits the operators of `float` behind those of `generic`, which come first.
for _name, _apply in _OPERATORS.items():
    _forward, _backward = _binary(_name, _apply)
    setattr(generic, f"__{_name}__", _forward)
    setattr(generic, f"__r{_name}__", _backward)
for _name in _COMPARISONS:
    setattr(generic, f"__{_name}__", _comparison(_name))
generic.__divmod__ = lambda self, other: (self // other, self % other)


def of_value(value, it):
    """The scalar of a number that fits its type already."""
    if it.kind == "b":
        return TRUE if value else FALSE
    made = float.__new__(float64, value) if it is _dtypes.FLOAT else object.__new__(it.type)
    made._value = value
    return made
