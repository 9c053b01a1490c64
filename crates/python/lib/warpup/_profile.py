"""The result of `torch.profiler`: events, their averages by name, PyTorch's table, and a Chrome trace. Loaded on first
use.
"""

import _cuda
from warpup import _names

# Lanes of warpup's trace.
HOST, KERNEL, TO_CARD, TO_HOST = range(4)
_COPIES = {TO_CARD: "Memcpy HtoD", TO_HOST: "Memcpy DtoH"}
_OF_HOST = {
    "wait": "cudaDeviceSynchronize",
    "first use": "creation of the CUDA context",
    "start of cuBLAS": "cublasCreate_v2",
    "start of cuDNN": "cudnnCreate",
}


def _time(us):
    if us >= 1e6:
        return f"{us / 1e6:.3f}s"
    if us >= 1e3:
        return f"{us / 1e3:.3f}ms"
    return f"{us:.3f}us"


def _share(us, whole):
    return f"{us * 100.0 / whole:.2f}%" if whole else "NaN"


class FunctionEvent:
    """One operation, range or kernel; times in microseconds."""

    def __init__(self, name, on_card, start_ns, end_ns, flops=0, is_range=False):
        self.name = self.key = name
        self.on_card, self.is_range, self.flops = on_card, is_range, flops
        self.start_ns, self.end_ns = start_ns, end_ns
        self.own_ns = end_ns - start_ns
        self.card_ns = 0
        self.self_card_ns = 0
        self.cpu_parent = None
        self.count = 1

    def __repr__(self):
        return f"<FunctionEvent name={self.name} cpu_time={_time(self.cpu_time_total)} device_time={_time(self.device_time_total)}>"

    cpu_time_total = property(lambda self: 0 if self.on_card else (self.end_ns - self.start_ns) / 1e3)
    self_cpu_time_total = property(lambda self: 0 if self.on_card else self.own_ns / 1e3)
    device_time_total = property(lambda self: self.card_ns / 1e3)
    self_device_time_total = property(lambda self: self.self_card_ns / 1e3)


class FunctionEventAvg:
    """All events of one name."""

    def __init__(self, key, events):
        self.key = key
        self.events = events
        self.count = len(events)
        self.is_range = events[0].is_range
        self.on_card = events[0].on_card
        self.flops = sum(it.flops for it in events)
        for name in ("cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total"):
            total = sum(getattr(it, name) for it in events)
            setattr(self, name, total)
            setattr(self, name.replace("device", "cuda"), total)
        self.cpu_time = self.cpu_time_total / self.count
        self.device_time = self.cuda_time = self.device_time_total / self.count

    def __repr__(self):
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={_time(self.self_cpu_time_total)} "
            f"cpu_time={_time(self.cpu_time)}  self_device_time={_time(self.self_device_time_total)} "
            f"device_time={_time(self.device_time)}>"
        )


def events(profile):
    """The events in the order of their start: ranges and operations on the host, then what the card did."""
    host = [FunctionEvent(name, False, start, end, is_range=True) for name, start, end in profile._ranges]
    card = []
    launches = {}
    for lane, name, start, end, flops in profile._spans:
        if lane == HOST:
            # The range of a loader has its whole name.
            name = name if name.startswith("enumerate(") else _OF_HOST.get(name) or "aten::" + name
            launch = FunctionEvent(name, False, start, end, flops)
            host.append(launch)
            launches.setdefault(name, []).append(launch)
        else:
            card.append(FunctionEvent(_COPIES.get(lane, name), True, start, end))
    host.sort(key=lambda it: (it.start_ns, -it.end_ns))
    _attribute(profile, launches)
    _nest(host)
    with_card = any(str(it) == "ProfilerActivity.CUDA" for it in profile.activities)
    with_host = any(str(it) == "ProfilerActivity.CPU" for it in profile.activities)
    for it in card:
        it.card_ns = it.self_card_ns = it.own_ns
    if not with_card:
        for it in host:
            it.card_ns = it.self_card_ns = 0
    return EventList((host if with_host else []) + (card if with_card else []), profile)


def _attribute(profile, launches):
    """Gives each operation the time of its kernel: the kernels of a name run in the order of their launches."""
    at = {}
    for lane, name, start, end, flops in profile._spans:
        if lane == HOST:
            continue
        known = launches.get("aten::" + name, ())
        number = at.get(name, 0)
        at[name] = number + 1
        if number < len(known):
            known[number].self_card_ns = known[number].card_ns = end - start


