"""torch.accelerator: the card of this run under a name that fits every maker's."""

import _cuda
import warpup
from warpup import _names, cuda
from warpup.cuda import (
    empty_cache, max_memory_allocated, max_memory_reserved, memory_allocated, memory_reserved, memory_stats,
    reset_peak_memory_stats,
)


def is_available():
    return _cuda.has_card()


def device_count():
    return cuda.device_count()


def current_accelerator(check_available=False):
    """The kind of accelerator that PyTorch was built for, even if there is none."""
    return None if check_available and not is_available() else warpup.device("cuda")


def current_device_index():
    return cuda.current_device()


current_device_idx = current_device_index


def set_device_index(device, /):
    cuda.set_device(device)


set_device_idx = set_device_index


def current_stream(device=None, /):
    return cuda.current_stream(device)


def set_stream(stream):
    cuda.set_stream(stream)


def synchronize(device=None, /):
    cuda.synchronize(device)


__getattr__ = _names.getter("torch.accelerator", globals())
