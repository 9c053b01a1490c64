"""Prepares the interpreter before the learner's program runs: output, the clock, and which imports are allowed."""

import builtins
import sys

import _host


class _Stream:
    encoding = "utf-8"

    def write(self, text):
        if not text.isascii():
            text.encode()  # Raises UnicodeEncodeError for a lone surrogate, as printing does in Python.
        _host.write(text)
        return len(text)

    def flush(self):
        # The next statement may never return, such as a wait for a kernel that does not end.
        _host.flush()

    def isatty(self):
        return False


sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = _Stream()

import warpup._sys
import warpup._time

sys.modules["time"] = warpup._time

_import = builtins.__import__
_ALLOWED = (
    "warpup", "math", "time", "random", "statistics", "dataclasses", "itertools", "functools", "collections",
    "typing", "operator", "contextlib", "sys", "__future__",
)
# Small replacements. The real `statistics` takes 40 ms to import (`fractions`, `decimal`), and the real
# `dataclasses` does not import: `inspect` wants `posix`, after 25 ms.
_OURS = ("statistics", "dataclasses")


def _load(name):
    """Imports a module that needs more than the import system gives it."""
    if name in _OURS:
        _import("warpup._" + name)
        sys.modules[name] = sys.modules["warpup._" + name]
        return
    # `random` and `contextlib` import `os`, which does not exist here, and use next to nothing of it.
    sys.modules["os"] = type(sys)("os")
    sys.modules["os"].urandom = None
    _import(name)
    del sys.modules["os"]
    if name == "random":
        _make_repeatable(sys.modules["random"])


def _make_repeatable(random):
    """Makes 0 the seed where a program gives none, so that a lab repeats."""
    seeded = random.Random.seed
    random.Random.seed = lambda self, a=None, version=2: seeded(self, 0 if a is None else a, version)
    random.seed = random._inst.seed
    random.seed()
    del random.SystemRandom


def _guarded(name, globals=None, locals=None, fromlist=(), level=0):
    # An explicit call of `__import__` may have no globals; an import statement in the library always has.
    if globals is None or globals.get("__name__") == "__main__":
        if (name == "torch" or name.startswith("torch.")) and _host.is_plan():
            # A plan is made of a program for PyTorch, which is not changed for it.
            return _import("warpup" + name[len("torch"):], globals, locals, fromlist, level)
        if name == "torch" or name.startswith("torch."):
            raise ModuleNotFoundError(
                "No module named 'torch': in warpup the line is `import warpup as torch`; "
                "the rest of the program stays as it is"
            )
        if name == "sys":
            # The interpreter itself imports `sys` this way, too, to report exceptions.
            return warpup._sys
        if name.split(".")[0] not in _ALLOWED:
            raise ModuleNotFoundError(
                f"No module named '{name}' in warpup: a lab can import "
                + ", ".join(it for it in _ALLOWED if not it.startswith("_"))
            )
        if name in ("random", "contextlib", *_OURS) and name not in sys.modules:
            _load(name)
    return _import(name, globals, locals, fromlist, level)


def _exit(code=None):
    raise SystemExit(code)


sys.unraisablehook = warpup._sys.unraisablehook
builtins.__import__ = _guarded
builtins.exit = builtins.quit = _exit
builtins.round = _host.round
for _name in ("open", "input", "breakpoint"):
    if hasattr(builtins, _name):
        delattr(builtins, _name)
del _name
