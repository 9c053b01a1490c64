"""torch.nn.parallel: a run has one card at most, so a parallel module runs on it, or on the CPU."""

import _host

import warpup
from warpup import Tensor, _names
from warpup.nn.module import Module


def _moved(value, device):
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, (list, tuple)):
        moved = [_moved(it, device) for it in value]
        return type(value)(moved) if type(value) in (list, tuple) else type(value)(*moved)
    if isinstance(value, dict):
        return {name: _moved(it, device) for name, it in value.items()}
    return value


def _bytes(value):
    if isinstance(value, Tensor):
        return value.numel() * value.element_size()
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return sum(_bytes(it) for it in parts)


class DataParallel(Module):
    """Runs a module on the one card, as PyTorch does with one device."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.dim = dim
        self._is_noted = False
        self.device_ids = []
        if not warpup.cuda.is_available():
            return
        ids = [warpup.device(it if not isinstance(it, int) else f"cuda:{it}") for it in device_ids or [0]]
        if len(ids) > 1:
            raise AssertionError("Invalid device id: a run has one card; leave device_ids out")
        self.device_ids = [it.index or 0 for it in ids]
        self.output_device = self.device_ids[0] if output_device is None else output_device
        self.src_device_obj = warpup.device("cuda", self.device_ids[0])
        self.module.to(self.src_device_obj)

    def forward(self, *inputs, **kwargs):
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        for it in (*self.module.parameters(), *self.module.buffers()):
            if it.device != self.src_device_obj:
                raise RuntimeError(
                    "module must have its parameters and buffers on device "
                    f"{self.src_device_obj} (device_ids[0]) but found one of them on device: {it.device}"
                )
        outputs = self.module(*_moved(inputs, self.src_device_obj), **_moved(kwargs, self.src_device_obj))
        if not self._is_noted:
            self._is_noted = True
            _host.note(
                "nn.DataParallel: a run has one card. With several, each step copies the model to all of them and gathers their "
                f"outputs, {_bytes(outputs) / 2**20:.1f} MiB here, on the first card, which also holds the loss and the optimizer's "
                "state: it is full first. DistributedDataParallel leaves outputs and loss where they are computed"
            )
        return outputs


class DistributedDataParallel(Module):
    """Needs a process group, which a run cannot have."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0, **options):
        raise ValueError(
            "Default process group has not been initialized, please make sure to call init_process_group."
        )


__getattr__ = _names.getter("torch.nn.parallel", globals())
