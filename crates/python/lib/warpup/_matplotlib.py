"""A stand-in for packages that draw: matplotlib, its toolkits, seaborn, and IPython. Loaded on first use.

It takes every call and draws nothing, as a run has no window. What is asked of it is answered as far as programs need to go
on: axes come in the shape that was asked for, `plot` gives its lines, and limits are numbers.
"""

import sys

import _host

# Functions that return two numbers: limits, where nothing is drawn.
_LIMITS = ("xlim", "ylim", "zlim", "get_xlim", "get_ylim", "get_zlim")
# How many things a function returns that programs unpack.
_COUNTS = {
    "errorbar": 3, "fill": 1, "hist": 3, "hist2d": 4, "loglog": 1, "pie": 2, "plot": 1, "semilogx": 1, "semilogy": 1, "step": 1,
}
_WITHOUT_RESULT = (
    "clear_output", "close", "draw", "get_ipython", "ioff", "ion", "pause", "savefig", "show", "tight_layout", "use",
)


class Artist:
    """Something that would be drawn: every attribute and every call gives another one. The word is matplotlib's."""

    def __init__(self, name="", count=2):
        self.__dict__.update(_name=name, _count=count)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        # The method of a figure gives its axes alone.
        return Artist("axes_of_figure" if name == "subplots" else name)

    def __setattr__(self, name, value):
        pass

    def __call__(self, *args, **options):
        name = self._name
        if name == "subplots":
            return Artist(), _axes(*args, **options)
        if name == "axes_of_figure":
            return _axes(*args, **options)
        if name == "subplot_mosaic":
            return Artist(), Artist()
        if name in _LIMITS:
            return 0.0, 1.0
        if name in _COUNTS:
            return [Artist() for _ in range(_COUNTS[name])]
        if name in _WITHOUT_RESULT:
            return None
        if name == "display":
            print(*map(repr, args), sep="\n")
            return None
        if name in ("fignum_exists", "isinteractive", "waitforbuttonpress"):
            return False
        if name == "load_dataset":
            raise NotImplementedError("seaborn.load_dataset is not part of warpup: a run has no network. Make the data")
        # Bars, or colours of a map: one for each value.
        has_values = len(args) > 0 and hasattr(args[0], "__len__") and not isinstance(args[0], (str, dict))
        return Artist(count=len(args[0]) if has_values and not getattr(args[0], "ndim", 1) == 0 else 2)

    def __getitem__(self, key):
        return Artist()

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter([Artist() for _ in range(self._count)])

    def __len__(self):
        return self._count

    def __bool__(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __float__(self):
        return 0.0

    def __lt__(self, other):
        return False

    __gt__ = __le__ = __ge__ = __lt__

    def __add__(self, other=None):
        return self

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = __or__ = __ror__ = __add__

    def __repr__(self):
        return "<nothing drawn>"

    def __format__(self, spec):
        return repr(self)


class Grid:
    """The axes of a figure, as the array that `subplots` gives."""

    def __init__(self, shape, axes):
        self.shape, self.ndim, self.size = shape, len(shape), len(axes)
        self._axes = axes

    @property
    def flat(self):
        return self.flatten()

    def flatten(self, *order):
        return Grid((self.size,), self._axes)

    ravel = flatten

    def reshape(self, *shape):
        shape = shape[0] if isinstance(shape[0], tuple) else shape
        return self.flatten() if len(shape) == 1 else Grid(shape, self._axes)

    def _part(self, at):
        """An axis, or a row of them."""
        if not -self.shape[0] <= at < self.shape[0]:
            raise IndexError(f"index {at} is out of bounds for axis 0 with size {self.shape[0]}")
        if self.ndim == 1:
            return self._axes[at]
        at, width = at % self.shape[0], self.shape[1]
        return Grid((width,), self._axes[at * width:(at + 1) * width])

    def __getitem__(self, key):
        key, *rest = key if isinstance(key, tuple) else (key,)
        if not isinstance(key, slice):
            found = self._part(int(key))
            return found[rest[0]] if rest else found
        parts = [self._part(at) for at in range(self.shape[0])[key]]
        if rest:
            parts = [it[rest[0]] for it in parts]
        axes = [it for part in parts for it in (part if isinstance(part, Grid) else (part,))]
        width = len(parts[0]) if parts and isinstance(parts[0], Grid) else None
        return Grid((len(parts),) if width is None else (len(parts), width), axes)

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (self._part(at) for at in range(self.shape[0]))


def _axes(nrows=1, ncols=1, *args, squeeze=True, **options):
    """One axis, a row or a grid of them."""
    grid = Grid((nrows, ncols), [Artist() for _ in range(nrows * ncols)])
    if not squeeze:
        return grid
    if nrows == ncols == 1:
        return grid[0, 0]
    return grid.flatten() if 1 in (nrows, ncols) else grid


class _Settings(dict):
    """`rcParams`"""

    def __missing__(self, key):
        return Artist()


class _Package(type(sys)):
    """A module of such a package, with every name."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = sys.modules.get(f"{self.__name__}.{name}")
        if found is None:
            found = _Settings() if name.startswith("rcParams") else Artist(name)
        setattr(self, name, found)
        return found


def package(name, fromlist):
    """What `import NAME` and `from NAME import ...` give."""
    _host.note(
        f"{name.partition('.')[0]} is a stand-in here: it takes every call and draws nothing. lab.plot(x, series) draws a "
        "chart on the lab screen, and needs no import"
    )
    path = ""
    for part in name.split("."):
        around, path = path, f"{path}.{part}".lstrip(".")
        if path not in sys.modules:
            sys.modules[path] = _Package(path)
            if around:
                setattr(sys.modules[around], part, sys.modules[path])
    return sys.modules[name if fromlist else name.partition(".")[0]]
