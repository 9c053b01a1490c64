"""Element types: `numpy.dtype`, and the type that an operation gives."""

import _numpy
import _warpup

_KINDS = {"b": "b", "u": "u", "i": "i", "f": "f"}
_SHORT = {
    "?": "bool", "b1": "bool", "u1": "uint8", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "l": "int64",
    "f2": "float16", "f4": "float32", "f8": "float64", "e": "float16", "f": "float32", "d": "float64", "i": "int32",
    "int": "int64", "float": "float64", "bool_": "bool", "half": "float16", "single": "float32", "double": "float64",
    "q": "int64", "h": "int16", "b": "int8", "B": "uint8",
}


class AxisError(ValueError, IndexError):
    """An axis that the array does not have."""

    def __init__(self, axis, ndim=None):
        text = axis if ndim is None else f"axis {axis} is out of bounds for array of dimension {ndim}"
        super().__init__(text)


AxisError.__module__ = "numpy.exceptions"


class UFuncTypeError(TypeError):
    """A result that does not fit the type of the array it is written to."""


UFuncTypeError.__module__ = "numpy._core._exceptions"


class dtype:
    """An element type. There is one object for each."""

    def __new__(cls, dtype=None, align=False, copy=False):
        return of(dtype)

    str = property(lambda self: ("|" if self.itemsize == 1 else "<") + self.kind + str(self.itemsize))
    num = property(lambda self: list(BY_NAME).index(self.name))
    shape, ndim, names, fields, byteorder = (), 0, None, None, "="

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        if isinstance(other, dtype):
            return self is other
        try:
            return self is of(other) and other is not None
        except TypeError:
            return False

    def __hash__(self):
        return hash(self.name)


def _made(name, torch):
    it = object.__new__(dtype)
    it.name, it.torch, it.itemsize, it.kind = name, torch, torch.itemsize, _KINDS[name[0]]
    it.bits = it.itemsize * 8
    it.type = None  # The class of its scalars; `_scalars` sets it.
    return it


dtype.__module__ = "numpy"
BY_NAME = {name: _made(name, torch) for name, torch in _warpup.dtypes() if name != "bfloat16"}
_OF_TORCH = {it.torch: it for it in BY_NAME.values()}
_OF_CLASS = {float: BY_NAME["float64"], int: BY_NAME["int64"], bool: BY_NAME["bool"]}
BOOL, INT, FLOAT, FLOAT32 = BY_NAME["bool"], BY_NAME["int64"], BY_NAME["float64"], BY_NAME["float32"]


def add_class(it, scalar):
    it.type = scalar
    _OF_CLASS[scalar] = it


def of(given):
    """The type that an argument `dtype` names."""
    if isinstance(given, dtype):
        return given
    if given is None:
        return FLOAT
    if isinstance(given, str):
        name = given.lstrip("<=|")
        found = BY_NAME.get(_SHORT.get(name, name))
    else:
        found = _OF_CLASS.get(given) if isinstance(given, type) else getattr(given, "dtype", None)
    if isinstance(found, dtype):
        return found
    if type(given).__module__ == "torch":
        raise TypeError(f"Cannot interpret '{given!r}' as a data type")
    name = given if isinstance(given, str) else getattr(given, "__name__", repr(given))
    raise TypeError(f"the data type '{name}' is not part of warpup's numpy, which has " + ", ".join(BY_NAME))


def of_tensor(tensor):
    return _OF_TORCH[tensor.dtype]


_PROMOTED = {}


def promoted(a, b):
    """The type of an operation on arrays of two types."""
    if a is b:
        return a
    if (a, b) not in _PROMOTED:
        _PROMOTED[a, b] = _OF_TORCH[_numpy.promoted(a.torch, b.torch)]
    return _PROMOTED[a, b]


def with_number(it, number):
    """The type of an operation on an array and a number of Python's, which is weak."""
    if isinstance(number, float):
        return it if it.kind == "f" else FLOAT
    if isinstance(number, bool):
        return it
    if it.kind == "b":
        return INT
    if it.kind != "f":
        low, high = limits(it)
        if not low <= number <= high:
            raise OverflowError(f"Python integer {number} out of bounds for {it.name}")
    return it


def of_number(number):
    """The type of an array of one number of Python's."""
    return BOOL if isinstance(number, bool) else INT if isinstance(number, int) else FLOAT


def as_float(it):
    """The type of a function such as `exp` of whole numbers."""
    if it.kind == "f":
        return it
    return BY_NAME["float16"] if it.itemsize == 1 else FLOAT32 if it.itemsize == 2 else FLOAT


def limits(it):
    """The least and the greatest number of a type of whole numbers."""
    if it.kind == "u":
        return 0, 2 ** it.bits - 1
    return -(2 ** (it.bits - 1)), 2 ** (it.bits - 1) - 1


def result_type(*given):
    """The type of an operation on these arrays, numbers and types."""
    found, weak = None, []
    for it in given:
        if type(it) in (bool, int, float):
            weak.append(it)
        else:
            own = of(it)
            found = own if found is None else promoted(found, own)
    for it in weak:
        found = of_number(it) if found is None else with_number(found, it)
    return found


def promote_types(type1, type2):
    return promoted(of(type1), of(type2))


def can_cast(from_, to, casting="safe"):
    from_, to = of(from_), of(to)
    if casting == "same_kind":
        return fits_kind(from_, to)
    return casting == "unsafe" or (from_ is to if casting in ("no", "equiv") else promoted(from_, to) is to)


def fits_kind(from_, to):
    """Whether a result of one type may be written to an array of the other (`same_kind`)."""
    return "buif".index(from_.kind) <= "buif".index(to.kind)


def sizes_of(shape):
    """A shape as a list of numbers."""
    sizes = [size.__index__() for size in shape] if hasattr(shape, "__len__") or hasattr(shape, "__iter__") else [
        shape.__index__()]
    if any(size < 0 for size in sizes):
        raise ValueError("negative dimensions are not allowed")
    return sizes


def axis_of(axis, ndim):
    """An axis, counted from the front."""
    at = axis.__index__()
    if not -ndim <= at < ndim:
        raise AxisError(at, ndim)
    return at % ndim


def axes_of(axis, ndim):
    """One or several axes; all for None."""
    if axis is None:
        return list(range(ndim))
    if isinstance(axis, (tuple, list)):
        found = [axis_of(it, ndim) for it in axis]
        if len(set(found)) < len(found):
            raise ValueError("duplicate value in 'axis'")
        return found
    return [axis_of(axis, ndim)]
