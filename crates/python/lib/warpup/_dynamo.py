"""torch._dynamo: nothing is compiled here, so its settings are stored and change nothing."""

from warpup import _names


class _Config:
    """Takes any setting."""

    suppress_errors = verbose = False
    cache_size_limit = recompile_limit = 8


config = _Config()


def reset():
    """Nothing was compiled, so nothing is forgotten."""


def disable(fn=None, recursive=True):
    return (lambda it: it) if fn is None else fn


__getattr__ = _names.getter("torch._dynamo", globals())
