"""torch.nn.attention: the implementations that PyTorch chooses from. Loaded on first use."""

from enum import IntEnum

import _host


class SDPBackend(IntEnum):
    """The implementations of attention that PyTorch has."""

    ERROR, MATH, FLASH_ATTENTION, EFFICIENT_ATTENTION, CUDNN_ATTENTION, OVERRIDEABLE = range(-1, 5)

    def __repr__(self):
        return f"<SDPBackend.{self.name}: {self.value}>"

    def __str__(self):
        return f"SDPBackend.{self.name}"


class sdpa_kernel:
    """Chooses none: warpup has one implementation of attention."""

    def __init__(self, backends, set_priority=False):
        if not isinstance(backends, (list, SDPBackend)):
            raise AssertionError(
                "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
                f"{type(backends).__name__}"
            )

    def __enter__(self):
        _host.note("torch.nn.attention.sdpa_kernel has no effect: warpup has one implementation of attention")

    def __exit__(self, kind, value, traceback):
        return False
