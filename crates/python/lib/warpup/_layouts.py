"""`torch.layout` and `torch.memory_format`: how the elements of a tensor lie in memory. Loaded on first use."""

# What its classes print as their module.
__name__ = "torch"


class layout:
    """`torch.strided`; tensors of warpup have no other."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return "torch." + self._name


class memory_format(layout):
    """The order of the dimensions in memory."""


strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc, jagged = map(
    layout, ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged")
)
contiguous_format, preserve_format, channels_last, channels_last_3d = map(
    memory_format, ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")
)
legacy_contiguous_format = contiguous_format

# The dimensions from the slowest to the fastest in memory, and back.
_ORDERS = {
    channels_last: ((0, 2, 3, 1), (0, 3, 1, 2)),
    channels_last_3d: ((0, 2, 3, 4, 1), (0, 4, 1, 2, 3)),
}


def is_special(format):
    """Whether the format says more than that a tensor keeps the one that it has."""
    return isinstance(format, memory_format) and format is not preserve_format


def formatted(tensor, format):
    """The tensor in this format; the same tensor if it has it."""
    if format is contiguous_format:
        return tensor.contiguous()
    order, back = _ORDERS[format]
    if tensor.dim() != len(order):
        raise RuntimeError(f"required rank {len(order)} tensor to use {format._name} format")
    if is_contiguous(tensor, format):
        return tensor
    return tensor.permute(order).contiguous().permute(back)


def is_contiguous(tensor, format):
    if format is contiguous_format:
        return tensor.is_contiguous()
    order, _ = _ORDERS[format]
    return tensor.dim() == len(order) and tensor.permute(order).is_contiguous()
