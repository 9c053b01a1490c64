# Defines `lab`, which the programs and checks below use, as warpup does. Run this cell first.
import sys
import time
import traceback


class Lab:
    """The part of warpup's `lab` that programs and checks use."""

    def __init__(self):
        self.source, self.output, self.metrics = "", "", {}

    def check(self, name, ok, hint=None):
        print(("ok: " if ok else "not yet: ") + name)
        if not ok and hint:
            print("    " + hint)

    def metric(self, name, value, unit=""):
        self.metrics[name] = value
        print(f"{name}: {value} {unit}".rstrip())

    def plot(self, x, series, log=False, labels=None, title="", source="run"):
        """warpup draws a plot here."""

    def bars(self, names, values, label="", title="", source="run"):
        """warpup draws bars here."""

    def cpu_work(self, name, ms):
        """The CPU works for so many milliseconds, as for decoding a picture."""
        time.sleep(ms / 1000)

    def release_threshold(self, bytes=None):
        """A setting of warpup's modelled cards."""

    def expect_error(self, kind, match=""):
        return ExpectedError(self, kind, match)


class ExpectedError:
    """A block that must raise; prints the last line of the traceback as Python does."""

    def __init__(self, lab, kind, match):
        self.lab, self.kind, self.match = lab, kind, match

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None or not issubclass(kind, Exception):
            self.lab.check("the block raises", kind is not None)
            return False
        if isinstance(self.kind, str):
            is_meant = self.kind.rpartition(".")[2] in [it.__name__ for it in kind.__mro__]
        else:
            is_meant = issubclass(kind, self.kind)
        is_meant = is_meant and self.match in str(error)
        if is_meant:
            print("".join(traceback.format_exception_only(error)), end="")
        self.lab.check("the block raises what it should", is_meant)
        return is_meant


class Both:
    """Standard output that is remembered, too: a check may look at `lab.output`."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        lab.output += text
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


def begin(info):
    """Before each cell but those with a check: what `lab.source` and `lab.output` are about begins again."""
    source = info.raw_cell or ""
    if not source.startswith("# Check"):
        lab.source, lab.output, lab.metrics = source, "", {}
        sys.stdout = Both(sys.stdout)


def end(result):
    if isinstance(sys.stdout, Both):
        sys.stdout = sys.stdout.stream


lab = Lab()
if "get_ipython" in globals():
    get_ipython().events.register("pre_run_cell", begin)
    get_ipython().events.register("post_run_cell", end)
