"""The part of the standard module `sys` that programs may use; the rest controls the interpreter."""

from sys import (
    byteorder, exc_info, exit, flags, float_info, getrecursionlimit, getrefcount, getsizeof, implementation, int_info,
    intern, maxsize, setrecursionlimit, stderr, stdout, version, version_info,
)

import _host
from warpup._importable import ALLOWED, PROGRAMS

argv = [_host.program(), *_host.arguments()]
executable = ""
path = [(_host.place() or ("",))[0]]
platform = "linux"


def unraisablehook(it):
    """Reports an exception where none can propagate, such as in `__del__`."""
    name = getattr(it.object, "__qualname__", None) or type(it.object).__name__
    print(f"Exception ignored in: {name}\n{it.exc_type.__name__}: {it.exc_value}", file=stderr)


def _loaded():
    """The modules that the program can import and that are loaded: a copy."""
    import sys

    tops = {name: module for name, module in sys.modules.items() if name.split(".")[0] in ALLOWED or name in PROGRAMS}
    return {**tops, "sys": sys.modules["warpup._sys"]}


def __getattr__(name):
    if name == "modules":
        return _loaded()
    raise AttributeError(f"module 'sys' has no attribute '{name}' in warpup: the rest of sys controls the interpreter")
