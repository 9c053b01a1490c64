"""lab.plot and lab.bars: convert and check the numbers of a plot, with messages for what cannot be plotted.

The app decides how a plot looks.
"""

import itertools
import math

import _lab

_MAX_SERIES, _MAX_POINTS, _MAX_BARS = _lab.plot_limits()
_SOURCES = ("run", "counted", "given")
_LOG = {False: "none", True: "both", None: "none", "": "none", "x": "x", "y": "y", "xy": "both", "yx": "both"}


def plot(x, series, log=False, labels=None, title="", source="run"):
    """Plots numbers: `series` is a list, a tensor, or a dictionary of named ones."""
    axes = _axes(log)
    _check_source(source, "lab.plot")
    x_label, y_label = _labels(labels)
    named = _named(series, "lab.plot", "series")
    along = _numbers(x, "x")
    drawn = []
    for name, values in named.items():
        what = f"series {str(name)!r}" if isinstance(series, dict) else "series"
        up = _numbers(values, what)
        if len(up) != len(along):
            raise ValueError(
                f"lab.plot: x has {_points(len(along))} and {what} has {_points(len(up))}: give each x one y"
            )
        drawn.append(_series(str(name), along, up, axes, what))
    if len(along) * len(drawn) > _MAX_POINTS:
        raise _too_many("the series have together")
    _show("lab.plot", (str(title), x_label, y_label, axes, source), drawn, [])


def bars(names, values, label="", title="", source="run"):
    """Draws a bar for each name; with a dictionary of values, a group of bars."""
    _check_source(source, "lab.bars")
    if isinstance(names, str) or not hasattr(names, "__iter__"):
        raise TypeError(f"lab.bars: names is of type {type(names).__name__}: give a list of texts, one for each bar")
    names = [str(it) for it in itertools.islice(names, _MAX_BARS + 1)]
    if len(names) > _MAX_BARS:
        raise ValueError(f"lab.bars: there are more than {_MAX_BARS} names: draw fewer bars, or use lab.plot")
    drawn = []
    for name, up in _named(values, "lab.bars", "values").items():
        what = f"values {str(name)!r}" if isinstance(values, dict) else "values"
        up = _numbers(up, what, "lab.bars")
        if len(up) != len(names):
            raise ValueError(f"lab.bars: there are {len(names)} names and {len(up)} {what}: give each name one number")
        if any(it < 0 for it in up):
            raise ValueError(f"lab.bars: {what} has {min(up):g}: a bar is as long as its number, so at least 0")
        drawn.append(_series(str(name), range(len(names)), up, "none", what))
    _show("lab.bars", (str(title), "", str(label), "none", source), drawn, names)


def _show(who, texts, drawn, names):
    if not _lab.plot(texts, drawn, names):
        raise ValueError(f"{who}: a run shows no more plots: put what belongs together into one, as several series")


def _check_source(source, who):
    if source not in _SOURCES:
        raise ValueError(f"{who}: source is {source!r}: it can be 'run' (measured or modelled), 'counted' or 'given'")


def _named(series, who, what):
    named = series if isinstance(series, dict) else {"": series}
    if not named:
        raise ValueError(f"{who}: there is nothing to draw: {what} is an empty dictionary")
    if len(named) > _MAX_SERIES:
        raise ValueError(
            f"{who}: {len(named)} series cannot be told apart: give at most {_MAX_SERIES}, or make two plots"
        )
    return named


def _axes(log):
    try:
        return _LOG[log]
    except (KeyError, TypeError):
        raise ValueError(
            f"lab.plot: log is {log!r}: it can be False, True (both axes), 'x', 'y' or 'xy'"
        ) from None


def _labels(labels):
    if labels is None:
        return "", ""
    if isinstance(labels, (list, tuple)) and len(labels) == 2:
        return str(labels[0]), str(labels[1])
    raise ValueError("lab.plot: labels is a pair, what runs along and what runs up: labels=('step', 'loss')")


def _points(count):
    return "1 point" if count == 1 else f"{count} points"


def _numbers(values, what, who="lab.plot"):
    """The numbers of a list or a tensor as Python floats."""
    if hasattr(values, "tolist"):
        if len(values.shape) != 1:
            raise ValueError(
                f"{who}: {what} is a tensor of shape {tuple(values.shape)}: give it one dimension, "
                "for example with .flatten()"
            )
        values = values.tolist()
    if isinstance(values, (str, bytes, dict)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{who}: {what} is of type {type(values).__name__}: give a list or a tensor of numbers")
    # The iterable may be endless.
    values = list(itertools.islice(values, _MAX_POINTS + 1))
    if len(values) > _MAX_POINTS:
        raise _too_many(f"{what} has")
    return [_number(it, what, at, who) for at, it in enumerate(values)]


def _too_many(what):
    return ValueError(
        f"lab.plot: {what} more than {_MAX_POINTS} points, and a plot takes no more: "
        "plot every tenth, x[::10] and y[::10]"
    )


def _number(value, what, at, who):
    if hasattr(value, "tolist") and value.numel() == 1:
        value = value.item()
    if not isinstance(value, (int, float)):
        raise TypeError(f"{who}: {what}[{at}] is of type {type(value).__name__}: each point has to be a number")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _series(name, along, up, axes, what):
    points, skipped = [], 0
    for x, y in zip(along, up):
        if not (math.isfinite(x) and math.isfinite(y)):
            skipped += 1
            continue
        if axes in ("x", "both") and x <= 0:
            raise ValueError(_no_logarithm("x", "x", x))
        if axes in ("y", "both") and y <= 0:
            raise ValueError(_no_logarithm("y", what, y))
        points += [x, y]
    return name, points, skipped


def _no_logarithm(axis, what, value):
    return (
        f"lab.plot: the {axis} axis is logarithmic and {what} has {value:g}, which has no logarithm: "
        "leave that point out, or leave log out"
    )
