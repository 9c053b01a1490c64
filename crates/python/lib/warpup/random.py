"""torch.random: the state of the random numbers. The CPU has a generator, and the card another."""

from warpup import _generator, _names
from warpup._generator import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state


class fork_rng:
    """Puts the random state back at the end of a block."""

    def __init__(self, devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
        self.enabled = enabled
        # No device is named where only the CPU's numbers are to be put back.
        self.generators = 1 if devices is not None and not list(devices) else 2

    def __enter__(self):
        self.before = _generator.states()[:self.generators]

    def __exit__(self, kind, value, traceback):
        if self.enabled:
            _generator.restore(self.before)
        return False


__getattr__ = _names.getter("torch.random", globals())
