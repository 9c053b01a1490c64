"""torch.fx: programs as graphs that a program can change. A trace runs them with proxies, which record what is done.

The import changes the functions of torch: each call looks for a proxy among its arguments.
"""

from warpup import _names, _standard

# The interpreter has them only with the library's `os`.
_standard.load("copy")
_standard.load("inspect")

from warpup.fx import _patches
from warpup.fx._symbolic_trace import Tracer, symbolic_trace, wrap
from warpup.fx.graph import Graph
from warpup.fx.graph_module import GraphModule
from warpup.fx.interpreter import Interpreter, Transformer
from warpup.fx.node import Node, map_arg
from warpup.fx.proxy import Proxy

_patches.record_torch()

__getattr__ = _names.getter(
    "torch.fx", globals(),
    {
        "warpup.fx.passes": "passes",
        "warpup.fx.subgraph_rewriter": "replace_pattern subgraph_rewriter",
    },
)
