"""The hooks of all modules: `torch.nn.modules.module.register_module_forward_hook` and its kin. Loaded on first use."""

from warpup.nn._hooks import Hooks
from warpup.nn.module import Module

_BOTH = (
    "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of them."
)


def _add(kind, hook, *options):
    if Module._hooks_of_all is None:
        Module._hooks_of_all = Hooks()
    other = {"backward": "backward_legacy", "backward_legacy": "backward"}.get(kind)
    if other is not None and Module._hooks_of_all.of[other]:
        raise RuntimeError(_BOTH)
    return Module._hooks_of_all.add(kind, hook, False, *options)


def register_module_forward_pre_hook(hook):
    return _add("pre", hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    return _add("forward", hook, with_kwargs, always_call)


def register_module_full_backward_pre_hook(hook):
    return _add("backward_pre", hook)


def register_module_full_backward_hook(hook):
    return _add("backward", hook)


def register_module_backward_hook(hook):
    return _add("backward_legacy", hook)
