"""torch.amp.custom_fwd and custom_bwd: autocast in functions that have a backward of their own. Loaded on first use."""

import functools

from warpup import Tensor
from warpup.amp import autocast, get_autocast_dtype, is_autocast_enabled


def _cast(value, device_type, dtype):
    if isinstance(value, Tensor):
        fits = value.is_floating_point() and value.device.type == device_type and str(value.dtype) != "torch.float64"
        return value.to(dtype) if fits else value
    if isinstance(value, dict):
        return {_cast(key, device_type, dtype): _cast(it, device_type, dtype) for key, it in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(it, device_type, dtype) for it in value)
    return value


def _checked(device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """With `cast_inputs`, a forward that runs in that dtype and without autocast, if it is called within autocast."""
    _checked(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorate_fwd(*args, **kwargs):
        ctx, is_within = args[0], is_autocast_enabled(device_type)
        ctx._dtype = get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = is_within and cast_inputs is None
        if not is_within or cast_inputs is None:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))

    return decorate_fwd


def custom_bwd(bwd=None, *, device_type):
    """A backward that runs with autocast if its forward did."""
    _checked(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorate_bwd(*args, **kwargs):
        with autocast(device_type, args[0]._dtype, args[0]._fwd_used_autocast):
            return bwd(*args, **kwargs)

    return decorate_bwd
