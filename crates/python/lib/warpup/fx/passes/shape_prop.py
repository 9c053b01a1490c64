"""torch.fx.passes.shape_prop: the shape and dtype of each result, found by a run."""

from collections import namedtuple

from warpup import Tensor
from warpup.fx.interpreter import Interpreter
from warpup.fx.node import map_aggregate

TensorMetadata = namedtuple(
    "TensorMetadata", ("shape", "dtype", "requires_grad", "stride", "memory_format", "is_quantized", "qparams")
)
TensorMetadata.__module__ = "torch.fx.passes.shape_prop"


def _metadata(value):
    if not isinstance(value, Tensor):
        return value
    import warpup

    form = warpup.contiguous_format if value.is_contiguous() else None
    return TensorMetadata(value.shape, value.dtype, value.requires_grad, value.stride(), form, False, {})


class ShapeProp(Interpreter):
    """Runs a graph and keeps `tensor_meta` in each node."""

    __module__ = "torch.fx.passes.shape_prop"

    def run_node(self, n):
        result = super().run_node(n)
        found = []
        meta = map_aggregate(result, lambda it: (found.append(it) if isinstance(it, Tensor) else None, _metadata(it))[1])
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)
