"""torch.Generator: random streams, and the default one of the run.

The same seed gives the same values on every device and machine, but other values than PyTorch's.
"""

import _warpup
from warpup import device as _device

_UNSEEDED = 67280421310721


class Generator:
    """A random stream."""

    def __init__(self, device="cpu"):
        self.device = _device(device)
        self._seed = _UNSEEDED
        self._number = _warpup.open_generator(_UNSEEDED)

    def manual_seed(self, seed):
        seed = int(seed)
        _warpup.seed(seed if seed < 2**63 else seed - 2**64, self._number)
        self._seed = seed
        return self

    def initial_seed(self):
        return self._seed

    def seed(self):
        """Seeds with a number computed from the last seed: nothing here is truly random, so a lab repeats."""
        self.manual_seed((self._seed * 6364136223846793005 + 1442695040888963407) % 2**63)
        return self._seed


default_generator = Generator.__new__(Generator)
default_generator._number = 0
default_generator._seed = 0
default_generator.device = _device("cpu")
initial_seed = default_generator.initial_seed
seed = default_generator.seed
