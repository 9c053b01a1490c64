"""torch.Generator: random numbers, and the default generators of the CPU and of the card.

The same seed gives the values of PyTorch: on the CPU on every machine, on a card by its number of multiprocessors.
"""

import _cuda
import _warpup
from warpup import device as _device, uint8 as _uint8

# What its classes print as their module.
__name__ = "torch._C"


_UNSEEDED = 67280421310721
# The seeds of the generators of the CPU that `get_state` copied, by their numbers.
_seeds = {}


def _bytes(number):
    return [number >> 8 * it & 255 for it in range(8)]


def _number(data):
    return sum(byte << 8 * at for at, byte in enumerate(data))


class Generator:
    """A source of random numbers."""

    def __repr__(self):
        return f"<torch._C.Generator object at {hex(id(self))}>"

    def __init__(self, device="cpu"):
        self.device = _device(device)
        self._on_card = self.device.type == "cuda"
        if self._on_card:
            _cuda.needs_card()
        self._seed = _UNSEEDED
        self._number = _warpup.open_generator(_UNSEEDED, self._on_card)

    def manual_seed(self, seed):
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        _warpup.seed(seed if seed < 2**63 else seed - 2**64, self._number)
        self._seed = seed % 2**64
        return self

    def initial_seed(self):
        return _warpup.card_generator(self._number)[0] if self._on_card else self._seed

    def get_offset(self):
        self._needs_offset("get_offset")
        return _warpup.card_generator(self._number)[1]

    def set_offset(self, offset):
        self._needs_offset("set_offset")
        if offset % 4:
            raise RuntimeError("offset must be a multiple of 4")
        _warpup.set_card_generator(self._number, self.initial_seed(), offset)
        return self

    def _needs_offset(self, name):
        if not self._on_card:
            raise RuntimeError("CPU Generator does not use offset")

    def get_state(self):
        """Seed and offset on a card. On the CPU the generator as it is now, under a number: its state has no bytes."""
        if self._on_card:
            seed, offset = _warpup.card_generator(self._number)
            return _warpup.tensor(_bytes(seed) + _bytes(offset), dtype=_uint8, device="cpu")
        number = _warpup.copy_generator(self._number, _warpup.open_generator(0, False))
        _seeds[number] = self._seed
        return _warpup.tensor(_bytes(number), dtype=_uint8, device="cpu")

    def set_state(self, new_state):
        if new_state.dtype != _uint8:
            raise TypeError("expected a torch.ByteTensor, but got " + new_state.type())
        data = new_state.tolist()
        if self._on_card:
            if len(data) not in (8, 16):
                raise RuntimeError("RNG state is wrong size")
            seed, offset = _number(data[:8]), _number(data[8:])
            if offset % 4:
                raise RuntimeError("offset must be a multiple of 4")
            _warpup.set_card_generator(self._number, seed, offset)
            return self
        number = _number(data)
        if number not in _seeds:
            raise RuntimeError("RNG state is wrong: it was not made by get_state() in this run")
        _warpup.copy_generator(number, self._number)
        self._seed = _seeds[number]
        return self

    def clone_state(self):
        made = Generator(self.device)
        return made.set_state(self.get_state())

    def seed(self):
        """Seeds with a number computed from the last seed: nothing here is truly random, so a lab repeats."""
        self.manual_seed((self.initial_seed() * 6364136223846793005 + 1442695040888963407) % 2**63)
        return self.initial_seed()


def _default(number, device):
    made = Generator.__new__(Generator)
    made._number, made._seed, made._on_card, made.device = number, 0, device.type == "cuda", device
    return made


default_generator = _default(0, _device("cpu"))
card_generator = _default(1, _device("cuda", 0))
initial_seed = default_generator.initial_seed
get_rng_state = default_generator.get_state


def manual_seed(seed):
    """Seeds the CPU and the card."""
    made = default_generator.manual_seed(seed)
    card_generator.manual_seed(seed)
    return made


def seed():
    made = default_generator.seed()
    card_generator.manual_seed(made)
    return made


def set_rng_state(new_state):
    default_generator.set_state(new_state)


def states():
    """The states of the CPU and of the card."""
    return default_generator.get_state(), card_generator.get_state()


def restore(states):
    for generator, state in zip((default_generator, card_generator), states):
        generator.set_state(state)
