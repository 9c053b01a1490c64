"""torch.cuda.amp: the older names of torch.amp, for cards only."""

import warpup
from warpup import amp


class autocast(amp.autocast):
    def __init__(self, enabled=True, dtype=warpup.float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    def __init__(
        self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True
    ):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
