"""torchvision, as far as training programs need it: datasets of generated pictures, transforms, and `make_grid`.

There are no files and no network in a lab, so the pictures are synthetic, and a note says so. Parts are loaded on first
use.
"""

import sys

__version__ = "0.30.0+warpup"

_PARTS = ("datasets", "transforms", "utils", "models", "ops", "io")


def __getattr__(name):
    if name in _PARTS:
        __import__("torchvision." + name)
        return sys.modules["torchvision." + name]
    raise missing("torchvision", name)


def missing(where, name, known=()):
    """The error for a name that is not here."""
    from warpup._names import nearest

    near = nearest(name, known)
    what = f"did you mean `{near}`?" if near else "it is not part of warpup's small torchvision"
    return AttributeError(f"module '{where}' has no attribute '{name}': {what}")


def refusing(where, why):
    """The `__getattr__` of a module that has nothing here."""

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(f"module '{where}' has no attribute '{name}'")
        raise AttributeError(f"module '{where}' has no attribute '{name}': {why}")

    return __getattr__
