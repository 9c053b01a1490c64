"""What a lab says about itself: checks, metrics, what it printed, its own text."""

import _warpup


def check(name, ok, hint=None):
    """Says whether something holds, and what to try if it does not."""
    _warpup.check(str(name), bool(ok), None if hint is None else str(hint))


def metric(name, value, unit=""):
    """Gives a number a name; predictions are compared with it."""
    _warpup.metric(str(name), float(value), str(unit))


def __getattr__(name):
    if name == "output":
        return _warpup.printed()
    if name == "source":
        return _warpup.source()
    from warpup import _names

    raise _names.missing_of_lab(name, ["output", "source", *_names.public(globals())])
