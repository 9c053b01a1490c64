"""torch.autograd.graph: the nodes of the graph, and how what is saved for backward is kept."""

import _warpup
from _warpup import _Node as Node  # noqa: F401
from warpup import _names

# What its classes print as their module.
__name__ = "torch.autograd.graph"


class saved_tensors_hooks:
    """In this block, `pack_hook` keeps what is saved for backward, and `unpack_hook` gives it back."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        _warpup.begin_packing(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args):
        _warpup.end_packing()


class save_on_cpu(saved_tensors_hooks):
    """In this block, what is saved for backward waits in the memory of the host."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack(tensor):
            if not pin_memory:
                return tensor.device, tensor.cpu()
            kept = tensor.detach().cpu().pin_memory() if tensor.is_cuda else tensor
            return tensor.device, kept

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)

        super().__init__(pack, unpack)


class GradientEdge(tuple):
    """A node of the graph and the number of one of its results."""

    def __new__(cls, node, output_nr):
        return tuple.__new__(cls, (node, output_nr))

    node = property(lambda self: self[0])
    output_nr = property(lambda self: self[1])


__getattr__ = _names.getter("torch.autograd.graph", globals())
