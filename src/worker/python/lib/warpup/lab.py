"""What a lab says about itself: checks, metrics, plots, errors it shows, what it printed, its own text; and
how much a card's pool keeps."""

import _lab

from warpup._expect import expect_error


def check(name, ok, hint=None):
    """Says whether something holds, and what to try if it does not."""
    _lab.check(str(name), bool(ok), None if hint is None else str(hint))


def metric(name, value, unit=""):
    """Gives a number a name; predictions are compared with it."""
    _lab.metric(str(name), float(value), str(unit))


def plot(x, series, log=False, labels=None, title="", source="run"):
    """Draws numbers over numbers: `series` is a list, a tensor, or a dictionary of named ones."""
    from warpup import _plot  # Most programs draw nothing and need not wait for it.

    _plot.plot(x, series, log, labels, title, source)


def release_threshold(bytes=None):
    """Of memory that no tensor holds, a card's pool keeps so many bytes when the host waits; all if None.

    PyTorch's allocator keeps all. A driver's pool keeps nothing unless it is told to, and asks for memory anew.
    """
    _lab.release_threshold(2**64 - 1 if bytes is None else int(bytes))


def __getattr__(name):
    if name == "output":
        return _lab.printed()
    if name == "source":
        return _lab.source()
    from warpup import _names

    raise _names.missing_of_lab(name, ["output", "source", *_names.public(globals())])
