"""torch.multiprocessing: a run is one process, so each use that needs another is an error."""

from warpup import _names
from warpup._os import cpu_count


def _needs_processes(function):
    def refused(*args, **kwargs):
        raise NotImplementedError(
            f"{function} is not part of warpup, where a run is one process; PyTorch has it. Call the function itself"
        )

    refused.__name__ = refused.__qualname__ = function
    return refused


def get_all_start_methods():
    return ["fork", "spawn", "forkserver"]


def get_all_sharing_strategies():
    return {"file_descriptor", "file_system"}


_chosen = {"start": "fork", "sharing": "file_descriptor", "is_set": False}


def get_start_method(allow_none=False):
    return _chosen["start"]


def set_start_method(method, force=False):
    if _chosen["is_set"] and not force:
        raise RuntimeError("context has already been set")
    if method not in get_all_start_methods():
        raise ValueError(f"cannot find context for {method!r}")
    _chosen.update(start=method, is_set=True)


def get_sharing_strategy():
    return _chosen["sharing"]


def set_sharing_strategy(new_strategy):
    if new_strategy not in get_all_sharing_strategies():
        raise AssertionError
    _chosen["sharing"] = new_strategy


spawn = _needs_processes("spawn")
Process = _needs_processes("Process")
Pool = _needs_processes("Pool")
Queue = _needs_processes("Queue")
Manager = _needs_processes("Manager")
get_context = _needs_processes("get_context")

__getattr__ = _names.getter("torch.multiprocessing", globals())
