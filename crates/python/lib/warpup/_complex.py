"""Complex tensors: pairs of real numbers in the last dimension of a real tensor. Loaded on first use.

They are objects of their own, so that a function that does not know them raises an error and never takes their parts for
numbers. Each operation is made of those of real tensors, and gradients come with them.
"""

import builtins

import warpup
from warpup import Tensor


class _DType:
    """`torch.complex64` or `torch.complex128`."""

    is_complex, is_floating_point, is_signed = True, False, True

    def __init__(self, name, real):
        self._name, self._real = name, real
        self.itemsize = 2 * real.itemsize

    def to_real(self):
        return self._real

    def __repr__(self):
        return "torch." + self._name


complex64, complex128 = _DType("complex64", warpup.float32), _DType("complex128", warpup.float64)
cfloat, cdouble = complex64, complex128


def _dtype_of(real):
    if real.dtype not in (warpup.float32, warpup.float64):
        raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {warpup._functions._scalar(real)}")
    return complex64 if real.dtype == warpup.float32 else complex128


def _sizes(given):
    return tuple(given[0]) if len(given) == 1 and not isinstance(given[0], int) else tuple(given)


class ComplexTensor:
    """A tensor of complex numbers."""

    def __init__(self, pair):
        self._pair = pair
        self.dtype = _dtype_of(pair)

    real = property(lambda self: self._pair.select(-1, 0))
    imag = property(lambda self: self._pair.select(-1, 1))
    shape = property(lambda self: warpup.Size(self._pair.shape[:-1]))
    device = property(lambda self: self._pair.device)
    requires_grad = property(lambda self: self._pair.requires_grad)
    is_leaf = property(lambda self: self._pair.is_leaf)
    is_cuda = property(lambda self: self._pair.is_cuda)
    ndim = property(lambda self: self._pair.dim() - 1)
    T = property(lambda self: self.transpose(0, 1))
    mT = property(lambda self: self.transpose(-2, -1))
    mH = property(lambda self: self.transpose(-2, -1).conj())
    H = mH

    @property
    def grad(self):
        return None if self._pair.grad is None else ComplexTensor(self._pair.grad)

    def dim(self):
        return self.ndim

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def numel(self):
        return self._pair.numel() // 2

    def is_complex(self):
        return True

    def is_floating_point(self):
        return False

    def _dim(self, dim):
        return warpup._functions._dim(dim, self.ndim)

    def _like(self, function):
        return ComplexTensor(function(self._pair))

    # Shapes.

    def view(self, *shape):
        return ComplexTensor(self._pair.view(*_sizes(shape), 2))

    def reshape(self, *shape):
        return ComplexTensor(self._pair.reshape(*_sizes(shape), 2))

    def expand(self, *shape):
        return ComplexTensor(self._pair.expand(*_sizes(shape), 2))

    def repeat(self, *counts):
        return ComplexTensor(self._pair.repeat(*_sizes(counts), 1))

    def flatten(self, start_dim=0, end_dim=-1):
        return ComplexTensor(self._pair.flatten(self._dim(start_dim), self._dim(end_dim)))

    def unsqueeze(self, dim):
        return ComplexTensor(self._pair.unsqueeze(dim if dim >= 0 else dim + self.ndim + 1))

    def squeeze(self, dim=None):
        if dim is None:
            return self.reshape([it for it in self.shape if it != 1])
        return ComplexTensor(self._pair.squeeze(self._dim(dim)))

    def transpose(self, dim0, dim1):
        return ComplexTensor(self._pair.transpose(self._dim(dim0), self._dim(dim1)))

    def t(self):
        return self if self.ndim < 2 else self.transpose(0, 1)

    def permute(self, *dims):
        return ComplexTensor(self._pair.permute(*(self._dim(it) for it in _sizes(dims)), self.ndim))

    def flip(self, *dims):
        return ComplexTensor(self._pair.flip([self._dim(it) for it in _sizes(dims)]))

    def roll(self, shifts, dims):
        dims = [self._dim(it) for it in (dims if isinstance(dims, (tuple, list)) else [dims])]
        return ComplexTensor(self._pair.roll(shifts, dims))

    def narrow(self, dim, start, length):
        return ComplexTensor(self._pair.narrow(self._dim(dim), start, length))

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        # The pair stays whole.
        return ComplexTensor(self._pair[(*key, *(() if any(it is Ellipsis for it in key) else (Ellipsis,)), slice(None))])

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (ComplexTensor(it) for it in self._pair)

    # Where it is, and its graph.

    def to(self, *args, **kwargs):
        kept = [it for it in args if not isinstance(it, _DType)]
        wanted = kwargs.pop("dtype", None) or next((it for it in args if isinstance(it, _DType)), None)
        pair = self._pair.to(*kept, **kwargs) if kept or kwargs else self._pair
        return ComplexTensor(pair if wanted is None else pair.to(wanted.to_real()))

    def cuda(self, device=None):
        return self._like(lambda it: it.cuda(device) if device is not None else it.cuda())

    def cpu(self):
        return self._like(Tensor.cpu)

    def clone(self):
        return self._like(Tensor.clone)

    def contiguous(self):
        return self._like(Tensor.contiguous)

    def detach(self):
        return self._like(Tensor.detach)

    def requires_grad_(self, requires_grad=True):
        self._pair.requires_grad_(requires_grad)
        return self

    # Numbers.

    def conj(self):
        return complex(self.real, -self.imag)

    def resolve_conj(self):
        return self

    def abs(self):
        return warpup._warpup.named((self.real**2 + self.imag**2).sqrt(), "AbsBackward0")

    __abs__ = abs

    def angle(self):
        return warpup.atan2(self.imag, self.real)

    def exp(self):
        return polar(self.real.exp(), self.imag)

    def __neg__(self):
        return self._like(Tensor.neg)

    def __add__(self, other):
        other = _as_complex(other, self)
        return ComplexTensor(self._pair + other._pair)

    def __sub__(self, other):
        other = _as_complex(other, self)
        return ComplexTensor(self._pair - other._pair)

    def __rsub__(self, other):
        return _as_complex(other, self) - self

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            return ComplexTensor(self._pair * other)
        if isinstance(other, Tensor):
            return ComplexTensor(self._pair * other.unsqueeze(-1))
        other = _as_complex(other, self)
        a, b, c, d = self.real, self.imag, other.real, other.imag
        return complex(a * c - b * d, a * d + b * c)

    def __truediv__(self, other):
        if isinstance(other, (int, float)):
            return ComplexTensor(self._pair / other)
        if isinstance(other, Tensor):
            return ComplexTensor(self._pair / other.unsqueeze(-1))
        other = _as_complex(other, self)
        size = other.real**2 + other.imag**2
        return self * other.conj() / size

    def __rtruediv__(self, other):
        return _as_complex(other, self) / self

    def __pow__(self, exponent):
        if isinstance(exponent, int) and 0 <= exponent <= 8:
            made = _as_complex(1, self) + self * 0
            for _ in range(exponent):
                made = made * self
            return made
        return polar(self.abs() ** exponent, self.angle() * exponent)

    __radd__, __rmul__ = __add__, __mul__
    add, sub, mul, div = __add__, __sub__, __mul__, __truediv__

    def __matmul__(self, other):
        other = _as_complex(other, self)
        a, b, c, d = self.real, self.imag, other.real, other.imag
        return complex(a @ c - b @ d, a @ d + b @ c)

    matmul = __matmul__

    def __eq__(self, other):
        other = _as_complex(other, self)
        return (self.real == other.real) & (self.imag == other.imag)

    __hash__ = object.__hash__

    def sum(self, dim=None, keepdim=False):
        dims = list(range(self.ndim)) if dim is None else dim
        dims = [self._dim(it) for it in (dims if isinstance(dims, (tuple, list)) else [dims])]
        return ComplexTensor(self._pair.sum(dims, keepdim=keepdim) if dims else self._pair)

    def mean(self, dim=None, keepdim=False):
        total = self.sum(dim, keepdim)
        return total / (self.numel() // builtins.max(total.numel(), 1))

    def item(self):
        return builtins.complex(self.real.item(), self.imag.item())

    def tolist(self):
        return [it.tolist() for it in self] if self.ndim else self.item()

    def backward(self, gradient=None):
        if gradient is None:
            raise RuntimeError(
                "grad can be implicitly created only for real scalar outputs but got " + repr(self.dtype)
            )
        self._pair.backward(gradient._pair)

    def __repr__(self):
        from warpup._complex_text import shown

        return shown(self)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(f"{name} of complex tensors is not part of warpup; torch.view_as_real gives the parts")


def _as_complex(value, like):
    """A number or a real tensor as a complex tensor."""
    if isinstance(value, ComplexTensor):
        return value
    if isinstance(value, Tensor):
        real = value.to(like.dtype.to_real())
        return complex(real, warpup.zeros_like(real))
    number = builtins.complex(value)
    pair = warpup.tensor([number.real, number.imag], dtype=like.dtype.to_real(), device=like.device)
    return ComplexTensor(pair)


def complex(real, imag, *, out=None):
    _dtype_of(real)
    if real.dtype != imag.dtype:
        names = [warpup._functions._scalar(it) for it in (real, imag)]
        raise RuntimeError(
            f"Expected object of scalar type {names[0]} but got scalar type {names[1]} for second argument"
        )
    return ComplexTensor(warpup.stack(warpup.broadcast_tensors(real, imag), -1))


def polar(abs, angle, *, out=None):
    _dtype_of(abs)
    if abs.dtype != angle.dtype:
        names = [warpup._functions._scalar(it) for it in (abs, angle)]
        raise RuntimeError(
            f"Expected object of scalar type {names[0]} but got scalar type {names[1]} for second argument"
        )
    return complex(abs * angle.cos(), abs * angle.sin())


def view_as_complex(input):
    if isinstance(input, ComplexTensor):
        raise RuntimeError("view_as_complex is only supported for floating point tensors, but got a tensor of scalar type: " + repr(input.dtype))
    if input.dim() == 0:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if not input.is_floating_point():
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: "
            + warpup._functions._scalar(input)
        )
    if input.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if input.stride()[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    return ComplexTensor(input)


def view_as_real(input):
    if not isinstance(input, ComplexTensor):
        raise TypeError("view_as_real is only supported for complex tensors")
    return input._pair


def real(input):
    return input.real if isinstance(input, ComplexTensor) else input


def imag(input):
    if not isinstance(input, ComplexTensor):
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return input.imag


def _also(name, of_real):
    """A function of torch that knows complex tensors, too."""

    def function(*args, **kwargs):
        first = args[0] if args else kwargs.get("input")
        if not isinstance(first, ComplexTensor):
            return of_real(*args, **kwargs)
        return getattr(first, name)(*args[1:], **kwargs)

    return function


def _of_list(of_real, dims):
    """`stack` or `cat`, which take a list."""

    def function(tensors, dim=0, **kwargs):
        if not any(isinstance(it, ComplexTensor) for it in tensors):
            return of_real(tensors, dim, **kwargs)
        rank = tensors[0].ndim + dims
        pairs = [_as_complex(it, tensors[0])._pair for it in tensors]
        return ComplexTensor(of_real(pairs, dim % rank, **kwargs))

    return function


# Programs without complex numbers have the functions as they were.
for _name in (
    "abs", "add", "angle", "conj", "div", "exp", "flatten", "is_complex", "matmul", "mean", "mul", "numel", "permute",
    "reshape", "roll", "sub", "sum", "transpose", "unsqueeze",
):
    setattr(warpup, _name, _also(_name, getattr(warpup, _name)))
warpup.stack, warpup.cat = _of_list(warpup.stack, 1), _of_list(warpup.cat, 0)
del _name
