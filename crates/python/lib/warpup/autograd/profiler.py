"""torch.autograd.profiler: the older names of torch.profiler."""

from warpup import _names, profiler
from warpup.profiler import record_function  # noqa: F401

# What its classes print as their module.
__name__ = "torch.autograd.profiler"


class profile(profiler.profile):
    """Records what the program does in a block."""

    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False,
                 profile_memory=False, with_stack=False, with_modules=False, use_kineto=True, use_cpu=True):
        super().__init__(
            record_shapes=record_shapes, with_flops=with_flops, profile_memory=profile_memory, with_stack=with_stack,
            with_modules=with_modules
        )
        self.enabled = enabled

    def start(self):
        if self.enabled:
            super().start()

    def table(self, *args, **kwargs):
        return self.key_averages().table(*args, **kwargs)

    def total_average(self):
        return self.events().total_average()


class emit_nvtx:
    """Takes its place in a program; there is nothing that would read the marks."""

    def __init__(self, enabled=True, record_shapes=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


__getattr__ = _names.getter("torch.autograd.profiler", globals())
