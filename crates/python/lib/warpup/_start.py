"""Prepares the interpreter before the learner's program runs: output, the clock, and which imports are allowed."""

import builtins
import collections
import sys

import _host


class _Stream:
    encoding = "utf-8"

    def __init__(self, write):
        self._write = write

    def write(self, text):
        if not text.isascii():
            text.encode()  # Raises UnicodeEncodeError for a lone surrogate, as printing does in Python.
        self._write(text)
        return len(text)

    def flush(self):
        # The next statement may never return, such as a wait for a kernel that does not end.
        _host.flush()

    def isatty(self):
        return False


sys.stdout = sys.__stdout__ = _Stream(_host.write)
sys.stderr = sys.__stderr__ = _Stream(_host.write_error)


def _shown_as(word):
    return lambda self: f"odict_{word}({list(self)!r})"


# RustPython's print the whole dictionary, with every tensor.
for _word in ("keys", "values", "items"):
    getattr(collections, f"_OrderedDict{_word.title()}View").__repr__ = _shown_as(_word)
# As in the Python of our reference (3.11) and in what is written about `state_dict`; 3.12 began to print a dictionary.
collections.OrderedDict.__repr__ = lambda self: type(self).__name__ + (f"({list(self.items())!r})" if self else "()")
del _word

import warpup._sys
import warpup._time
from warpup import _names
from warpup._importable import ALLOWED, PLOT_PACKAGES, PROGRAMS, QUICK

sys.modules["time"] = warpup._time

_import = builtins.__import__
# `import torch` and `import warpup` give the same module.
sys.modules["torch"] = warpup

# Modules that scripts import and seldom use: a lab has their names, and an error for each use.
_UNUSED = (
    "cProfile", "ctypes", "distutils", "faulthandler", "imp", "multiprocessing", "pdb", "profile", "pstats", "resource", "signal",
    "socket", "sqlite3", "ssl", "subprocess", "telnetlib", "tkinter", "tracemalloc", "turtle", "webbrowser",
)
# Modules for several threads, of which a run has one: small ones of ours.
_THREADS = {
    "threading": "warpup._threading", "queue": "warpup._queue", "concurrent": "warpup._futures",
    "concurrent.futures": "warpup._futures",
}
# What native code imports in the name of the program that calls it.
_NATIVE = ("_compat_pickle", "_pycodecs", "_strptime", "annotationlib")
_loaded = set()


def _guarded(name, globals=None, locals=None, fromlist=(), level=0):
    if globals is None:
        # An explicit call of `__import__`: by the program, by a standard module, or by native code, which has no frame.
        # The last two may import anything.
        try:
            globals = sys._getframe(1).f_globals
        except ValueError:
            globals = {}
    elif "__name__" not in globals:
        # Text that the program gave to `exec`.
        globals = {"__name__": "__main__"}
    if globals.get("__name__") not in PROGRAMS or level or name in _NATIVE:
        return _import(name, globals, locals, fromlist, level)
    top, _, rest = name.partition(".")
    if name.startswith("warpup._"):
        # A method that is loaded on first use.
        return _import(name, globals, locals, fromlist, level)
    if top in ("torch", "warpup"):
        if not rest and not fromlist:
            return warpup
        return _names.imported(rest, fromlist)
    if name == "importlib.util" and fromlist:
        return _import("warpup._importlib", None, None, ("*",)).util
    if name in ("importlib", "importlib.metadata", "importlib.util"):
        ours = "warpup._metadata" if rest == "metadata" and fromlist else "warpup._importlib"
        return _import(ours, None, None, ("*",))
    if name in _THREADS:
        return _import(_THREADS[name], None, None, ("*",))
    if name == "sys":
        # The interpreter itself imports `sys` this way, too, to report exceptions.
        return warpup._sys
    if top in PROGRAMS:
        return _import(name, globals, locals, fromlist, level)
    if top in PLOT_PACKAGES:
        return _import("warpup._matplotlib", None, None, ("package",)).package(name, fromlist)
    if top == "tensorboardX":
        return _import("warpup.utils.tensorboard", None, None, ("SummaryWriter",))
    if top in _UNUSED or name == "urllib.request":
        return _import("warpup._standard", None, None, ("unused",)).unused(name, fromlist)
    if top not in ALLOWED:
        raise _names.missing_module(name, (*ALLOWED, *_THREADS))
    if top not in QUICK and top not in _loaded:
        # Another module may have imported it, but not prepared it for programs.
        _import("warpup._standard", None, None, ("load",)).load(top)
        _loaded.add(top)
    return _import(name, globals, locals, fromlist, level)


def _help(*request):
    _import("warpup._standard", None, None, ("load",)).load("inspect")
    return _import("warpup._help", None, None, ("help",)).help(*request)


def open(*args, **kwargs):
    # Loads `io`, which few programs need.
    _import("warpup._standard", None, None, ("load",)).load("io")
    return _import("warpup._open", None, None, ("open",)).open(*args, **kwargs)


def _exit(code=None):
    raise SystemExit(code)


# `argparse` reads the real module.
sys.argv = warpup._sys.argv
sys.unraisablehook = warpup._sys.unraisablehook
builtins.__import__ = _guarded
builtins.exit = builtins.quit = _exit
builtins.round = _host.round
builtins.open = open
builtins.help = _help
for _name in ("input", "breakpoint"):
    if hasattr(builtins, _name):
        delattr(builtins, _name)
del _name
