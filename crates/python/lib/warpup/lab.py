"""What a lab reports: checks, metrics, plots, expected errors; its output and its source; how much memory a card's pool
keeps, and for how long the CPU works."""

import _lab

from warpup._expect import expect_error


def check(name, ok, hint=None):
    """Reports whether a condition holds, with a hint for when it does not."""
    _lab.check(str(name), bool(ok), None if hint is None else str(hint))


def metric(name, value, unit=""):
    """Reports a named number; predictions are compared with it."""
    _lab.metric(str(name), float(value), str(unit))


def plot(x, series, log=False, labels=None, title="", source="run"):
    """Plots numbers: `series` is a list, a tensor, or a dictionary of named ones."""
    from warpup import _plot  # Loaded on first use: most programs plot nothing.

    _plot.plot(x, series, log, labels, title, source)


def bars(names, values, label="", title="", source="run"):
    """Draws a bar for each name: `values` is a list, a tensor, or a dictionary of named ones."""
    from warpup import _plot

    _plot.bars(names, values, label, title, source)


def cpu_work(name, ms):
    """The CPU works for so many milliseconds, as for decoding a picture. In a loader's worker it is the worker that works.

    On a modelled card only the clock knows. Elsewhere the program sleeps as long.
    """
    ms = float(ms)
    if not 0 <= ms < float("inf"):
        raise ValueError(f"cpu_work takes a time of 0 ms or more, not {ms}")
    _lab.cpu_work(str(name), int(ms * 1e6))


def release_threshold(bytes=None):
    """How many bytes of free memory a card's pool keeps when the host synchronizes; all of them if None.

    PyTorch's allocator keeps all of it. The pool of a driver keeps none by default, and allocates again.
    """
    _lab.release_threshold(2**64 - 1 if bytes is None else int(bytes))


def __getattr__(name):
    if name == "output":
        return _lab.printed()
    if name == "source":
        return _lab.source()
    from warpup import _names

    raise _names.missing_of_lab(name, ["output", "source", *_names.public(globals())])
