"""The package `typing_extensions`, which comes with PyTorch: Python's `typing` has all of it that programs use."""

import typing
from typing import *  # noqa: F403


def __getattr__(name):
    try:
        return getattr(typing, name)
    except AttributeError:
        raise AttributeError(f"module 'typing_extensions' has no attribute '{name}' in warpup") from None
