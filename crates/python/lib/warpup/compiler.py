"""torch.compiler: what goes with `torch.compile`."""

import _compile

import warpup
from warpup import _names
from warpup._compile_state import Stance as _Stance
from warpup._settings import compile


def reset():
    """Forgets what was compiled."""
    _Stance.generation += 1


def is_compiling():
    return _compile.is_active()


is_dynamo_compiling = is_compiling


def is_exporting():
    return False


def disable(fn=None, recursive=True, *, reason=None):
    """A function that runs as it is written, also when compiled code calls it: the graph breaks there."""
    if fn is None:
        return lambda it: disable(it, recursive, reason=reason)

    def disabled(*args, **kwargs):
        if not _compile.is_active():
            return fn(*args, **kwargs)
        _compile.pause("disable")
        try:
            return fn(*args, **kwargs)
        finally:
            _compile.resume()

    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        if hasattr(fn, name):
            setattr(disabled, name, getattr(fn, name))
    disabled.__wrapped__ = fn
    return disabled


def allow_in_graph(fn):
    return fn


def assume_constant_result(fn):
    return fn


nonstrict_trace = allow_in_graph


def nested_compile_region(fn=None, **options):
    """The function unchanged: it becomes part of the code around it."""
    return (lambda it: it) if fn is None else fn


def substitute_in_graph(original_fn, **options):
    """The function unchanged: compiled code calls the original."""
    return lambda it: it


def cudagraph_mark_step_begin():
    """Does nothing: outputs of compiled code are not overwritten by its next call."""


def set_enable_guard_collectives(enabled):
    """Does nothing: a run is one process. Returns what was set before."""
    return False


def save_cache_artifacts():
    """None: there are no files of a compiler to keep."""


def load_cache_artifacts(serialized_artifacts):
    """None, as when nothing was kept."""


def wrap_numpy(fn):
    """A function of arrays as a function of tensors."""

    def wrapped(*args, **kwargs):
        return _tensors(fn(*_arrays(args), **_arrays(kwargs)))

    return wrapped


def _arrays(value):
    return _converted(value, warpup.Tensor, lambda it: it.numpy())


def _tensors(value):
    import numpy

    return _converted(value, numpy.ndarray, warpup.as_tensor)


def _converted(value, kind, convert):
    if isinstance(value, kind):
        return convert(value)
    if isinstance(value, dict):
        return {key: _converted(it, kind, convert) for key, it in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_converted(it, kind, convert) for it in value)
    return value


def list_backends(exclude_tags=("debug", "experimental")):
    return ["cudagraphs", "inductor", "openxla", "tvm"]


class set_stance:
    """Whether compiled functions run compiled: a call, a block or a decorator."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        known = ("default", "eager_on_recompile", "fail_on_recompile", "force_eager", "aot_eager_then_compile", "eager_then_compile")
        if stance not in known:
            raise RuntimeError(f"invalid torch.compile stance '{stance}'")
        self._of = _Stance
        self._before = self._of.name
        self._wanted = "eager" if stance == "force_eager" else "default"
        self._of.name = self._wanted

    def __enter__(self):
        self._of.name = self._wanted

    def __exit__(self, kind, value, traceback):
        self._of.name = self._before

    def __call__(self, fn):
        self._of.name = self._before

        def with_stance(*args, **kwargs):
            before, self._of.name = self._of.name, self._wanted
            try:
                return fn(*args, **kwargs)
            finally:
                self._of.name = before

        return with_stance


__getattr__ = _names.getter("torch.compiler", globals())
