"""torch.utils.benchmark.Compare: measurements as a table. Loaded on first use."""

import enum
import math

import _cuda
from warpup.utils.benchmark import Measurement, select_unit

_UNITS = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}
_END = "\033[0m"


class Colorize(enum.Enum):
    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


def _trimmed(value, digits):
    """The value with so many digits, rounded as a `float32`."""
    scale = 10.0 ** (math.ceil(math.log10(abs(value))) - digits)
    return round(round(value / scale, 6)) * scale


def _coloured(text, value, best):
    if value <= best * 1.01 or value <= best + 100e-9:
        return f"\033[92m\033[1m{text}{_END}{_END}"
    if value <= best * 1.1:
        return f"\033[34m\033[1m{text}{_END}{_END}"
    if value >= best * 5:
        return f"\033[31m\033[1m{text}{_END}{_END}"
    return f"\033[2m\033[91m{text}{_END}" if value >= best * 2 else text


class _Table:
    """The measurements of one label: a row for each statement, a column for each description."""

    def __init__(self, results, compare):
        self._compare, self._results = compare, results
        self._unit, self._scale = select_unit(min(it.median for it in results))
        self._warns = compare._warns and any(it.has_warnings for it in results)
        rows = dict.fromkeys((it.num_threads, it.env, it.as_row_name) for it in results)
        # The order of the statements stays.
        self._rows = sorted(rows, key=lambda it: it[:2])
        self._columns = list(dict.fromkeys(it.description for it in results))
        self._at = {((it.num_threads, it.env, it.as_row_name), it.description): it for it in results}

    def _column(self, name):
        """The texts of a column."""
        found = [self._at.get((row, name)) for row in self._rows]
        there = [it for it in found if it is not None]
        warns = self._compare._warns and any(it.has_warnings for it in there)
        digits = [math.ceil(math.log10(it.median / self._scale)) for it in there]
        decimals = 1
        if self._compare._trims:
            decimals = min(max(it.significant_figures - digit, 0) for it, digit in zip(there, digits))
        width = max(digits) + decimals + (1 if decimals else 0)
        texts = []
        for it in found:
            if it is None:
                texts.append(" " * (len(f"{1:>{width}.{decimals}f}") + (7 if warns else 0)))
                continue
            value = it.median / self._scale
            value = _trimmed(value, it.significant_figures) if self._compare._trims else value
            spread = f" (! {it.iqr / it.median * 100:.0f}%)" if warns and it.has_warnings else ""
            texts.append(f"{value:>{width}.{decimals}f}{spread:>{7 if warns else 0}}")
        return texts

    def _names(self):
        """The texts of the first column."""
        envs = {row[1] for row in self._rows}
        width = max(len(str(it)) for it in envs) if len(envs) > 1 else 0
        before, texts = (None, None), []
        for threads, env, name in self._rows:
            shown = f"({env})" if len(envs) > 1 and (threads, env) != before else ""
            texts.append("  " + shown.ljust(width + 4) + name)
            before = threads, env
        return texts

    def _best(self, row, column):
        if self._compare._colors is Colorize.ROWWISE:
            those = [self._at.get((row, it)) for it in self._columns]
        else:
            those = [self._at.get((it, column)) for it in self._rows if it[0] == row[0]]
        return min(it.median for it in those if it is not None)

    def render(self):
        heads = ["", *(str(it) for it in self._columns)]
        columns = [self._names(), *map(self._column, self._columns)]
        widths = [max(len(it) for it in (head, *column)) for head, column in zip(heads, columns)]
        lines = ["  |  ".join(it.center(width) for it, width in zip(heads, widths))]
        whole, threads = len(lines[0]), None
        for at, row in enumerate(self._rows):
            if row[0] != threads:
                threads = row[0]
                lines.append(f"{threads} threads: ".ljust(whole, "-"))
            cells = [columns[0][at].ljust(widths[0])]
            for name, column, width in zip(self._columns, columns[1:], widths[1:]):
                text, found = column[at].center(width), self._at.get((row, name))
                if found is not None and self._compare._colors is not Colorize.NONE:
                    text = _coloured(text, found.median, self._best(row, name))
                cells.append(text)
            lines.append("  |  ".join(cells))
        title = f" {self._results[0].label or ''} ".center(whole - 2, "-")
        end = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n" if self._warns else ""
        clock = "The clock is modelled.\n" if _cuda.is_modelled() else ""
        body = "\n".join(lines)
        return f"[{title}]\n{body}\n\nTimes are in {_UNITS[self._unit]}s ({self._unit}).\n{end}{clock}"


class Compare:
    """Measurements side by side."""

    __module__ = "torch.utils.benchmark.utils.compare"

    def __init__(self, results):
        self._results = []
        self._trims = self._warns = False
        self._colors = Colorize.NONE
        self.extend_results(results)

    def extend_results(self, results):
        for it in results:
            if not isinstance(it, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(it)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        self._trims = True

    def colorize(self, rowwise=False):
        self._colors = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self):
        self._warns = True

    def __str__(self):
        groups = {}
        for it in Measurement.merge(self._results):
            groups.setdefault(it.label, []).append(it)
        return "\n".join(_Table(it, self).render() for it in groups.values())

    def print(self):
        print(str(self))
