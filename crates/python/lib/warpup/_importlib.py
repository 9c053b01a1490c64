"""The part of the standard module `importlib` that programs may use: the imports that the statement gives, too."""

import builtins
import sys

from warpup import _metadata as metadata  # noqa: F401


def import_module(name, package=None):
    if name.startswith("."):
        raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
    # A name that every module has: "*" would import what a package loads only when it is asked for.
    return builtins.__import__(name, {"__name__": "__main__"}, None, ("__name__",), 0)


def reload(module):
    return module


class _Util(type(sys)):
    """The part of `importlib.util` that says whether a module could be imported."""

    @staticmethod
    def find_spec(name, package=None):
        try:
            module = import_module(name.partition(".")[0])
            for part in name.split(".")[1:]:
                module = getattr(module, part)
        except (ImportError, AttributeError):
            return None
        return getattr(module, "__spec__", None) or _Spec(name)


class _Spec:
    def __init__(self, name):
        self.name, self.origin = name, "built-in"


util = _Util("importlib.util")


def __getattr__(name):
    raise AttributeError(
        f"module 'importlib' has no attribute '{name}' in warpup: the rest of importlib controls the interpreter"
    )
