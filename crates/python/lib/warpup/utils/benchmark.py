"""torch.utils.benchmark: times of a statement. On a card the timer waits for the card before it reads the clock."""

import math

import _cuda
import _host
import warpup
from warpup import _names

_UNITS = ((1e-6, 1e-9, "ns"), (1e-3, 1e-6, "us"), (1.0, 1e-3, "ms"))


def timer():
    """The clock of the run, in seconds, once the card is done."""
    if _cuda.has_card():
        _cuda.synchronize()
    return _host.now() / 1e9


def select_unit(t):
    for below, scale, unit in _UNITS:
        if t < below:
            return unit, scale
    return "s", 1


def _indented(text):
    return "\n".join("  " + line if line.strip() else line for line in text.split("\n"))


def _dedented(text):
    lines = text.split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    margin = min(margins) if margins else 0
    return "\n".join(line[margin:] if line.strip() else "" for line in lines)


class TaskSpec:
    """What is timed."""

    def __init__(self, stmt, setup, label=None, sub_label=None, description=None, env=None, num_threads=1):
        self.stmt, self.setup, self.label, self.sub_label = stmt, setup, label, sub_label
        self.description, self.env, self.num_threads = description, env, num_threads

    @property
    def title(self):
        after = f": {self.sub_label}" if self.sub_label else ""
        if self.label is not None:
            return self.label + after
        if "\n" not in self.stmt:
            return self.stmt + after
        return f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n{_indented(self.stmt)}"

    def setup_str(self):
        if self.setup == "pass" or not self.setup:
            return ""
        return f"setup:\n{_indented(self.setup)}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self):
        sections = [self.title, self.description or "", self.setup_str()]
        return "\n".join(f"{it}\n" if "\n" in it else it for it in sections if it)


