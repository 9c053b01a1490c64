"""torch.save and torch.load: what is saved stays in the memory of the run, at its path or in an `io.BytesIO`.

What `load` gives is a copy, as from a file. Tensors are kept on the host, wherever they were.
"""

import warpup
from warpup import Tensor, _files, _names

_MARK = b"PK\x03\x04 kept by warpup, number %8d\n"
_FOREIGN = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, \033[1mdo those steps only "
    "if you trust the source of the checkpoint\033[0m. \n\t(1) In PyTorch 2.6, we changed the default value of the "
    "`weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to "
    "`False` will likely succeed, but it can result in arbitrary code execution. Do it only if you got the file from a "
    "trusted source.\n\t(2) Alternatively, to load with `weights_only=True` please check the recommended steps in the "
    "following error message.\n\tWeightsUnpickler error: Unsupported global: GLOBAL {0} was not an allowed global by "
    "default. Please use `torch.serialization.add_safe_globals([{0}])` or the "
    "`torch.serialization.safe_globals([{0}])` context manager to allowlist this global if you trust this "
    "class/function.\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)

# What was written into streams, by number.
_in_streams = []
_safe = []
# How `copy.deepcopy` copies tensors now, where not as usual.
_map_location = None


class UnpicklingError(Exception):
    """pickle.UnpicklingError"""


class _Kept:
    """A tensor in a file: its values on the host, and what it was."""

    def __init__(self, tensor):
        self.location = str(tensor.device)
        self.kind = type(tensor)
        self.requires_grad = tensor.requires_grad
        values = tensor.detach()
        self.values = values.clone() if values.device.type == "cpu" else values.cpu()

    def __deepcopy__(self, memo):
        from warpup._copies import as_class

        return as_class(_placed(self.values, self.location), self.kind, self.requires_grad)


def save(
    obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True, _disable_byteorder_record=False
):
    """Keeps a copy of `obj` in the memory of this run."""
    if not hasattr(f, "write"):
        _files.fspath(f)
    import warpup._standard

    warpup._standard.load("copy")
    import copy

    memo, tensors = {}, []
    _replace_tensors(obj, memo, tensors, set())
    saved = _files.Saved(copy.deepcopy(obj, memo), sum(it.values.numel() * it.values.element_size() for it in tensors))
    if not hasattr(f, "write"):
        _files.keep(f, saved)
        return
    f.write(bytes_of(saved))


def bytes_of(saved):
    """A mark that names what was saved, and as many bytes as its tensors have: the same each time."""
    if saved.number is None:
        saved.number = len(_in_streams)
        _in_streams.append(saved)
    return _MARK % saved.number + bytes(saved.size)


def _replace_tensors(value, memo, tensors, seen):
    """Fills the memo of a deep copy, so that each tensor inside becomes a `_Kept`."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Tensor):
        tensors.append(_Kept(value))
        memo[id(value)] = tensors[-1]
        return
    if isinstance(value, type(save)) and "<" in value.__qualname__:
        raise AttributeError(f"Can't pickle local object '{value.__qualname__}'")
    if isinstance(value, dict):
        for it in (*value.keys(), *value.values()):
            _replace_tensors(it, memo, tensors, seen)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for it in value:
            _replace_tensors(it, memo, tensors, seen)
    if hasattr(value, "__dict__") and not isinstance(value, (type, type(save), type(_files))):
        _replace_tensors(vars(value), memo, tensors, seen)


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """A copy of what `save` kept."""
    if hasattr(f, "read"):
        saved = _from_stream(f)
    elif isinstance(f, (str, bytes)) or hasattr(f, "__fspath__"):
        saved = _files.files.get(_files.absolute(f))
        if saved is None:
            raise _files.missing(f)
        if not isinstance(saved, _files.Saved):
            import io

            saved = _from_stream(io.BytesIO(saved.content))
    else:
        raise AttributeError(
            f"'{type(f).__name__}' object has no attribute 'seek'. You can only torch.load from a file that is "
            "seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead."
        )
    if weights_only is None or weights_only:
        _check(saved.values)
    import copy

    global _map_location
    _map_location = map_location
    try:
        return copy.deepcopy(saved.values)
    finally:
        _map_location = None


def _from_stream(f):
    length = len(_MARK % 0)
    mark = f.read(length)
    if not mark:
        error = EOFError()
        error.add_note("hint: the stream is at its end: call seek(0) on it before torch.load")
        raise error
    number = mark[-9:].strip()
    if not mark.startswith(_MARK[:14]) or not number.isdigit() or int(number) >= len(_in_streams):
        raise UnpicklingError("invalid load key, " + repr(chr(mark[0])) + ": the stream holds nothing from torch.save")
    saved = _in_streams[int(number)]
    f.read(saved.size)
    return saved


def _check(value):
    """Refuses what `weights_only=True` refuses: everything but tensors, numbers, texts and plain containers."""
    from collections import Counter, OrderedDict

    kind = type(value)
    if kind in (dict, OrderedDict, Counter):
        for it in (*value.keys(), *value.values()):
            _check(it)
    elif kind in (list, tuple, set, warpup.Size):
        for it in value:
            _check(it)
    elif kind is _Kept:
        if kind.__module__ == "__main__":
            raise UnpicklingError(_FOREIGN.format(_path(kind)))
    elif value is None or kind in (
        bool, int, float, complex, str, bytes, bytearray, warpup.dtype, warpup.device
    ):
        pass
    elif isinstance(value, (type, type(save))):
        if value not in _safe:
            raise UnpicklingError(_FOREIGN.format(_path(value)))
    elif kind in _safe:
        for it in vars(value).values():
            _check(it)
    else:
        raise UnpicklingError(_FOREIGN.format(_path(kind)))


def _path(kind):
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else module.replace("warpup", "torch") + "." + kind.__qualname__


def _placed(values, location):
    """A copy of the values where `map_location` says."""
    to = _map_location
    if callable(to):
        placed = to(values.clone(), location)
        if placed is not None:
            return placed
        to = None
    if isinstance(to, dict):
        to = to.get(location, location)
    device = warpup.device(location if to is None else to)
    if device.type == "cuda" and not warpup.cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
            "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your "
            "storages to the CPU."
        )
    return values.clone() if device.type == "cpu" else values.to(device)


def add_safe_globals(safe_globals):
    _safe.extend(safe_globals)


def get_safe_globals():
    return list(_safe)


def clear_safe_globals():
    _safe.clear()


class safe_globals:
    """Allows classes for `load` in a block."""

    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def __enter__(self):
        add_safe_globals(self.safe_globals)

    def __exit__(self, kind, value, traceback):
        for it in self.safe_globals:
            _safe.remove(it)
        return False


__getattr__ = _names.getter("torch.serialization", globals())
