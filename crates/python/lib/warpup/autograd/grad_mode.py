"""torch.autograd.grad_mode: blocks with and without gradients."""

from warpup import _names, enable_grad, inference_mode, no_grad, set_grad_enabled  # noqa: F401

__getattr__ = _names.getter("torch.autograd.grad_mode", globals())
