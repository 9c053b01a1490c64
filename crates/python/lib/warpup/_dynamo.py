"""torch._dynamo: the settings of `torch.compile`, of which warpup knows the limit of compilations, and its errors."""

import _compile

from warpup import _names
from warpup._compile_state import config, exc
from warpup.compiler import allow_in_graph, assume_constant_result, compile, disable, is_compiling, list_backends, reset


def optimize(backend="inductor", *, nopython=False, dynamic=None, disable=False):
    """The older name of `torch.compile`, as a decorator."""
    return compile(backend=backend, fullgraph=nopython, dynamic=dynamic, disable=disable)


def graph_break(msg=""):
    """Ends the graph here: what follows is compiled on its own."""
    if _compile.is_active():
        _compile.pause("graph_break")
        _compile.resume()


def mark_dynamic(t, index=None, **options):
    """Does nothing: a size that changes is compiled for any size then."""


maybe_mark_dynamic = mark_static = mark_dynamic


def mark_static_address(t, guard=True):
    """Does nothing: the memory of inputs is never copied."""


__getattr__ = _names.getter("torch._dynamo", globals())
