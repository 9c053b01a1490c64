"""How the library warns: by Python's `warnings`, so that the program's filters and `catch_warnings` see it."""

import sys

from warpup._importable import PROGRAMS


def warn(text, category=UserWarning):
    """Warns at the line of the program that led to it."""
    # Few programs warn, and the module takes some milliseconds to load.
    import warnings

    level, frame = 2, sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") not in PROGRAMS:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level if frame is not None else 2)
