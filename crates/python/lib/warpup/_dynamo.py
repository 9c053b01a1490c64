"""torch._dynamo: the settings of `torch.compile`, of which warpup knows the limit of compilations, and its errors."""

from warpup import _names
from warpup._compile_state import config, exc
from warpup.compiler import disable, reset


def mark_dynamic(t, index, **options):
    """Does nothing: a size that changes is compiled for any size then."""


__getattr__ = _names.getter("torch._dynamo", globals())
