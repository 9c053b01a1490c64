"""`numpy.ndarray`: an array that is a tensor on the CPU, whose memory it shares.

What needs other functions, such as operators, comes from `_methods`.
"""

import warpup
from numpy import _dtypes


class ndarray:
    """An array; `_t` is its tensor."""

    __slots__ = ("_t",)
    __hash__ = None

    def __new__(cls, shape, dtype=float, **others):
        return ndarray._of(warpup.empty(_dtypes.sizes_of(shape), dtype=_dtypes.of(dtype).torch, device="cpu"))

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
        self._t = warpup.cat([flat[:count], rest]).reshape(tuple(shape))

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

    def __array__(self, dtype=None, copy=None):
        return self if dtype is None else self.astype(dtype)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __getattr__(self, name):
        from numpy._names import hint_of_array

        hint = "" if name.startswith("__") else ": " + hint_of_array(name)
        raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'{hint}")

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self._t.shape[0]

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

    def __divmod__(self, other):
        return self // other, self % other


ndarray.__module__ = "numpy"
