"""What a program can set or ask of the whole of torch, and what warpup has no place for. Loaded when asked for."""

import _layers
from _layers import promote_types, result_type

import warpup

_ORDER = ("bool", "integer", "float")


def _kind(dtype):
    if dtype == warpup.bool:
        return 0
    return 2 if dtype.is_floating_point else 1


def can_cast(from_, to):
    """Whether a result of one type may be written to a tensor of the other."""
    if to == warpup.bool:
        return from_ == warpup.bool
    return _kind(from_) <= _kind(to)


def set_float32_matmul_precision(precision):
    """`high` and `medium` let a card with units for TF32 use them; the values stay those of float32."""
    if precision not in ("highest", "high", "medium"):
        raise ValueError(f"{precision} is not one of 'highest', 'high', or 'medium'")
    global _precision
    _precision = precision
    _layers.set_tf32(precision != "highest")


_precision = None


def get_float32_matmul_precision():
    if _precision is not None and (_precision != "highest") == _layers.tf32():
        return _precision
    return "high" if _layers.tf32() else "highest"


def get_num_threads():
    import _warpup

    return _warpup.threads()


def set_num_threads(num):
    if num != get_num_threads():
        raise NotImplementedError(
            f"set_num_threads({num}) is not part of warpup: a run uses {get_num_threads()}, as the worker was started. "
            "PyTorch has it"
        )


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Everything here is deterministic already."""


def compile(model=None, **options):
    """Gives the model back as it is: nothing is fused, so it runs, and is modelled, as written."""
    if model is None:
        return lambda it: it
    return model


def save(obj, f=None, *args, **kwargs):
    raise NotImplementedError(
        "torch.save is not part of warpup: a lab has no files. Keep a state_dict() in a variable instead"
    )


def load(f=None, *args, **kwargs):
    raise NotImplementedError(
        "torch.load is not part of warpup: a lab has no files. Keep a state_dict() in a variable instead"
    )
