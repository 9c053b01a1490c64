"""torch.nn.Parameter and torch.nn.Buffer."""

import warpup
from warpup import Tensor


class Parameter(Tensor):
    """A tensor that is a parameter of a module; it requires gradients."""

    __module__ = "torch.nn.parameter"

    def __init__(self, data=None, requires_grad=True):
        self.requires_grad = requires_grad

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)


class Buffer(Tensor):
    """A tensor that becomes a buffer of the module that it is assigned to."""

    __module__ = "torch.nn.parameter"

    persistent = True

    def __new__(cls, data=None, *, persistent=True):
        return Tensor.__new__(cls, warpup.empty(0) if data is None else data.detach())

    def __init__(self, data=None, *, persistent=True):
        self.persistent = persistent
