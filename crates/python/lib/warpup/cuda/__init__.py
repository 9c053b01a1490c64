"""torch.cuda: the card of this run, if it has one."""

import _cuda
import _warpup
from _cuda import empty_cache

from warpup import OutOfMemoryError, _names
from warpup import device as _device
from warpup.cuda.streams import (
    Event, Stream, StreamContext, current_stream, default_stream, set_stream, stream,
)


def _card(device=None):
    """The properties of a card as a tuple; there is at most one card."""
    _cuda.needs_card()
    facts = _cuda.card()
    if _index(device) != 0:
        raise AssertionError("Invalid device id")
    return facts


def _index(device):
    """The ordinal of a card, given as a number, text or torch.device."""
    if device is None:
        return 0
    if isinstance(device, int):
        return 0 if device < 0 else device
    device = _device(device)
    if device.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {device}")
    return device.index or 0


def is_available():
    return _cuda.has_card()


# Programs that save the random numbers of cards read it, as `torch.utils.checkpoint` does.
_initialized = _cuda.run_has_card()


def is_initialized():
    return _cuda.has_card()


def init():
    _cuda.needs_card()


def device_count():
    return 1 if _cuda.has_card() else 0


def current_device():
    _cuda.needs_card()
    return 0


def set_device(device):
    _cuda.needs_card()
    _cuda.use_card(_index(device))


class device:
    """Makes a card the current one for a block; there is only one."""

    def __init__(self, device):
        self.idx = _index(device)

    def __enter__(self):
        if _cuda.has_card():
            set_device(self.idx)

    def __exit__(self, kind, value, traceback):
        return False


def get_device_name(device=None):
    return _card(device)[0]


def get_device_capability(device=None):
    facts = _card(device)
    return (facts[1], facts[2])


def is_bf16_supported(including_emulation=True):
    """Cards of compute capability 8.0 and later have units for bfloat16; older ones compute in float32."""
    return _cuda.has_card() and (including_emulation or _cuda.card()[1] >= 8)


def is_tf32_supported():
    return _cuda.has_card() and _cuda.card()[1] >= 8


class _Properties:
    def __init__(self, facts):
        self.name, self.major, self.minor, self.total_memory, self.multi_processor_count = facts[:5]
        self.max_threads_per_multi_processor = facts[5]
        uuid = _cuda.uuid()
        if uuid is not None:
            self.uuid = uuid.removeprefix("GPU-")

    def __repr__(self):
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 2**20}MB, "
            f"multi_processor_count={self.multi_processor_count})"
        )


def get_device_properties(device=None):
    return _Properties(_card(device))


def synchronize(device=None):
    _cuda.synchronize()


def _counter(at):
    return _cuda.memory()[at] if _cuda.has_card() else 0


def memory_allocated(device=None):
    return _counter(0)


def memory_reserved(device=None):
    return _counter(1)


def max_memory_allocated(device=None):
    return _counter(2)


def max_memory_reserved(device=None):
    return _counter(3)


def memory_stats(device=None):
    """The counters that warpup has, under PyTorch's names; empty without a card."""
    from collections import OrderedDict

    stats = OrderedDict()
    if _cuda.has_card():
        live, reserved, most_live, most_reserved, _ = _cuda.memory()
        for name, now, most in (("allocated", live, most_live), ("reserved", reserved, most_reserved)):
            stats[f"{name}_bytes.all.current"] = now
            stats[f"{name}_bytes.all.peak"] = most
    return stats


def _size(count):
    """Bytes as PyTorch writes them in its summary."""
    unit = "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if count < 768 * 1024:
            break
        unit = larger
        count //= 1024
    return f"{count:6d} {unit:<3}"


def memory_summary(device=None, abbreviated=False):
    """The counters of the memory pool in PyTorch's layout."""
    _cuda.needs_card()
    live, reserved, most_live, most_reserved, _ = _cuda.memory()
    width = 49
    lines = [
        "|" + "=" * width + "|",
        "|" + "PyTorch CUDA memory summary, device ID 0".center(width) + "|",
        "|" + "=" * width + "|",
        "|        Metric         | Cur Usage  | Peak Usage |",
        "|" + "-" * width + "|",
        f"| Allocated memory      | {_size(live)} | {_size(most_live)} |",
        "|" + "-" * width + "|",
        f"| GPU reserved memory   | {_size(reserved)} | {_size(most_reserved)} |",
        "|" + "=" * width + "|",
    ]
    return "\n".join(lines) + "\n"


def reset_peak_memory_stats(device=None):
    _cuda.needs_card()
    _cuda.reset_peaks()


def _renamed(name):
    def reset(device=None):
        import warnings

        warnings.warn(
            f"torch.cuda.{name} now calls torch.cuda.reset_peak_memory_stats, which resets /all/ peak memory stats.",
            FutureWarning,
            stacklevel=2,
        )
        return reset_peak_memory_stats(device=device)

    reset.__name__ = reset.__qualname__ = name
    return reset


reset_max_memory_allocated = _renamed("reset_max_memory_allocated")
reset_max_memory_cached = _renamed("reset_max_memory_cached")


def mem_get_info(device=None):
    return (_cuda.memory()[4], _cuda.card()[3])


__getattr__ = _names.getter(
    "torch.cuda", globals(),
    {
        "warpup.cuda._snapshot":
            "memory_snapshot set_per_process_memory_fraction get_per_process_memory_fraction",
        "warpup.cuda._nvml": "utilization temperature power_draw clock_rate memory_usage device_memory_used",
        "warpup.cuda.amp": "amp",
        "warpup.cuda.legacy":
            "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor",
        "warpup.cuda.graphs":
            "CUDAGraph graph graph_pool_handle graphs is_current_stream_capturing make_graphed_callables",
        "warpup.cuda.nvtx": "nvtx",
        "warpup.cuda.random": 
            "default_generators get_rng_state get_rng_state_all initial_seed manual_seed manual_seed_all random seed seed_all "
            "set_rng_state set_rng_state_all _get_rng_state_offset _set_rng_state_offset",
    },
)
