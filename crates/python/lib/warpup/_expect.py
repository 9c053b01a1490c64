"""lab.expect_error: a block that has to raise. The error is printed as Python prints it, and the program goes on.

The exception is not kept: its traceback refers to frames, and those to their tensors, which would stay in memory.
"""

import _lab


class expect_error:
    """`with lab.expect_error(RuntimeError):`, by class or by name; `match` is a part of the message."""

    def __init__(self, kind, match=""):
        is_class = isinstance(kind, type) and issubclass(kind, BaseException)
        if not is_class and not isinstance(kind, str):
            raise TypeError(
                f"lab.expect_error: {kind!r} is not an exception class: give a class such as RuntimeError, or its name"
            )
        self._kind = kind
        self._match = match
        self._named = _short(_name(kind) if is_class else kind)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self._say(False, "nothing was raised: each line of the block did its work")
            return False
        if not issubclass(kind, Exception):
            # The run was cancelled or has printed too much, which is not the expected error.
            return False
        message = str(error)
        raised = f"{_name(kind)}: {message}" if message else _name(kind)
        if not self._is_meant(kind):
            self._say(False, f"a different exception was raised: {raised}")
            return False
        if self._match not in message:
            self._say(False, f"its message does not contain {self._match!r}: {raised}")
            return False
        print(raised)
        self._say(True, None)
        error.__traceback__ = error.__context__ = error.__cause__ = None
        return True

    def _is_meant(self, kind):
        if isinstance(self._kind, str):
            return any(_short(it.__name__) == self._named for it in kind.__mro__)
        return issubclass(kind, self._kind)

    def _say(self, ok, hint):
        line = _lab.line()
        place = f" on line {line}" if line else ""
        _lab.check(f"{self._named} is raised{place}", ok, hint)


def _short(name):
    return name.rpartition(".")[2]


def _name(kind):
    """The name in the last line of a traceback, with `torch.` for PyTorch's classes."""
    module = kind.__module__
    if module in ("builtins", "__main__"):
        return kind.__qualname__
    if module.partition(".")[0] == "warpup":
        module = "torch"
    return f"{module}.{kind.__qualname__}"
