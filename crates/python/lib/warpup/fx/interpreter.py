"""torch.fx.Interpreter and Transformer: go through a graph, node by node."""

from warpup.fx._symbolic_trace import Tracer
from warpup.fx.graph import Graph
from warpup.fx.graph_module import GraphModule
from warpup.fx.node import map_arg
from warpup.fx.proxy import Proxy


class Interpreter:
    """Runs a graph. A subclass changes what a kind of node does."""

    __module__ = "torch.fx.interpreter"

    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module
        self.graph = module.graph if graph is None else graph
        self.submodules = dict(module.named_modules())
        self.garbage_collect_values = garbage_collect_values
        self.env = {}
        self.name = "Interpreter"
        self.extra_traceback = True

    def run(self, *args, initial_env=None, enable_io_processing=True):
        self.env = {} if initial_env is None else initial_env
        self.args_iter = iter(args)
        last_use = {}
        for node in self.graph.nodes:
            for it in node.all_input_nodes:
                last_use[it] = node
        for node in self.graph.nodes:
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as error:
                if self.extra_traceback:
                    said = f"While executing {node.format_node()}"
                    error.args = (f"{error.args[0]}\n\n{said}" if error.args else said, *error.args[1:])
                raise
            if node.op == "output":
                return self.env[node]
            if self.garbage_collect_values:
                for it in node.all_input_nodes:
                    if last_use[it] is node:
                        del self.env[it]
        return None

    def run_node(self, n):
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target, args, kwargs):
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError(f"Expected positional argument for parameter {target}, but one was not passed in!") from None

    def get_attr(self, target, args, kwargs):
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        self_obj, *rest = args
        return getattr(self_obj, target)(*rest, **kwargs)

    def call_module(self, target, args, kwargs):
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        return args[0]

    def fetch_attr(self, target):
        place, parts = self.module, target.split(".")
        for at, part in enumerate(parts):
            if not hasattr(place, part):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(parts[:at + 1])}")
            place = getattr(place, part)
        return place

    def fetch_args_kwargs_from_env(self, n):
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args, n):
        def value(node):
            if node not in self.env:
                raise RuntimeError(
                    f"Node {n} referenced nonexistent value {node}! Run Graph.lint() to diagnose such issues"
                )
            return self.env[node]

        return map_arg(args, value)


class _TransformerTracer(Tracer):
    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.tensor_attrs = {}

    def is_leaf_module(self, m, module_qualified_name):
        return True


class Transformer(Interpreter):
    """Makes a new graph of an old one: what its methods do with proxies is recorded."""

    __module__ = "torch.fx.interpreter"

    def __init__(self, module):
        super().__init__(module)
        self.new_graph = Graph()
        self.tracer = _TransformerTracer(self.new_graph)
        self.tracer.root = module

    def placeholder(self, target, args, kwargs):
        default = args[0] if args else ...
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target, args, kwargs):
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self):
        result = super().run()
        if result is not None:
            self.new_graph.output(_with_nodes(result))
        return GraphModule(self.module, self.new_graph)


def _with_nodes(value):
    """The structure with the nodes of its proxies."""
    if isinstance(value, Proxy):
        return value.node
    if isinstance(value, (tuple, list)):
        return type(value)(_with_nodes(it) for it in value)
    if isinstance(value, dict):
        return {key: _with_nodes(it) for key, it in value.items()}
    return value