def _nest(host):
    """Finds the range that each event is in, and takes the time of what is inside out of its own."""
    around = []
    for it in host:
        while around and around[-1].end_ns < it.end_ns:
            around.pop()
        if around:
            it.cpu_parent = around[-1]
            around[-1].own_ns -= it.end_ns - it.start_ns
            for outer in around:
                outer.card_ns += it.self_card_ns
        if it.is_range:
            around.append(it)


def averages(profile):
    by_name = {}
    for it in events(profile):
        by_name.setdefault((it.name, it.on_card), []).append(it)
    return EventList([FunctionEventAvg(name, its) for (name, _), its in by_name.items()], profile)


class EventList(list):
    """Events, or their averages; `table` prints them."""

    def __init__(self, values, profile):
        list.__init__(self, values)
        self._profile = profile

    def __str__(self):
        return self.table()

    def key_averages(self, *args, **kwargs):
        return averages(self._profile)

    def total_average(self):
        return FunctionEventAvg("Total", list(self))

    self_cpu_time_total = property(lambda self: sum(it.self_cpu_time_total for it in self))

    def table(
        self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
        max_shapes_column_width=80, header=None, top_level_events_only=False, time_unit=None
    ):
        return _table(list(self), self._profile, sort_by, row_limit, max_name_column_width, header)


def _table(rows, profile, sort_by, row_limit, widest, header):
    """PyTorch's table."""
    if not rows:
        return ""
    if sort_by is not None:
        name = sort_by.replace("cuda", "device").replace("xpu", "device")
        if not hasattr(rows[0], name):
            raise AttributeError(f"'FunctionEventAvg' object has no attribute '{name}'")
        rows = sorted(rows, key=lambda it: getattr(it, name), reverse=True)
    on_card = any(it.self_device_time_total > 0 for it in rows)
    width = max(len(it.key) for it in rows) + 4
    width = width if widest is None else min(width, widest)
    heads = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"]
    if on_card:
        heads += ["Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg"]
    heads.append("# of Calls")
    if profile.with_flops and any(it.flops for it in rows):
        heads.append("Total MFLOPs")
    widths = [width] + [12] * (len(heads) - 1)
    rule = "".join("-" * it + "  " for it in widths)

    def line(cells):
        return "".join(str(cell).rjust(it) + "  " for cell, it in zip(cells, widths))

    host = sum(it.self_cpu_time_total for it in rows)
    card = sum(it.self_device_time_total for it in rows if it.on_card)
    lines = ["=" * (sum(widths) + 2 * len(widths) - 2), header] if header is not None else []
    lines += [rule, line(heads), rule]
    for it in rows if row_limit < 0 else rows[:row_limit]:
        name = it.key
        if widest is not None and len(name) >= widest - 3:
            name = name[:widest - 3] + "..."
        cells = [
            name, _share(it.self_cpu_time_total, host), _time(it.self_cpu_time_total), _share(it.cpu_time_total, host),
            _time(it.cpu_time_total), _time(it.cpu_time_total / it.count),
        ]
        if on_card:
            cells += [
                _time(it.self_device_time_total), _share(it.self_device_time_total, card), _time(it.device_time_total),
                _time(it.device_time_total / it.count),
            ]
        cells.append(it.count)
        if len(heads) > len(cells):
            cells.append(f"{it.flops / 1e6:8.3f}" if it.flops else "--")
        lines.append(line(cells))
    lines += [rule, f"Self CPU time total: {_time(host)}"]
    if on_card:
        lines.append(f"Self CUDA time total: {_time(card)}")
    if _cuda.is_modelled():
        lines.append(f"All times are modelled, those of the host as well: {_cuda.card()[0]}.")
    return "\n".join(lines) + "\n"


def chrome_trace(profile, path):
    """Writes the trace in Chrome's format, which Perfetto opens, to a file in the memory of the run."""
    import _host
    from warpup import _files

    clock = "modelled" if _cuda.is_modelled() else "measured"
    rows = []
    for it in events(profile):
        name = it.name.replace("\\", "\\\\").replace('"', '\\"')
        kind = "kernel" if it.on_card else "cpu_op"
        rows.append(
            f'{{"ph": "X", "name": "{name}", "cat": "{kind}", "pid": {int(it.on_card)}, "tid": 0, '
            f'"ts": {it.start_ns / 1e3}, "dur": {(it.end_ns - it.start_ns) / 1e3}}}'
        )
    text = f'{{"traceEvents": [{", ".join(rows)}], "displayTimeUnit": "ns", "clock": "{clock}"}}'
    _files.keep(path, _files.Saved(text, len(text)))
    _host.note("export_chrome_trace keeps its file in the memory of the run; `warpup run FILE.py --trace OUT.json` writes one")


__getattr__ = _names.getter("torch.profiler", globals())
