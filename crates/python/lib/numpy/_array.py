"""`numpy.ndarray`: an array that is a tensor on the CPU, whose memory it shares."""

import sys

import _numpy
from numpy import _convert, _dtypes, _math, _scalars
from numpy._convert import cast, tensor_of, wrapped
from numpy._keys import has_dots, index_error, keys_of, write_error
from warpup import Tensor

_REDUCTIONS = "all any argmax argmin cumprod cumsum max mean min prod ptp std sum var"
_SHAPES = "diagonal flatten ravel reshape squeeze swapaxes trace transpose"
_ORDERS = "argsort nonzero searchsorted take"


class ndarray:
    """An array; `_t` is its tensor."""

    __slots__ = ("_t",)
    __hash__ = None

    def __new__(cls, shape, dtype=float, **others):
        from numpy._creation import empty

        return empty(shape, dtype)

    @staticmethod
    def _of(tensor):
        self = object.__new__(ndarray)
        self._t = tensor
        return self

    shape = property(lambda self: tuple(self._t.shape))
    ndim = property(lambda self: self._t.ndim)
    size = property(lambda self: self._t.numel())
    dtype = property(lambda self: _dtypes.of_tensor(self._t))
    itemsize = property(lambda self: self._t.itemsize)
    nbytes = property(lambda self: self._t.nbytes)
    strides = property(lambda self: tuple(step * self._t.itemsize for step in self._t.stride()))
    T = property(lambda self: ndarray._of(self._t.T))
    real = property(lambda self: self)

    @shape.setter
    def shape(self, shape):
        self._t = self.reshape(shape)._t

    @property
    def flat(self):
        return iter(self.ravel())

    def item(self, *at):
        if at:
            return self[at if len(at) > 1 else at[0]].item() if self.ndim == len(at) else self.ravel()[at[0]].item()
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._t.item()

    def tolist(self):
        return self._t.tolist()

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        it = _dtypes.of(dtype)
        if it.torch == self._t.dtype:
            return ndarray._of(self._t.clone()) if copy else self
        return ndarray._of(self._t.to(it.torch))

    def copy(self, order="C"):
        return ndarray._of(self._t.clone())

    def fill(self, value):
        self[...] = value

    def view(self, dtype=None, type=None):
        if dtype is None or _dtypes.of(dtype).torch == self._t.dtype:
            return ndarray._of(self._t.view(self._t.shape))
        raise NotImplementedError("ndarray.view(dtype) is not part of warpup; NumPy has it. astype converts the values")

    def tobytes(self, order="C"):
        from warpup._storage import bytes_of

        return bytes_of(self._t)

    def resize(self, *shape, refcheck=True):
        """In place; what is added is 0."""
        shape = shape[0] if len(shape) == 1 and hasattr(shape[0], "__len__") else shape
        count = 1
        for it in shape:
            count *= it
        flat = self._t.reshape(-1)
        rest = flat.new_zeros(max(count - flat.numel(), 0))
        import warpup

        self._t = warpup.cat([flat[:count], rest]).reshape(tuple(shape))

    def put(self, indices, values, mode="raise"):
        from numpy._places import put

        put(self, indices, values)

    def partition(self, kth, axis=-1):
        self.sort(axis)

    def conj(self):
        return self.copy()

    conjugate = conj
    imag = property(lambda self: ndarray._of(self._t * 0))
    mT = property(lambda self: ndarray._of(self._t.mT))

    @property
    def base(self):
        owner = self._t._base
        return None if owner is None else ndarray._of(owner)

    def sort(self, axis=-1):
        from numpy._sorting import sort

        self._t.copy_(sort(self, axis)._t)

    def round(self, decimals=0, out=None):
        return _math.round(self, decimals, out)

    def clip(self, min=None, max=None, out=None):
        return _math.clip(self, min, max, out)

    def dot(self, b):
        from numpy.linalg import dot

        return dot(self, b)

    def __array__(self, dtype=None, copy=None):
        return self if dtype is None else self.astype(dtype)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return _convert.array, (self.tolist(), self.dtype.name)

    def __getattr__(self, name):
        from numpy._names import hint_of_array

        hint = "" if name.startswith("__") else ": " + hint_of_array(name)
        raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'{hint}")

    def __repr__(self):
        from numpy._printing import represented

        return represented(self)

    def __str__(self):
        if self.ndim == 0:
            return str(_convert.scalar_of(self._t))
        from numpy._printing import array2string

        return array2string(self)

    def __format__(self, spec):
        if self.ndim == 0:
            return format(_convert.scalar_of(self._t), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self._t.shape[0]

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        if self.ndim == 1:
            it = self.dtype
            return iter([_scalars.of_value(value, it) for value in self._t.tolist()])
        return iter([ndarray._of(row) for row in self._t])

    def __contains__(self, value):
        return bool((self == value).any())

    def __bool__(self):
        if self.size == 1:
            return bool(self._t.item())
        if self.size == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def _number(self):
        if self.ndim > 0:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._t.item()

    def __int__(self):
        return int(self._number())

    def __float__(self):
        return float(self._number())

    def __index__(self):
        if self.ndim > 0 or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self._t.item()

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

    def __matmul__(self, other):
        from numpy.linalg import matmul

        return NotImplemented if isinstance(other, Tensor) else matmul(self, other)

    def __rmatmul__(self, other):
        from numpy.linalg import matmul

        return _of_tensors(other, self, "__matmul__") if isinstance(other, Tensor) else matmul(other, self)

    def __neg__(self):
        return _math.negative(self)

    def __pos__(self):
        return _math.positive(self)

    def __abs__(self):
        return _math.absolute(self)

    def __invert__(self):
        return _math.invert(self)

    def __divmod__(self, other):
        return self // other, self % other


ndarray.__module__ = "numpy"


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
