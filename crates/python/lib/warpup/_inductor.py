"""torch._inductor: settings of the compiler, which it takes. The kernels of `torch.compile` follow from none of them."""

from warpup import _names
from warpup._compile_state import Settings

config = Settings("torch._inductor.config")
for _it in ("cpp", "cuda", "triton"):
    setattr(config, _it, Settings(f"torch._inductor.config.{_it}"))
del _it

__getattr__ = _names.getter("torch._inductor", globals())
