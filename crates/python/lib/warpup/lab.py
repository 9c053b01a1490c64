"""What a lab reports: checks, metrics, plots, expected errors; its output, its code, and what it did; how much memory a card's
pool keeps, and for how long the CPU works."""

import math

import _lab

from warpup._expect import expect_error


def check(name, ok, hint=None):
    """Reports whether a condition holds, with a hint for when it does not."""
    if not isinstance(name, str) or isinstance(ok, str):
        # The other way round it would always hold.
        raise TypeError("lab.check takes a text, then a condition that is no text: lab.check(name, ok, hint)")
    if callable(ok):
        # It would always hold.
        called = getattr(ok, "__name__", "it")
        raise TypeError(f"lab.check takes a condition, and this is a function that was not called: write `{called}()`")
    if type(ok) is tuple:
        # So would this, unless it is empty.
        raise TypeError("lab.check takes a condition, and this is a tuple: leave out the comma behind the condition")
    count = getattr(ok, "shape", None)
    if count is not None and math.prod(count) > 1:
        raise ValueError(
            f"lab.check takes one condition, and this has {math.prod(count)}: write `torch.equal(a, b)` or `bool((a == b).all())`"
        )
    _lab.check(name, bool(ok), None if hint is None else str(hint))


def at_most(rows, most, hint):
    """Reports whether rows of `lab.run`, or a number, are at most so many; a miss also says how many there were, and where."""
    _run_facts().at_most(rows, most, hint)


def used(function):
    """The operations of a function such as `torch.matmul` that the program ran outside of backward, in whatever way it called them."""
    return _run_facts().used(_run(), function)


def ran_again(function, *inputs):
    """Runs a function of the program in its check: what that did, apart from the program, as `lab.run` has it, and its `result`."""
    return _run_facts().ran_again(function, inputs)


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


def _run_facts():
    from warpup import _run_facts  # Most programs have no check that reads it.

    return _run_facts


def _run():
    return _run_facts().of_the_program()


def _code():
    from warpup import _code

    return _code.of_the_program()


def __getattr__(name):
    if name == "run":
        return _run()
    if name == "code":
        return _code()
    if name == "output":
        return _lab.printed()
    if name == "source":
        return _lab.source()
    from warpup import _names

    raise _names.missing_of_lab(name, ["code", "output", "run", "source", *_names.public(globals())])
