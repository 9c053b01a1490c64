"""Runs programs under PyTorch, one after the other, for comparison with warpup.

Reads {"source", "folder"} and writes {"output", "metrics", "raised", "is_broken"}, one JSON object per line. One process
runs all programs, because the import takes longer than most of them.
"""

import contextlib
import gc
import io
import json
import os
import sys
import types
import warnings



class Lab:
    """The part of warpup's `lab` that programs use."""

    def __init__(self):
        self.metrics = []

    def metric(self, name, value, unit=""):
        self.metrics = [it for it in self.metrics if it[0] != name] + [(name, float(value), unit)]

    def check(self, name, ok, hint=None):
        """Does nothing: only values are compared here."""

    def plot(self, x, series, log=False, labels=None, title="", source="run"):
        """Draws nothing."""

    def expect_error(self, kind, match=""):
        return Expected(kind)


class Expected:
    """A block that must raise; prints the last line of the traceback, as warpup does."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        import traceback

        if kind is None or not issubclass(kind, Exception):
            return False
        names = [it.__name__ for it in kind.__mro__]
        is_meant = self.kind.rpartition(".")[2] in names if isinstance(self.kind, str) else issubclass(kind, self.kind)
        if is_meant:
            print("".join(traceback.format_exception_only(error)), end="")
        return is_meant


def execute(torch, source, folder):
    """Runs one program with PyTorch's default settings; it may import files of a folder."""
    torch.set_default_device(None)
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.set_printoptions(profile="default")
    torch.backends.cuda.matmul.allow_tf32 = False
    if torch.cuda.is_initialized():
        torch.cuda.reset_peak_memory_stats()
    lab, printed, raised, known = Lab(), io.StringIO(), None, set(sys.modules)
    sys.path[:0] = [folder] if folder else []
    # A separate module, so that the classes of a program have one.
    module = types.ModuleType("__main__")
    module.__dict__["lab"] = lab
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(source, "lab.py", "exec"), module.__dict__)
    except BaseException as error:  # noqa: BLE001 - a program may end with any exception
        raised = {"kind": type(error).__name__, "message": str(error)}
    module.__dict__.clear()
    if folder:
        sys.path.remove(folder)
        for name in set(sys.modules) - known:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(folder):
                del sys.modules[name]
    # A network and its modules form cycles, which hold memory of the card.
    gc.collect()
    is_broken = False
    try:
        if torch.cuda.is_initialized():
            torch.cuda.synchronize()
            # A new process has no workspace of cuBLAS yet, which counts as memory in use.
            getattr(torch._C, "_cuda_clearCublasWorkspaces", lambda: None)()
            torch.cuda.empty_cache()
    except Exception:  # noqa: BLE001 - a device-side assert, even one that the program caught
        is_broken = True
    return {"output": printed.getvalue(), "metrics": lab.metrics, "raised": raised, "is_broken": is_broken}


def main():
    # Output of a program or a library must not mix with the replies.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import torch

    # This makes no context: the first program measures the first use of the card.
    hello = {"version": torch.__version__, "has_card": torch.cuda.is_available()}
    print(json.dumps(hello), file=replies, flush=True)
    for line in sys.stdin:
        print(json.dumps(execute(torch, **json.loads(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()
