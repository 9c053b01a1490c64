"""torch.cuda.amp: the older names of torch.amp, for cards only."""

import warpup
from warpup import _names, amp


class autocast(amp.autocast):
    __module__ = "torch.cuda.amp.autocast_mode"

    def __init__(self, enabled=True, dtype=warpup.float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    __module__ = "torch.cuda.amp.grad_scaler"

    def __init__(
        self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True
    ):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    return amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd=None):
    return amp.custom_bwd(bwd, device_type="cuda")


__getattr__ = _names.getter("torch.cuda.amp", globals())
