"""`copy.deepcopy` of tensors. Loaded with the module `copy`."""

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


_warpup.add_method("__deepcopy__", _deepcopy)
# Both are singletons: a reduction to a text means that the copy is the object itself.
for _kind in (warpup.dtype, warpup.device):
    copyreg.pickle(_kind, str)
