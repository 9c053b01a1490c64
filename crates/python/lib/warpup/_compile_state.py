"""What `torch.compiler`, `torch._dynamo` and compiled functions share: the stance, the settings, the errors."""


class Stance:
    """Whether compiled functions run compiled, and how often everything that was compiled was forgotten."""

    name = "default"
    generation = 0


class _Config:
    """Takes any setting."""

    suppress_errors = verbose = False
    cache_size_limit = recompile_limit = 8


config = _Config()


class exc:
    """torch._dynamo.exc"""

    class TorchDynamoException(RuntimeError):
        """What the compiler raises."""

    class Unsupported(TorchDynamoException):
        """Code that cannot be one graph, with `fullgraph=True`."""


for _it in (exc.TorchDynamoException, exc.Unsupported):
    _it.__module__, _it.__qualname__ = "torch._dynamo.exc", _it.__name__
