"""torch.Generator: random streams, and the default one of the run.

The same seed gives the values of PyTorch on the CPU, on every device and machine.
"""

import _warpup
from warpup import device as _device, uint8 as _uint8

# What its classes print as their module.
__name__ = "torch._C"


_UNSEEDED = 67280421310721
# The seeds of the streams that `get_state` copied, by their numbers.
_seeds = {}


class Generator:
    """A random stream."""

    def __repr__(self):
        return f"<torch._C.Generator object at {hex(id(self))}>"

    def __init__(self, device="cpu"):
        self.device = _device(device)
        self._seed = _UNSEEDED
        self._number = _warpup.open_generator(_UNSEEDED)

    def manual_seed(self, seed):
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        _warpup.seed(seed if seed < 2**63 else seed - 2**64, self._number)
        self._seed = seed % 2**64
        return self

    def initial_seed(self):
        return self._seed

    def get_state(self):
        """The stream as it is now, under a number: the state of this generator has no bytes."""
        number = _warpup.copy_stream(self._number, _warpup.open_generator(0))
        _seeds[number] = self._seed
        return _warpup.tensor([number >> 8 * it & 255 for it in range(8)], dtype=_uint8)

    def set_state(self, new_state):
        number = sum(byte << 8 * at for at, byte in enumerate(new_state.tolist()))
        if new_state.dtype != _uint8:
            raise TypeError("expected a torch.ByteTensor, but got " + new_state.type())
        if number not in _seeds:
            raise RuntimeError("RNG state is wrong: it was not made by get_state() in this run")
        _warpup.copy_stream(number, self._number)
        self._seed = _seeds[number]
        return self

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
get_rng_state = default_generator.get_state


def set_rng_state(new_state):
    default_generator.set_state(new_state)
