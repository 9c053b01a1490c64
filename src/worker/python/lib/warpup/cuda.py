"""torch.cuda: the card of this run, if it has one."""

import _warpup
from _warpup import empty_cache, synchronize as _synchronize

from warpup import OutOfMemoryError, _names


def is_available():
    return _warpup.has_card()


def device_count():
    return 1 if _warpup.has_card() else 0


def current_device():
    _warpup.card()
    return 0


def get_device_name(device=None):
    return _warpup.card()[0]


def get_device_capability(device=None):
    facts = _warpup.card()
    return (facts[1], facts[2])


class _Properties:
    def __init__(self, facts):
        self.name, self.major, self.minor, self.total_memory, self.multi_processor_count = facts

    def __repr__(self):
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 2**20}MB, "
            f"multi_processor_count={self.multi_processor_count})"
        )


def get_device_properties(device=None):
    return _Properties(_warpup.card())


def synchronize(device=None):
    _synchronize()


def memory_allocated(device=None):
    return _warpup.memory()[0] if _warpup.has_card() else 0


def memory_reserved(device=None):
    return _warpup.memory()[1] if _warpup.has_card() else 0


def max_memory_allocated(device=None):
    return _warpup.memory()[2] if _warpup.has_card() else 0


def max_memory_reserved(device=None):
    return _warpup.memory()[3] if _warpup.has_card() else 0


def reset_peak_memory_stats(device=None):
    _warpup.reset_peaks()


def mem_get_info(device=None):
    return (_warpup.memory()[4], _warpup.card()[3])


def manual_seed(seed):
    _warpup.seed(seed)


manual_seed_all = manual_seed


class Event:
    """A mark in the stream; two of them give the device time between them, in milliseconds."""

    def __init__(self, enable_timing=False, blocking=False):
        self._timing = enable_timing
        self._moment = None

    def record(self, stream=None):
        self._moment = _warpup.event()

    def synchronize(self):
        if self._moment is not None:
            _warpup.wait_until(self._moment)

    def query(self):
        return self._moment is None or _warpup.now() >= self._moment

    def elapsed_time(self, end):
        if not (self._timing and end._timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._moment is None or end._moment is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        if not (self.query() and end.query()):
            raise RuntimeError(
                "CUDA error: device not ready\nThe second event has not happened yet: call "
                "torch.cuda.synchronize() or end.synchronize() before elapsed_time()"
            )
        return (end._moment - self._moment) / 1e6


def __getattr__(name):
    raise _names.missing("torch.cuda", name, globals())
