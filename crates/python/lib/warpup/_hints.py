"""What to try after an error whose cause lies in the program's modules, and not in the line that raised it."""

import warpup
from warpup import Tensor
from warpup.nn.module import Module

_CONTAINERS = {list: ("list", "nn.ModuleList"), tuple: ("tuple", "nn.ModuleList"), dict: ("dict", "nn.ModuleDict")}


def _is_on_cpu(it):
    tensors = it.parameters() if isinstance(it, Module) else [it] if isinstance(it, Tensor) and it.dim() else []
    return any(tensor.device.type == "cpu" for tensor in tensors)


def _left_behind(module):
    """A sentence for each attribute of a module that `to()` has not moved."""
    owner = type(module).__name__
    seen = {"_parameters", "_buffers", "_modules", *module._parameters, *module._buffers}
    for name, value in vars(module).items():
        kind = _CONTAINERS.get(type(value))
        if name in seen:
            continue
        if kind is not None:
            parts = value.values() if isinstance(value, dict) else value
            if any(isinstance(it, Module) and _is_on_cpu(it) for it in parts):
                yield (
                    f"`self.{name}` of {owner} is a plain {kind[0]}, so to() and parameters() do not see the layers in it, which "
                    f"are on the CPU: make it an {kind[1]}"
                )
        elif isinstance(value, Tensor) and _is_on_cpu(value):
            yield (
                f"`self.{name}` of {owner} is a plain tensor, which to() does not move: make it a buffer with "
                f"`self.register_buffer(\"{name}\", ...)`"
            )


def of_devices(error):
    """Why tensors of the modules that were running are on another device; nothing if none of them was left behind."""
    modules = {}
    entry = error.__traceback__
    while entry is not None:
        owner = entry.tb_frame.f_locals.get("self")
        if isinstance(owner, Module):
            modules[id(owner)] = owner
        entry = entry.tb_next
    found = [it for module in modules.values() for it in _left_behind(module)]
    return ". ".join(found) or None
