"""Made ready before the learner's program runs: printing, the clock, and what may be imported."""

import builtins
import sys

import _warpup


class _Stream:
    encoding = "utf-8"

    def write(self, text):
        if not text.isascii():
            text.encode()  # Half a surrogate pair cannot be printed; this raises what Python raises.
        _warpup.write(text)
        return len(text)

    def flush(self):
        # What comes next may never return, such as a wait for a kernel that does not end.
        _warpup.flush()

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
# Ours stand for the standard ones, which would bring half of the library along.
_OURS = ("random", "statistics", "dataclasses", "contextlib")


def _guarded(name, globals=None, locals=None, fromlist=(), level=0):
    # A call of `__import__` may come without globals; an import statement of the library never does.
    if globals is None or globals.get("__name__") == "__main__":
        if (name == "torch" or name.startswith("torch.")) and _warpup.is_plan():
            # What is planned is a program for PyTorch, as it stands.
            return _import("warpup" + name[len("torch"):], globals, locals, fromlist, level)
        if name == "torch" or name.startswith("torch."):
            raise ModuleNotFoundError(
                "No module named 'torch': in warpup the line is `import warpup as torch`; "
                "the rest of the program stays as it is"
            )
        if name == "sys":
            # The interpreter itself takes this way, too, when it has something to say about a program.
            return warpup._sys
        if name.split(".")[0] not in _ALLOWED:
            raise ModuleNotFoundError(
                f"No module named '{name}' in warpup: a lab can import "
                + ", ".join(it for it in _ALLOWED if not it.startswith("_"))
            )
        if name in _OURS and name not in sys.modules:
            _import("warpup._" + name)
            sys.modules[name] = sys.modules["warpup._" + name]
    return _import(name, globals, locals, fromlist, level)


def _exit(code=None):
    raise SystemExit(code)


sys.unraisablehook = warpup._sys.unraisablehook
builtins.__import__ = _guarded
builtins.exit = builtins.quit = _exit
for _name in ("open", "input", "breakpoint"):
    if hasattr(builtins, _name):
        delattr(builtins, _name)
del _name
