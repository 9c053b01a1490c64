"""The memory of tensors as PyTorch shows it: `untyped_storage()`, in bytes, and `storage()`. Loaded on first use."""

import warpup
from warpup._registration import torch_function

# What its classes print as their module.
__name__ = "torch.storage"


class _Storage:
    """All memory that a tensor shares with others, as a tensor in one row."""

    def __init__(self, whole):
        self._t = whole

    device = property(lambda self: self._t.device)
    is_cuda = property(lambda self: self._t.is_cuda)
    is_sparse = False
    filename = None

    def __len__(self):
        return self.size()

    def __iter__(self):
        return iter(self.tolist())

    def __repr__(self):
        lines = "\n ".join(str(it) for it in self.tolist())
        return f" {lines}\n[{type(self).__module__}.{type(self).__name__}({self._kind()}) of size {self.size()}]"

    def data_ptr(self):
        return self._t.data_ptr()

    def nbytes(self):
        return self._t.nbytes

    def is_pinned(self, device="cuda"):
        return self._t.is_pinned()

    def is_shared(self):
        return self._t.is_cuda

    def share_memory_(self):
        return self

    def clone(self):
        return type(self)(self._t.clone())

    def cpu(self):
        return type(self)(self._t.cpu())

    def cuda(self, device=None, non_blocking=False):
        return type(self)(self._t.cuda(device))

    def copy_(self, source, non_blocking=None):
        self._t.copy_(source._t)
        return self

    def resize_(self, size):
        raise NotImplementedError(
            "resizing a storage is not part of warpup; PyTorch has it. Delete the tensors that share the memory, and it is free"
        )


def bytes_of(tensor):
    """The bytes of the elements, in the order of the machine."""
    import struct

    values = tensor.reshape(-1).tolist()
    if tensor.dtype == warpup.bfloat16:
        # The upper half of a float32.
        return b"".join(struct.pack("<f", it)[2:] for it in values)
    letter = {
        warpup.float32: "f", warpup.float64: "d", warpup.float16: "e", warpup.uint8: "B", warpup.int8: "b", warpup.int16: "h",
        warpup.int32: "i", warpup.int64: "q", warpup.bool: "?",
    }[tensor.dtype]
    return struct.pack(f"<{len(values)}{letter}", *values)


class UntypedStorage(_Storage):
    """Memory in bytes."""

    def _kind(self):
        return f"device={self.device}"

    def _bytes(self):
        return bytes_of(self._t)

    def size(self):
        return self._t.nbytes

    def element_size(self):
        return 1

    def tolist(self):
        return list(self._bytes())

    def __getitem__(self, at):
        found = self._bytes()[at]
        return list(found) if isinstance(found, bytes) else found

    def fill_(self, value):
        if value:
            raise NotImplementedError("filling a storage with a byte other than 0 is not part of warpup; PyTorch has it")
        self._t.zero_()
        return self


class TypedStorage(_Storage):
    """Memory in elements of one dtype."""

    dtype = property(lambda self: self._t.dtype)

    def _kind(self):
        return f"dtype={self.dtype}, device={self.device}"

    def size(self):
        return self._t.numel()

    def element_size(self):
        return self._t.itemsize

    def tolist(self):
        return self._t.tolist()

    def untyped(self):
        return UntypedStorage(self._t)

    _untyped_storage = property(untyped)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return TypedStorage(self._t[at])
        if not -self.size() <= at < self.size():
            raise IndexError(f"index {at} out of range for storage of size {self.size()}")
        return self._t[at].item()

    def __setitem__(self, at, value):
        self._t[at] = value

    def fill_(self, value):
        self._t.fill_(value)
        return self


@torch_function(function=False)
def untyped_storage(input):
    return UntypedStorage(input._whole_storage().reshape(-1))


@torch_function(function=False)
def storage(input):
    return TypedStorage(input._whole_storage().reshape(-1))


@torch_function(function=False)
def storage_type(input):
    return TypedStorage


@torch_function(function=False)
def is_set_to(input, tensor):
    """Whether both are the same view of the same memory."""
    return (input.data_ptr(), input.shape, input.stride()) == (tensor.data_ptr(), tensor.shape, tensor.stride())


@torch_function(method=False)
def is_storage(obj):
    return isinstance(obj, _Storage)
