"""torch.jit: nothing is compiled here, so a script or a trace is the module or the function itself."""

import builtins

from warpup import _names
from warpup.nn import Module as ScriptModule  # noqa: F401


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    return obj


def trace(func, example_inputs=None, *args, example_kwarg_inputs=None, **options):
    """Runs it once with the examples, as PyTorch does, so that wrong ones are an error here, too."""
    given = example_inputs if builtins.isinstance(example_inputs, tuple) else () if example_inputs is None else (example_inputs,)
    func(*given, **(example_kwarg_inputs or {}))
    return func


def _as_it_is(obj=None, **options):
    return obj if obj is not None else _as_it_is


export = ignore = unused = script_method = interface = script_if_tracing = _as_it_is


def is_scripting():
    return False


is_tracing = is_scripting


def annotate(the_type, the_value):
    return the_value


def isinstance_(obj, target_type):
    return builtins.isinstance(obj, target_type)


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    if mod.training:
        raise RuntimeError(
            "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing."
        )
    return mod


def optimize_for_inference(mod, other_methods=None):
    return mod


def fork(func, *args, **kwargs):
    from warpup import _futures

    made = _futures.Future()
    made.set_result(func(*args, **kwargs))
    return made


def wait(future):
    return future.result()


def save(m, f, _extra_files=None):
    from warpup import serialization

    serialization.save(m, f)


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    from warpup import serialization

    return serialization.load(f, map_location=map_location, weights_only=False)


from typing import Final  # noqa: E402, F401
__getattr__ = _names.getter("torch.jit", globals(), {})
globals()["isinstance"] = isinstance_
