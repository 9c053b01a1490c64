"""`numpy.random`. After a seed, the legacy functions and `default_rng` draw the numbers that NumPy draws."""

import _numpy
from numpy import _dtypes
from numpy._convert import asarray, scalar_of, tensor_of, wrapped
from numpy._reductions import cumsum
from numpy._sorting import searchsorted


class _Stream:
    """What the two kinds of streams have in common."""

    def _drawn(self, draw, size, change=None):
        shape = _shape(size)
        count = 1
        for length in shape:
            count *= length
        tensor = draw(count)
        if change is not None:
            tensor = change(tensor)
        return wrapped(tensor.reshape(shape)) if size is not None and shape else scalar_of(tensor[0])

    def _uniform(self, size=None):
        return self._drawn(self._stream.uniform, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        size = _broadcast(size, low, high)
        drawn = self._uniform(size)
        return _number(low + (high - low) * drawn, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        size = _broadcast(size, loc, scale)
        drawn = self._drawn(self._stream.normal, size)
        return _number(loc + scale * drawn, size)

    def _whole(self, low, high, size):
        low, high = (0, low) if high is None else (low, high)
        low, high = low.__index__(), high.__index__()
        if low >= high:
            raise ValueError("low >= high" if low != 0 else "high <= 0")
        return self._drawn(lambda count: self._stream.whole(low, high - 1 - low, count), size)

    def _order(self, count):
        return self._stream.permutation(count)

    def permutation(self, x):
        if isinstance(x, int) or hasattr(x, "__index__") and not getattr(x, "ndim", 0):
            return wrapped(self._order(x.__index__()))
        array = asarray(x)
        return wrapped(array._t[self._order(len(array))])

    def shuffle(self, x):
        order = self._order(len(x))
        if isinstance(x, list):
            x[:] = [x[at] for at in order.tolist()]
        else:
            x[...] = asarray(x)[wrapped(order)]

    def _choice(self, a, size, replace, p, shuffle=True):
        if size is None and isinstance(a, (list, tuple)):
            if _is_text(a):
                return a[self._choice(len(a), None, replace, p)]
            return self._choice(asarray(a), None, replace, p)
        items = None if isinstance(a, int) or hasattr(a, "__index__") and not getattr(a, "ndim", 0) else asarray(a)
        count = a.__index__() if items is None else len(items)
        if count == 0:
            raise ValueError("'a' cannot be empty unless no samples are taken")
        if p is not None:
            at = self._weighted(_chances(p, count), size, replace)
        elif replace:
            at = self._whole(0, count, size)
            at = at.item() if size is None else at
        else:
            wanted = 1
            for length in _shape(size):
                wanted *= length
            if wanted > count:
                raise ValueError("Cannot take a larger sample than population when 'replace=False'")
            at = wrapped(self._different(count, wanted, shuffle).reshape(_shape(size)))
        if items is None:
            return at
        return items[at]

    def _weighted(self, chances, size, replace):
        if replace:
            ends = cumsum(chances)
            ends = ends / ends[-1]
            at = searchsorted(ends, self._uniform(size), "right")
            return at.item() if size is None else at
        shape, count = _shape(size), 1
        for length in shape:
            count *= length
        if int((chances > 0).sum()) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        from numpy._sorting import unique

        found, left = [], chances.copy()
        while len(found) < count:
            drawn = self._uniform((count - len(found),))
            if found:
                left[found] = 0
            ends = cumsum(left)
            places = searchsorted(ends / ends[-1], drawn, "right")
            firsts = sorted(unique(places, return_index=True)[1].tolist())
            found += [int(places[first]) for first in firsts]
        at = asarray(found).reshape(shape)
        return at if size is not None else int(at)


class RandomState(_Stream):
    """A stream of random numbers, by the Mersenne Twister."""

    def __init__(self, seed=None):
        self._stream = _numpy.mersenne(0)
        self.seed(seed)

    def seed(self, seed=None):
        """Begins the stream again. Without a seed it is 0, so that a lab repeats."""
        seed = 0 if seed is None else seed.__index__()
        if not 0 <= seed < 2 ** 32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        self._stream.seed(seed)

    def get_state(self, legacy=True):
        words, used, has_gauss, gauss = self._stream.state()
        if not legacy:
            state = {"key": wrapped(words), "pos": used}
            return {"bit_generator": "MT19937", "state": state, "has_gauss": has_gauss, "gauss": gauss}
        return "MT19937", wrapped(words), used, has_gauss, gauss

    def set_state(self, state):
        if isinstance(state, dict):
            state = state["bit_generator"], state["state"]["key"], state["state"]["pos"], state["has_gauss"], state["gauss"]
        name, words, used, *spare = state
        if name != "MT19937":
            raise ValueError("set_state can only be used with legacy MT19937 state instances.")
        left = float(spare[1]) if spare and spare[0] else None
        self._stream.set_state([int(it) for it in words], int(used), left)

    def random_sample(self, size=None):
        return self._uniform(size)

    random = ranf = sample = random_sample

    def rand(self, *size):
        return _number(self.random_sample(size or None), size)

    def standard_normal(self, size=None):
        return self._drawn(self._stream.normal, size)

    def randn(self, *size):
        return _number(self.standard_normal(size or None), size)

    def exponential(self, scale=1.0, size=None):
        from numpy._math import log

        return _number(-scale * log(1.0 - self.random_sample(size)), size)

    def randint(self, low, high=None, size=None, dtype=int):
        drawn = self._whole(low, high, size)
        return drawn.item() if size is None and dtype is int else drawn.astype(_dtypes.of(dtype))

    def random_integers(self, low, high=None, size=None):
        low, high = (1, low) if high is None else (low, high)
        return self.randint(low, high + 1, size)

    def choice(self, a, size=None, replace=True, p=None):
        return self._choice(a, size, replace, p)

    def _different(self, count, wanted, shuffle):
        return self._order(count)[:wanted]

    def __getattr__(self, name):
        found = _rarer(self, name)
        if found is None:
            raise AttributeError(f"'RandomState' object has no attribute '{name}'")
        return found


def _rarer(state, name):
    """A distribution that few programs draw from."""
    if name.startswith("_"):
        return None
    from numpy import _draws

    return getattr(_draws.Draws, name).__get__(state) if name in _draws.NAMES else None


class Generator(_Stream):
    """What `default_rng` gives, by PCG64."""

    def __init__(self, seed=None):
        self._stream = _numpy.pcg64(_words(0 if seed is None else seed))

    def random(self, size=None, dtype=float):
        drawn = self._uniform(size)
        return _number(drawn, size) if size is None and dtype is float else drawn.astype(_dtypes.of(dtype))

    def standard_normal(self, size=None, dtype=float):
        drawn = self._drawn(self._stream.normal, size)
        return _number(drawn, size) if size is None and dtype is float else drawn.astype(_dtypes.of(dtype))

    def exponential(self, scale=1.0, size=None):
        return _number(scale * self._drawn(self._stream.exponential, size), size)

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        low, high = (0, low) if high is None else (low, high)
        drawn = self._whole(low, high + 1 if endpoint else high, size)
        return _dtypes.of(dtype).type(drawn) if size is None else drawn.astype(_dtypes.of(dtype))

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        return self._choice(a, size, replace, p, shuffle)

    def _different(self, count, wanted, shuffle):
        return self._stream.sample(count, wanted, shuffle)

    def permuted(self, x):
        return self.permutation(x)


def _words(seed):
    """A seed as words of 32 bits, lowest first; a list of seeds one after the other."""
    if hasattr(seed, "__len__"):
        return [word for it in seed for word in _words(it)]
    seed = seed.__index__()
    if seed < 0:
        raise ValueError("expected non-negative integer")
    words = [seed & 0xFFFFFFFF]
    while seed >= 2 ** 32:
        seed >>= 32
        words.append(seed & 0xFFFFFFFF)
    return words


def default_rng(seed=None):
    return seed if isinstance(seed, Generator) else Generator(seed)


def _is_text(items):
    """Whether the items are not numbers. One of them can be drawn; an array of them is not part of this module."""
    return any(isinstance(it, (str, tuple, dict)) or it is None for it in items)


def _shape(size):
    if size is None:
        return ()
    return tuple(it.__index__() for it in size) if hasattr(size, "__len__") else (size.__index__(),)


def _broadcast(size, *given):
    """The size of a draw with arrays as parameters, if none is given."""
    if size is not None:
        return size
    shapes = [tuple(it.shape) for it in given if getattr(it, "ndim", 0)]
    return max(shapes, key=len) if shapes else None


def _number(drawn, size):
    """One number is a float of Python's, as the legacy functions give it."""
    return drawn.item() if not size and not getattr(drawn, "ndim", 0) else drawn


def _chances(p, count):
    # Probabilities of 32 bits, such as a softmax, add up to 1 less exactly.
    eps = {2: 2.0**-10, 4: 2.0**-23}.get(getattr(getattr(p, "dtype", None), "itemsize", 8), 2.0**-52)
    chances = asarray(p, float)
    if len(chances) != count:
        raise ValueError("'a' and 'p' must have same size")
    if bool((chances < 0).any()):
        raise ValueError("probabilities are not non-negative")
    if abs(float(tensor_of(chances).sum().item()) - 1) > eps**0.5:
        raise ValueError("probabilities do not sum to 1")
    return chances


_global = RandomState(0)
for _name in (
    "choice exponential get_state normal permutation rand randint randn random random_integers random_sample ranf sample seed "
    "set_state shuffle standard_normal uniform"
).split():
    globals()[_name] = getattr(_global, _name)


def __getattr__(name):
    found = _rarer(_global, name)
    if found is not None:
        globals()[name] = found
        return found
    from numpy._names import missing

    raise missing("numpy.random", name, globals())

