"""What `torch.compiler`, `torch._dynamo` and compiled functions share: the stance, the settings, the errors."""

import sys


class Stance:
    """Whether compiled functions run compiled, and how often everything that was compiled was forgotten."""

    name = "default"
    generation = 0


class Settings(type(sys)):
    """Takes any setting; a module, so that programs can import it."""

    def patch(self, *changes, **named):
        """Settings for a block or a function."""
        return _Patch(self, {**dict([changes] if len(changes) == 2 else changes[0] if changes else ()), **named})


class _Patch:
    def __init__(self, settings, changes):
        self._settings, self._changes = settings, changes

    def __enter__(self):
        own = vars(self._settings)
        self._before = {name: own[name] for name in self._changes if name in own}
        own.update(self._changes)

    def __exit__(self, kind, value, traceback):
        for name in self._changes:
            del vars(self._settings)[name]
        vars(self._settings).update(self._before)

    def __call__(self, function):
        def patched(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return patched


config = Settings("torch._dynamo.config")
config.suppress_errors = config.verbose = False
config.cache_size_limit = config.recompile_limit = 8


class exc:
    """torch._dynamo.exc"""

    class TorchDynamoException(RuntimeError):
        """What the compiler raises."""

    class Unsupported(TorchDynamoException):
        """Code that cannot be one graph, with `fullgraph=True`."""


for _it in (exc.TorchDynamoException, exc.Unsupported):
    _it.__module__, _it.__qualname__ = "torch._dynamo.exc", _it.__name__
