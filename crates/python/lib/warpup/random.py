"""torch.random: the state of the random numbers. A run has one stream, for the CPU and the card."""

from warpup import _names, manual_seed
from warpup._generator import default_generator, get_rng_state, initial_seed, seed, set_rng_state


class fork_rng:
    """Puts the random state back at the end of a block."""

    def __init__(self, devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
        self.enabled = enabled

    def __enter__(self):
        self.before = get_rng_state()

    def __exit__(self, kind, value, traceback):
        if self.enabled:
            set_rng_state(self.before)
        return False


__getattr__ = _names.getter("torch.random", globals())
