"""The constructors of PyTorch's first years: `torch.Tensor(2, 3)`, `torch.LongTensor([1])`, `Variable(x)`. Loaded on
first use.
"""

import warpup
from warpup import Tensor
from warpup._registration import torch_function

KINDS = {
    "BFloat16Tensor": "bfloat16", "BoolTensor": "bool", "ByteTensor": "uint8", "CharTensor": "int8", "DoubleTensor": "float64",
    "FloatTensor": "float32", "HalfTensor": "float16", "IntTensor": "int32", "LongTensor": "int64",
    "ShortTensor": "int16",
}


def made(args, dtype, device):
    """A tensor from sizes, from a sequence, or from a tensor."""
    if not args:
        return warpup.empty(0, dtype=dtype, device=device)
    first = args[0]
    if isinstance(first, warpup.Size) or all(isinstance(it, int) and not isinstance(it, bool) for it in args):
        return warpup.empty(*args, dtype=dtype, device=device)
    if isinstance(first, Tensor):
        if first.dtype != dtype:
            raise TypeError(
                f"expected a tensor of {dtype} (got one of {first.dtype}): this constructor does not convert. "
                f"Use .to({dtype})"
            )
        return first.detach()
    if type(first).__module__ == "torch.storage":
        return _of_storage(first, dtype)
    if isinstance(first, str):
        raise TypeError("new(): invalid data type 'str'")
    if not hasattr(first, "__len__") and not hasattr(first, "__getitem__"):
        raise TypeError(f"new(): data must be a sequence (got {type(first).__name__})")
    return warpup.tensor(first, dtype=dtype, device=device)


def _name_of(dtype):
    return next(name.removesuffix("Tensor") for name, kind in KINDS.items() if getattr(warpup, kind) == dtype)


def _of_storage(storage, dtype):
    """A tensor in the same memory."""
    if storage._t.dtype != dtype:
        wanted, got = (_name_of(it) for it in (dtype, storage._t.dtype))
        raise RuntimeError(
            f"Expected a Storage of type {wanted} or an UntypedStorage, but got type {got} for argument 1 'storage'"
        )
    return storage._t.detach()


def tensor(*args, device=None):
    """`torch.Tensor(…)`"""
    return made(args, warpup.get_default_dtype(), device)


class _Kind(type):
    """The classes of tensors by dtype: isinstance asks for dtype and place, and a call makes a tensor."""

    def __instancecheck__(cls, value):
        return isinstance(value, Tensor) and value.dtype == cls.dtype and value.is_cuda == cls.is_cuda

    def __call__(cls, *args, device=None):
        return made(args, cls.dtype, "cuda" if cls.is_cuda else device)

    def __repr__(cls):
        return f"<class '{cls.__module__}.{cls.__name__}'>"


def kind(name, is_cuda=False):
    """`torch.FloatTensor` and the like, or `torch.cuda.FloatTensor`."""
    facts = {
        "dtype": getattr(warpup, KINDS[name]), "is_cuda": is_cuda, "__module__": "torch.cuda" if is_cuda else "torch"
    }
    return _Kind(name, (), facts)


class _VariableKind(type):
    def __instancecheck__(cls, value):
        return isinstance(value, Tensor)

    def __call__(cls, data=None, requires_grad=False, volatile=None):
        if data is None:
            data = warpup.empty(0)
        elif not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return data.detach().requires_grad_(requires_grad)


class Variable(metaclass=_VariableKind):
    """torch.autograd.Variable: tensors took its place; a call gives a tensor."""


globals().update({name: kind(name) for name in KINDS})


def type_of(self, dtype=None, non_blocking=False):
    """`Tensor.type`: the name of the tensor's kind, or the tensor as another kind."""
    if dtype is None:
        names = {value: name for name, value in KINDS.items()}
        name = names[str(self.dtype).split(".")[1]]
        return ("torch.cuda." if self.is_cuda else "torch.") + name
    if isinstance(dtype, str):
        module, _, name = dtype.rpartition(".")
        if module not in ("torch", "torch.cuda") or name not in KINDS:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = kind(name, module == "torch.cuda")
    # isinstance would ask `_Kind.__instancecheck__` itself in RustPython.
    if type(dtype) is _Kind:
        return self.to(device="cuda" if dtype.is_cuda else "cpu", dtype=dtype.dtype)
    return self.to(dtype=dtype)


@torch_function(function=False)
def new(self, *args, device=None):
    """`x.new(2, 3)`: a tensor of the dtype and device of another."""
    return made(args, self.dtype, self.device if device is None else device)


@torch_function
def inverse(input):
    return warpup.linalg.inv(input)


@torch_function
def pinverse(input, rcond=1e-15):
    return warpup.linalg.pinv(input)


@torch_function
def svd(input, some=True, compute_uv=True):
    from warpup._decompositions import old_svd

    return old_svd(input, some)


@torch_function(method=False)
def range(*args, **kwargs):
    from warpup._measures import range_

    return range_(*args, **kwargs)
