"""lab.run: what the program did, counted by line, for checks. docs/authoring/reference.md has each row."""

import functools

import _lab

# What rows have beside `line`, `times` and `bytes`, and what they have where a report leaves it out.
_FIELDS = {
    "operations": {"name": None, "device": None, "in_backward": False},
    "calls": {"call": None},
    "copies": {"to": None, "is_pinned": None, "is_non_blocking": None, "cause": None},
    "allocations": {"device": None},
    "pinned": {"device": None},
    "batches": {"workers": None, "is_pinned": None},
    "seeds": {"seed": None},
    "stream_waits": {"stream": None, "behind": None, "behind_line": None},
    "hazards": {"hazard": None, "queued_line": None},
}
_SIDES = ("cpu", "cuda")
# The words that a field may be. Another one would find nothing, and a check of it would hold for every program.
_WORDS = {
    "device": _SIDES,
    "to": _SIDES,
    "call": (
        *("module", "backward", "step", "zero_grad", "synchronize", "synchronize_event", "synchronize_stream"),
        *("record_event", "to_device", "empty_cache"),
    ),
    "cause": (
        *("item", "branch", "compare", "tolist", "print", "nonzero", "tensor", "copy_to_device", "copy_to_host"),
        *("synchronize", "event", "stream", "scaler", "launch_blocking", "allocator", "loader", "unknown"),
    ),
    "hazard": ("read_before_fill", "write_before_fill", "write_before_read", "other_stream"),
}


class Row:
    """What one line did of one kind: `line`, `times`, `bytes`, and what the kind has."""

    def __init__(self, given, fields):
        self.__dict__.update({"bytes": 0, **fields, **given})

    def __repr__(self):
        given = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"Row({given})"


class Rows:
    """Rows of one kind. `times`, `bytes` and `ms` are those of all together, and rows of nothing are false."""

    def __init__(self, rows, what, fields):
        self._rows = tuple(rows)
        self._what = what
        self._fields = fields

    @property
    def times(self):
        return sum(it.times for it in self._rows)

    @property
    def bytes(self):
        return sum(it.bytes for it in self._rows)

    @property
    def ms(self):
        """Of waits: how long the host waited."""
        return sum(it.ns for it in self._rows) / 1e6

    @property
    def lines(self):
        """The lines, the one that did it most often first."""
        by_line = {}
        for it in self._rows:
            by_line[it.line] = by_line.get(it.line, 0) + it.times
        return sorted(by_line, key=lambda line: (-by_line[line], line))

    def where(self, **wanted):
        """The rows that have these values; of a tuple, list or set any of them."""
        known = ["line", "times", "bytes", *self._fields]
        for name, value in wanted.items():
            if name not in known:
                raise AttributeError(f"{self._what} have no {name!r}: they have {', '.join(known)}")
            for it in _listed(value):
                if name in _WORDS and it not in _WORDS[name]:
                    raise ValueError(f"{self._what} have no {name} {it!r}: it is one of {', '.join(_WORDS[name])}")
        return self._of(it for it in self._rows if all(getattr(it, name) in _listed(value) for name, value in wanted.items()))

    def _of(self, rows, what=None):
        return Rows(rows, what or self._what, self._fields)

    def __iter__(self):
        return iter(self._rows)

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, at):
        return self._rows[at]

    def __bool__(self):
        return self.times > 0

    def __repr__(self):
        return f"{self.times} {self._what}: {list(self._rows)!r}"


class Peak:
    """The most memory of tensors: `bytes`, the `line` that took it there, and `held`: bytes by what they were held for."""

    def __init__(self, memory):
        self.bytes = memory["peak_live"]
        self.line = memory["peak_line"]
        self.held = memory.get("peak", {})


class Run:
    """What a program did."""

    def __init__(self, given, result=None):
        counts = given.get("counts") or {}
        for name, fields in _FIELDS.items():
            rows = (Row(it, fields) for it in counts.get(name, ()))
            setattr(self, name, Rows(rows, name.replace("_", " "), fields))
        waits, fields = (given.get("gaps") or {}).get("waits", ()), {"ns": 0, "cause": "unknown"}
        self.waits = Rows((Row(it, fields) for it in waits), "waits", fields)
        lines, fields = (given.get("facts") or {}).get("lines", ()), {"ns": 0}
        launches = (
            {"line": it["line"], "times": it["kernels"], "ns": it.get("kernel_ns", 0)} for it in lines if it.get("kernels")
        )
        self.launches = Rows((Row(it, fields) for it in launches), "launches", fields)
        self.held = counts.get("held", {})
        self.peak = Peak(given.get("memory") or {"peak_live": 0, "peak_line": 0})
        self.not_computed = given.get("not_computed") is not None
        self.result = result

    @property
    def copies_to_device(self):
        return self.copies._of(self.copies.where(to="cuda"), "copies to the card")

    @property
    def copies_to_host(self):
        return self.copies._of(self.copies.where(to="cpu"), "copies to the host")

    def __getattr__(self, name):
        from warpup import _names

        raise _names.missing_of_lab(name, [*_names.public(self.__dict__), "copies_to_device", "copies_to_host"], "lab.run")


@functools.cache
def of_the_program():
    """The program has ended, so this stays as it is."""
    return Run(_lab.report())


def ran_again(function, inputs):
    """Runs a function; what it did, apart from the rest, and its `result`."""
    result, report = _lab.apart(lambda: function(*inputs))
    return Run(report, result)


def at_most(rows, most, hint):
    times = rows if isinstance(rows, int) else rows.times
    what = "" if isinstance(rows, int) else " " + rows._what
    if times > most and what:
        where = rows.lines[0]
        hint = f"{hint} There were {times:,}, most of them on line {where}." if where else f"{hint} There were {times:,}."
    _lab.check(f"At most {most:,}{what}", times <= most, hint)


# What a function of PyTorch is called as an operation, where it is not its own name.
_PRODUCTS = ("matmul", "mm", "addmm", "bmm", "baddbmm", "mv", "dot")
_OPERATIONS = {
    **dict.fromkeys((*_PRODUCTS, "linear"), _PRODUCTS),
    "layer_norm": ("native_layer_norm",),
    "batch_norm": ("native_batch_norm",),
    "dropout": ("native_dropout",),
    "rms_norm": ("fused_rms_norm",),
    "conv1d": ("convolution",),
    "conv2d": ("convolution",),
    "conv3d": ("convolution",),
    "cross_entropy": ("cross_entropy_loss", "nll_loss"),
}


def used(run, function):
    """The operations of a function of PyTorch, in whatever way the program called them."""
    name = getattr(function, "__name__", str(function)).rstrip("_")
    rows = run.operations.where(name=_OPERATIONS.get(name, (name,)), in_backward=False)
    return rows._of(rows, f"operations of {name}")


def _listed(value):
    return value if isinstance(value, (tuple, list, set, frozenset)) else (value,)
