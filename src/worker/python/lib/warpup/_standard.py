"""How Python's standard modules are loaded where they need more than the import system gives them.

The interpreter has no access to the host, so `posix` and parts of `io` do not exist. The real modules import with our
`os`, which knows paths and the files that the run keeps in memory. Loaded on first use.
"""

import sys

# Small replacements, which import in about 1 ms or less: `dataclasses` 0.7 to 1.0 ms, `statistics` 0.3 to 0.6 ms. The
# real `dataclasses` imports `inspect`, which alone takes 44 to 68 ms (release build); the real
# `statistics` imports `fractions` and `decimal`. `tqdm` is not a standard module.
_OURS = ("statistics", "dataclasses", "tqdm", "platform", "shutil", "tempfile", "typing_extensions")
# Modules that work with files, or import some that do.
_WITH_FILES = ("argparse", "csv", "fnmatch", "glob", "inspect", "io", "json", "logging", "os", "pathlib", "pickle", "pprint", "timeit", "traceback", "warnings")


# Modules that scripts import and seldom use: a lab has their names, and an error for each use.
_UNUSED = ("pdb", "signal")


def load(name):
    """Imports a module that `_start` does not let through as it is."""
    if name in _UNUSED:
        sys.modules[name] = _Unused(name)
        return
    if name in ("shutil", "tempfile"):
        _prepare()
    if name in _OURS:
        _ours(name)
        return
    # Standard modules find their codecs through it, such as latin1.
    import encodings  # noqa: F401

    if name in ("random", "contextlib") and "os" not in sys.modules:
        # They import `os` and use next to nothing of it.
        sys.modules["os"] = type(sys)("os")
        sys.modules["os"].urandom = None
        __import__(name)
        del sys.modules["os"]
    elif name in _WITH_FILES:
        _prepare()
    __import__(name)
    if name == "random":
        _make_repeatable(sys.modules["random"])
    elif name == "copy":
        import warpup._copies  # noqa: F401
    elif name == "pickle":
        import warpup._copies  # noqa: F401
        from warpup import _homes

        _homes.importable()


class _Unused(type(sys)):
    """A module that needs files, processes or threads."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"module '{self.__name__}' has no attribute '{name}' in warpup: of Python's modules there are those that need no "
            "files, network, processes or threads"
        )


def _ours(name):
    __import__("warpup._" + name)
    sys.modules[name] = sys.modules["warpup._" + name]
    if name == "tqdm":
        tqdm = sys.modules["tqdm"]
        tqdm.auto = tqdm.notebook = sys.modules["tqdm.auto"] = sys.modules["tqdm.notebook"] = tqdm


def _prepare():
    """Puts what the standard modules need in place: `os`, `posix` and the parts of `io` that open files."""
    import _io

    if hasattr(_io, "FileIO"):
        return
    from warpup._files import refuse
    from warpup._start import open

    class FileIO(_io._RawIOBase):
        """The class of open files, of which there are none."""

        def __init__(self, file, *args, **kwargs):
            refuse(f"FileIO({file!r})")

    _io.FileIO, _io.open, _io.open_code = FileIO, open, open
    _ours("os")


def _make_repeatable(random):
    """Makes 0 the seed where a program gives none, so that a lab repeats."""
    seeded = random.Random.seed
    random.Random.seed = lambda self, a=None, version=2: seeded(self, 0 if a is None else a, version)
    random.seed = random._inst.seed
    random.seed()
    del random.SystemRandom
