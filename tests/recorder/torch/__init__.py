"""As much of PyTorch as the recorder of `warpup record` touches, in plain Python."""

import os

__version__ = os.environ.get("FAKE_TORCH", "2.6.0+cpu")

from torch import _C, autograd, cuda, nn, optim, profiler  # noqa: E402, F401


def __getattr__(name):
    """What PyTorch imports when it is first asked for."""
    if name == "_inductor":
        globals()[name] = name
        return name
    raise AttributeError(name)
