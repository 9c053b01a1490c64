"""The standard module `random`, as far as labs use it: a stream of its own (splitmix64), apart from that of tensors.

The same seed gives the same values on every machine, but not those of CPython; without a seed it starts
from 0, so a lab repeats.
"""

from math import cos, log, pi, sqrt

_MASK = 2**64 - 1


class Random:
    def __init__(self, seed=0):
        self.seed(seed)

    def seed(self, seed=0):
        if isinstance(seed, str):
            seed = int.from_bytes(seed.encode(), "big")
        self._state = int(seed or 0) & _MASK

    def random(self):
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) >> 11) / 2**53

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        count = len(range(start, stop, step))
        if count == 0:
            raise ValueError(f"empty range in randrange({start}, {stop})")
        return start + step * int(self.random() * count)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self.randrange(len(seq))]

    def choices(self, population, k=1):
        return [self.choice(population) for _ in range(k)]

    def shuffle(self, x):
        for at in range(len(x) - 1, 0, -1):
            other = self.randrange(at + 1)
            x[at], x[other] = x[other], x[at]

    def sample(self, population, k):
        if not 0 <= k <= len(population):
            raise ValueError("Sample larger than population or is negative")
        pool = list(population)
        self.shuffle(pool)
        return pool[:k]

    def gauss(self, mu=0.0, sigma=1.0):
        return mu + sigma * sqrt(-2 * log(1 - self.random())) * cos(2 * pi * self.random())

    normalvariate = gauss


_shared = Random()
seed = _shared.seed
random = _shared.random
uniform = _shared.uniform
randrange = _shared.randrange
randint = _shared.randint
choice = _shared.choice
choices = _shared.choices
shuffle = _shared.shuffle
sample = _shared.sample
gauss = _shared.gauss
normalvariate = _shared.normalvariate
