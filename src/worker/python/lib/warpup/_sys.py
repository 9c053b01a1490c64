"""The part of the standard module `sys` that programs may use; the rest controls the interpreter."""

from sys import (
    byteorder, exit, float_info, getrecursionlimit, getsizeof, maxsize, stderr, stdout, version, version_info,
)

argv = ["lab.py"]


def unraisablehook(it):
    """Reports an exception where none can propagate, such as in `__del__`."""
    name = getattr(it.object, "__qualname__", None) or type(it.object).__name__
    print(f"Exception ignored in: {name}\n{it.exc_type.__name__}: {it.exc_value}")


def __getattr__(name):
    raise AttributeError(f"module 'sys' has no attribute '{name}' in warpup: a lab can end with sys.exit, no more")
