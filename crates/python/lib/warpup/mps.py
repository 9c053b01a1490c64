"""torch.mps: Apple's cards. Programs ask whether there is one, and a run has none."""

from warpup import _names


def is_available():
    return False


def device_count():
    return 0


def manual_seed(seed):
    """Without a card, PyTorch does nothing here either."""


def _needs_card(task):
    def refused(*args, **kwargs):
        raise RuntimeError(f"Cannot execute {task}() without MPS backend.")

    return refused


synchronize = _needs_card("deviceSynchronize")
empty_cache = _needs_card("emptyCache")
current_allocated_memory = _needs_card("getCurrentAllocatedMemory")
driver_allocated_memory = _needs_card("getDriverAllocatedMemory")
get_rng_state = set_rng_state = seed = _needs_card("getDefaultGenerator")

__getattr__ = _names.getter("torch.mps", globals())
