"""The part of the standard module `importlib` that programs may use: the imports that the statement gives, too."""

import builtins

from warpup import _metadata as metadata  # noqa: F401


def import_module(name, package=None):
    if name.startswith("."):
        raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
    return builtins.__import__(name, {"__name__": "__main__"}, None, ("*",), 0)


def reload(module):
    return module


def __getattr__(name):
    raise AttributeError(
        f"module 'importlib' has no attribute '{name}' in warpup: the rest of importlib controls the interpreter"
    )