class Measurement:
    """The times of a statement."""

    def __init__(self, number_per_run, raw_times, task_spec, metadata=None):
        self.number_per_run, self.raw_times, self.task_spec = number_per_run, raw_times, task_spec
        self.metadata = metadata
        self.times = [it / number_per_run for it in raw_times]
        self._sorted = sorted(self.times)

    def __getattr__(self, name):
        if name in ("stmt", "setup", "label", "sub_label", "description", "env", "num_threads", "title"):
            return getattr(self.task_spec, name)
        raise AttributeError(f"'Measurement' object has no attribute '{name}'")

    def _quantile(self, part):
        place = part * (len(self._sorted) - 1)
        low = int(place)
        high = min(low + 1, len(self._sorted) - 1)
        return self._sorted[low] + (self._sorted[high] - self._sorted[low]) * (place - low)

    median = property(lambda self: self._quantile(0.5))
    mean = property(lambda self: sum(self.times) / len(self.times))
    iqr = property(lambda self: self._quantile(0.75) - self._quantile(0.25))

    def meets_confidence(self, threshold=0.1):
        return self.median > 0 and self.iqr / self.median < threshold

    @property
    def has_warnings(self):
        return not self.meets_confidence()

    @property
    def as_row_name(self):
        return self.sub_label or self.stmt or "[Unknown]"

    @property
    def significant_figures(self):
        """About how many digits are sure, by the spread of the middle half."""
        middle = self._sorted[len(self._sorted) // 4:-(-3 * len(self._sorted) // 4)]
        mean = sum(middle) / len(middle)
        spread = (sum((it - mean) ** 2 for it in middle) / len(middle)) ** 0.5
        interval = max(1.645 * spread / len(middle) ** 0.5, 25e-9)
        return min(max(math.floor(math.log10(self.median / interval)), 1), 4)

    def _warnings(self):
        if self.meets_confidence() or not self.median:
            return ""
        gross = not self.meets_confidence(0.25)
        what = "This suggests significant environmental influence." if gross else "This could indicate system fluctuation."
        share = self.iqr / self.median * 100
        return f"\n  WARNING: Interquartile range is {share:.1f}% of the median measurement.\n           {what}"

    def __repr__(self):
        count = len(self.times)
        unit, scale = select_unit(self.median)
        low, high = self._quantile(0.25), self._quantile(0.75)
        iqr = f"\n  IQR:    {self.iqr / scale:.2f} {unit} ({low / scale:.2f} to {high / scale:.2f})" if count >= 4 else ""
        runs = "runs per measurement," if count > 1 else "runs ,"
        modelled = "\n  The clock is modelled" if _cuda.is_modelled() else ""
        return (
            f"<torch.utils.benchmark.utils.common.Measurement object at {id(self):#x}>\n{self.task_spec.summarize()}\n"
            f"  {'Median: ' if count > 1 else ''}{self.median / scale:.2f} {unit}{iqr}\n"
            f"  {count} measurement{'s' if count > 1 else ''}, {self.number_per_run} {runs} {self.num_threads} "
            f"thread{'s' if self.num_threads > 1 else ''}{self._warnings()}{modelled}"
        )

    @staticmethod
    def merge(measurements):
        by_task = {}
        for it in measurements:
            by_task.setdefault(tuple(vars(it.task_spec).values()), []).append(it)
        return [
            Measurement(1, [time for it in its for time in it.times], its[0].task_spec) for its in by_task.values()
        ]


class Timer:
    """Times a statement; `setup` runs once before each measurement."""

    def __init__(
        self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None, sub_label=None,
        description=None, env=None, num_threads=1, language="python"
    ):
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language not in ("python", "py"):
            raise NotImplementedError(f"language={language!r} is not part of warpup; PyTorch has it. Write Python")
        self._globals = dict(globals or {})
        self._globals.setdefault("torch", warpup)
        stmt, setup = (_dedented(it).removeprefix("\n").rstrip() for it in (stmt, setup))
        self._timer = timer
        self._task_spec = TaskSpec(stmt, setup, label, sub_label, description, env, num_threads)
        body = "".join(f"        {line}\n" for line in (stmt or "pass").split("\n"))
        before = "".join(f"    {line}\n" for line in (setup or "pass").split("\n"))
        text = f"def _timed(_number, _clock):\n{before}    _start = _clock()\n    for _ in range(_number):\n{body}"
        text += "    return _clock() - _start\n"
        exec(compile(text, "<timeit-src>", "exec"), self._globals)
        self._run = self._globals.pop("_timed")

    def _timeit(self, number):
        return max(self._run(number, self._timer), 1e-9)

    def timeit(self, number=1000000):
        self._timeit(max(number // 100, 2))
        return Measurement(number, [self._timeit(number)], self._task_spec)

    def _block_size(self, min_run_time):
        """So many repetitions that reading the clock takes less than a thousandth of the time."""
        overhead = sorted(self._clock_overhead() for _ in range(5))[2]
        number = 1
        while True:
            took = self._timeit(number)
            if overhead / took <= 1e-4 and took >= min_run_time / 1000:
                return number
            if took > min_run_time:
                return number
            number *= 10

    def _clock_overhead(self):
        start = self._timer()
        return self._timer() - start

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        number = self._block_size(min_run_time)
        times, total = [], 0.0
        while total < min_run_time:
            took = self._timeit(number)
            times.append(took)
            total += took
            if callback:
                callback(number, took)
        return Measurement(number, times, self._task_spec)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        number = self._block_size(0.05)
        times, total = [], 0.0
        while total < max_run_time:
            took = self._timeit(number)
            times.append(took)
            total += took
            if callback:
                callback(number, took)
            if total > min_run_time and len(times) > 3 and Measurement(number, times, self._task_spec).meets_confidence(threshold):
                break
        return Measurement(number, times, self._task_spec)

    def collect_callgrind(self, *args, **kwargs):
        raise NotImplementedError("collect_callgrind is not part of warpup; PyTorch has it. Use timeit")


__getattr__ = _names.getter("torch.utils.benchmark", globals(), {"warpup.utils._compare": "Colorize Compare"})
