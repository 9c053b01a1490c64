"""torch.nn.attention: the implementations that PyTorch chooses from. Loaded on first use."""

from enum import IntEnum

import _precision


class SDPBackend(IntEnum):
    """The implementations of attention that PyTorch has."""

    ERROR, MATH, FLASH_ATTENTION, EFFICIENT_ATTENTION, CUDNN_ATTENTION, OVERRIDEABLE = range(-1, 5)

    def __repr__(self):
        return f"<SDPBackend.{self.name}: {self.value}>"

    def __str__(self):
        return f"SDPBackend.{self.name}"


class sdpa_kernel:
    """Allows these implementations only, within a block."""

    def __init__(self, backends, set_priority=False):
        if not isinstance(backends, (list, SDPBackend)):
            raise AssertionError(
                "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
                f"{type(backends).__name__}"
            )
        allowed = backends if isinstance(backends, list) else [backends]
        self._allowed = sum({1 << it for it in allowed if 0 <= it < 4})

    def __enter__(self):
        self._before = _precision.attention_backends()
        _precision.set_attention_backends(self._allowed)

    def __exit__(self, kind, value, traceback):
        _precision.set_attention_backends(self._before)
        return False
