"""`copy.copy`, `copy.deepcopy` and `pickle` of tensors. Loaded with these modules."""

import copy
import copyreg

import _warpup
import warpup
from warpup import Tensor


def _deepcopy(self, memo):
    is_parameter = isinstance(self, warpup.nn.Parameter)
    if not self.is_leaf and not is_parameter:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
            "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
            "see https://github.com/pytorch/pytorch/pull/103001"
        )
    copied = as_class(self.detach().clone(), type(self), self.requires_grad)
    memo[id(self)] = copied
    # The copy of a parameter has no gradient in PyTorch, that of another leaf has.
    if self.grad is not None and not is_parameter:
        copied.grad = copy.deepcopy(self.grad, memo)
    return copied


def as_class(values, kind, requires_grad):
    """The values as a tensor, a parameter, or a class of the program's own."""
    if kind is Tensor:
        return values.requires_grad_() if requires_grad else values
    if issubclass(kind, warpup.nn.Parameter):
        return kind(values, requires_grad)
    made = kind(values)
    return made.requires_grad_() if requires_grad else made


def _copy(self):
    """Another tensor with the same memory."""
    return as_class(self.detach(), type(self), self.requires_grad)


def _reduce(self, protocol):
    # Types and devices have no pickled form here, but names.
    described = str(self.dtype).removeprefix("torch."), str(self.device), type(self), self.requires_grad
    return _rebuilt, (self.detach().flatten().tolist(), tuple(self.shape), *described)


def _rebuilt(values, shape, dtype, device, kind, requires_grad):
    made = warpup.tensor(values, dtype=getattr(warpup, dtype), device=device).reshape(shape)
    return as_class(made, kind, requires_grad)


_warpup.add_method("__copy__", _copy)
_warpup.add_method("__deepcopy__", _deepcopy)
_warpup.add_method("__reduce_ex__", _reduce)
# Both are singletons: a reduction to a text means that the copy is the object itself.
for _kind in (warpup.dtype, warpup.device):
    copyreg.pickle(_kind, str)
