"""The operators and methods of `ndarray` that other functions are behind."""

import sys

import _numpy
from numpy import _convert, _math, _scalars
from numpy._array import ndarray
from numpy._convert import cast, tensor_of, wrapped
from numpy._keys import has_dots, index_error, keys_of, write_error
from warpup import Tensor

_REDUCTIONS = "all any argmax argmin cumprod cumsum max mean min prod ptp std sum trace var"
_SHAPES = "diagonal flatten ravel reshape squeeze swapaxes transpose"
_ORDERS = "argsort nonzero searchsorted take"


def _method(function):
    """Makes a function a method of arrays."""
    function.__qualname__ = f"ndarray.{function.__name__}"
    setattr(ndarray, function.__name__, function)
    return function


@_method
def put(self, indices, values, mode="raise"):
    from numpy._places import put

    put(self, indices, values)


@_method
def sort(self, axis=-1):
    from numpy._sorting import sort

    self._t.copy_(sort(self, axis)._t)


@_method
def round(self, decimals=0, out=None):
    return _math.round(self, decimals, out)


@_method
def clip(self, min=None, max=None, out=None):
    return _math.clip(self, min, max, out)


@_method
def dot(self, b):
    from numpy.linalg import dot

    return dot(self, b)


@_method
def __reduce__(self):
    return _convert.array, (self.tolist(), self.dtype.name)


@_method
def __repr__(self):
    from numpy._printing import represented

    return represented(self)


@_method
def __str__(self):
    if self.ndim == 0:
        return str(_convert.scalar_of(self._t))
    from numpy._printing import array2string

    return array2string(self)


@_method
def __format__(self, spec):
    if self.ndim == 0:
        return format(_convert.scalar_of(self._t), spec)
    if spec:
        raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
    return str(self)


@_method
def __iter__(self):
    if self.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    if self.ndim == 1:
        it = self.dtype
        return iter([_scalars.of_value(value, it) for value in self._t.tolist()])
    return iter([ndarray._of(row) for row in self._t])


@_method
def __getitem__(self, key):
    keys, flips = keys_of(self._t, key)
    try:
        found = self._t[keys]
    except IndexError as error:
        raise index_error(error, self._t, keys) from None
    for axis in flips:
        found = found.flip(axis)
    if found.ndim == 0 and not has_dots(key):
        return _convert.scalar_of(found)
    return ndarray._of(found)


@_method
def __setitem__(self, key, value):
    keys, flips = keys_of(self._t, key)
    if isinstance(value, (bool, int, float)) and not hasattr(value, "_t"):
        number = int(value) if self._t.dtype.is_floating_point is False and isinstance(value, float) else value
    else:
        number = cast(tensor_of(value), self.dtype)
        if flips:
            number = number.expand(self._t[keys].shape)
        for axis in flips:
            number = number.flip(axis)
    try:
        self._t[keys] = number
    except IndexError as error:
        raise index_error(error, self._t, keys) from None
    except RuntimeError as error:
        raise write_error(error, self._t, keys, number) from None


@_method
def __matmul__(self, other):
    from numpy.linalg import matmul

    return NotImplemented if isinstance(other, Tensor) else matmul(self, other)


@_method
def __rmatmul__(self, other):
    from numpy.linalg import matmul

    return _of_tensors(other, self, "__matmul__") if isinstance(other, Tensor) else matmul(other, self)


@_method
def __neg__(self):
    return _math.negative(self)


@_method
def __pos__(self):
    return _math.positive(self)


@_method
def __abs__(self):
    return _math.absolute(self)


@_method
def __invert__(self):
    return _math.invert(self)



def _of_tensors(tensor, array, method):
    """The operator of a tensor and an array, which gives a tensor."""
    return getattr(tensor, method)(array._t.detach())


def _add_operators():
    names = {
        "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
        "mod": "remainder", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
        "lshift": "left_shift", "rshift": "right_shift",
    }
    for short, name in names.items():
        def forward(self, other, name=name, sign=_SIGNS[short]):
            if isinstance(other, Tensor):
                raise TypeError(f"unsupported operand type(s) for {sign}: 'numpy.ndarray' and 'Tensor'")
            if not _is_operand(other):
                return NotImplemented
            return wrapped(_math.binary(name, self, other))

        def backward(self, other, name=name, method=f"__{short}__"):
            if isinstance(other, Tensor):
                return _of_tensors(other, self, method)
            return wrapped(_math.binary(name, other, self)) if _is_operand(other) else NotImplemented

        def in_place(self, other, name=name):
            return _math.write(name, self, other)

        setattr(ndarray, f"__{short}__", forward)
        setattr(ndarray, f"__r{short}__", backward)
        setattr(ndarray, f"__i{short}__", in_place)
    shorts = ("eq", "ne", "lt", "le", "gt", "ge")
    for short, name in zip(shorts, _math.COMPARISONS):
        def compare(self, other, name=name, short=short):
            if isinstance(other, Tensor):
                return _of_tensors(other, self, f"__{_MIRRORED.get(short, short)}__")
            if _is_operand(other):
                return wrapped(_math.binary(name, self, other))
            if short in ("eq", "ne"):
                return wrapped((self._t == self._t) ^ True if short == "eq" else (self._t == self._t) | True)
            return NotImplemented

        setattr(ndarray, f"__{short}__", compare)


_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "** or pow()", "and": "&",
    "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _is_operand(other):
    return hasattr(other, "_t") or isinstance(other, (bool, int, float, list, tuple, range))


def _add_methods(module, names):
    for name in names.split():
        def method(self, *args, name=name, **kwargs):
            __import__(module, globals())
            function = getattr(sys.modules[module], name)
            setattr(ndarray, name, function)  # The function itself is the method from then on.
            return function(self, *args, **kwargs)

        method.__name__ = name
        setattr(ndarray, name, method)


_add_operators()
_add_methods("numpy._reductions", _REDUCTIONS)
_add_methods("numpy._shapes", _SHAPES)
_add_methods("numpy._sorting", _ORDERS)
_add_methods("numpy._joins", "repeat")
_numpy.register(ndarray, _scalars.generic)
