"""Global settings and queries of torch, and functions that warpup lacks. Loaded on first use."""

import _compile
import _cuda
import _host
import _precision
import _warpup
from _precision import promote_types, result_type
from _warpup import get_default_device, set_default_device

import warpup


def can_cast(from_, to):
    """Whether a result of dtype `from_` may be written to a tensor of dtype `to`."""
    if to == warpup.bool:
        return from_ == warpup.bool
    return to.is_floating_point or not from_.is_floating_point


def set_default_dtype(d):
    """Sets the dtype of floats where none is given."""
    _warpup.set_default_float(d)


def set_float32_matmul_precision(precision):
    """`high` and `medium` let a card use its TF32 units, if it has them; the values stay those of float32."""
    if precision not in ("highest", "high", "medium"):
        raise ValueError(f"{precision} is not one of 'highest', 'high', or 'medium'")
    global _matmul_precision
    _matmul_precision = precision
    _precision.set_tf32(precision != "highest")


_matmul_precision = None


def get_float32_matmul_precision():
    if _matmul_precision is not None and (_matmul_precision != "highest") == _precision.tf32():
        return _matmul_precision
    return "high" if _precision.tf32() else "highest"


# What the program asked for.
_threads = {}


def get_num_threads():
    return _threads.get("num", _host.threads())


def get_num_interop_threads():
    return _threads.get("interop", _host.threads())


def _checked_threads(name, num):
    if not isinstance(num, int) or isinstance(num, bool):
        raise RuntimeError(f"{name} expects an int, but got {type(num).__name__}")
    if num <= 0:
        raise RuntimeError(f"{name} expects a positive integer")
    return num


def set_num_interop_threads(num):
    """Does nothing: operations run one after another."""
    _threads["interop"] = _checked_threads("set_num_interop_threads", num)


def set_num_threads(num):
    """Keeps the number for `get_num_threads`: the threads of a run start with its worker."""
    _threads["num"] = _checked_threads("set_num_threads", num)
    if num != _host.threads():
        _host.note(
            f"torch.set_num_threads changes no times: this run has {_host.threads()} threads, as its worker was started; "
            "RAYON_NUM_THREADS sets their number"
        )


_deterministic = False


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Changes no operation: every one is deterministic. An older PyTorch may refuse some, of which a run has a note."""
    global _deterministic
    _deterministic = bool(mode)
    _cuda.set_deterministic(_deterministic and not warn_only)


def are_deterministic_algorithms_enabled():
    return _deterministic


def set_default_tensor_type(t):
    """Sets the default dtype and device by a kind of tensor, such as `torch.DoubleTensor` or its name."""
    from warpup import _legacy

    if isinstance(t, str):
        module, _, name = t.rpartition(".")
        if module not in ("torch", "torch.cuda") or name not in _legacy.KINDS:
            raise TypeError(f"invalid type object: '{t}'")
        t = _legacy.kind(name, module == "torch.cuda")
    set_default_dtype(t.dtype)
    set_default_device("cuda" if t.is_cuda else "cpu")


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """On a modelled card, a function whose kernels are fused as Inductor fuses them; elsewhere the model unchanged."""
    if model is None:
        return lambda it: compile(
            it, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, disable=disable
        )
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if mode not in (None, "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"):
        raise RuntimeError(
            f"Unrecognized mode={mode}, should be one of: default, reduce-overhead, max-autotune, max-autotune-no-cudagraphs"
        )
    if disable or backend != "inductor" or not _compile.is_modelled():
        return model
    from warpup import _compiled

    return _compiled.compiled(model, fullgraph=fullgraph, dynamic=dynamic, mode=mode)


_PRINTED = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
_PROFILES = {
    "default": {**_PRINTED},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": float("inf"), "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    """How tensors are printed."""
    if profile is not None:
        _PRINTED.update(_PROFILES[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _PRINTED.update({name: it for name, it in given.items() if it is not None})
    _PRINTED["sci_mode"] = sci_mode
    threshold = _PRINTED["threshold"]
    _warpup.print_options(
        int(_PRINTED["precision"]), 2**63 if threshold > 2**63 else int(threshold), int(_PRINTED["edgeitems"]),
        int(_PRINTED["linewidth"]), sci_mode,
    )


def get_printoptions():
    return dict(_PRINTED)


def _assert(condition, message):
    if not condition:
        raise AssertionError(message)


def typename(obj):
    """The name of a type, with that of its module."""
    if isinstance(obj, warpup.Tensor):
        return obj.type()
    return f"{type(obj).__module__}.{type(obj).__qualname__}"


def set_flush_denormal(mode):
    return False
