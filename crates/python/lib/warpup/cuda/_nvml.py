"""What PyTorch asks of NVML. warpup's cards have no such counters, as a PyTorch without NVML's package. Loaded on first use."""

import _cuda


def _asked(name):
    def ask(device=None):
        _cuda.needs_card()
        error = ModuleNotFoundError("nvidia-ml-py does not seem to be installed or it can't be imported.")
        error.add_note("hint: the report of the run says how long the card was busy, and memory_allocated() what it holds")
        raise error

    ask.__name__ = ask.__qualname__ = name
    return ask


utilization, temperature, power_draw, clock_rate, memory_usage, device_memory_used = map(
    _asked, ("utilization", "temperature", "power_draw", "clock_rate", "memory_usage", "device_memory_used")
)
