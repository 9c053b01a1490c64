"""torch.xpu: Intel's cards. Programs ask whether there is one, and a run has none."""

from warpup import _names


def is_available():
    return False


is_initialized = is_bf16_supported = is_available


def device_count():
    return 0


def manual_seed(seed):
    """Without a card, PyTorch does nothing here either."""


manual_seed_all = manual_seed


def empty_cache():
    """There is nothing to give back."""


def _needs_card(*args, **kwargs):
    raise AssertionError("Torch not compiled with XPU enabled")


current_device = get_device_name = get_device_properties = memory_allocated = set_device = synchronize = _needs_card

__getattr__ = _names.getter("torch.xpu", globals())
