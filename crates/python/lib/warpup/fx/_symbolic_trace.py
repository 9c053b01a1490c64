"""torch.fx.symbolic_trace: runs a program with proxies, and keeps what it does as a graph."""

import inspect

import warpup
from warpup.fx import _patches
from warpup.fx.graph import Graph
from warpup.fx.graph_module import GraphModule
from warpup.fx.proxy import TracerBase
from warpup.nn import Module, Parameter, Sequential

_wrapped = []


def wrap(fn_or_name):
    """Lets a function of the program be one node: by name, or as a decorator."""
    import sys

    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    if not isinstance(fn_or_name, str) and not callable(fn_or_name):
        raise RuntimeError(
            "Unsupported type for global function! Must be either a callable or string name"
        )
    _wrapped.append((sys._getframe(1).f_globals, name))
    return fn_or_name


def _assert_is_none(value, msg):
    assert value is None, msg


class Tracer(TracerBase):
    """Traces a module or a function. A subclass says which modules are one node each."""

    __module__ = "torch.fx._symbolic_trace"

    def __init__(self, autowrap_modules=(), autowrap_functions=(), param_shapes_constant=False):
        self._functions = autowrap_functions
        self._modules = autowrap_modules
        self.module_stack = {}

    def is_leaf_module(self, m, module_qualified_name):
        """A layer of PyTorch's is one node; what the program defines is looked into."""
        place = m.__module__
        return place.startswith(("torch.nn", "torch.ao.nn")) and not isinstance(m, Sequential)

    def path_of_module(self, mod):
        for path, it in self.root.named_modules():
            if it is mod:
                return path
        raise NameError("module is not installed as a submodule")

    def call_module(self, m, forward, args, kwargs):
        path = self.path_of_module(m)
        if self.is_leaf_module(m, path):
            return self.create_proxy("call_module", path, args, kwargs)
        return forward(*args, **kwargs)

    def create_arg(self, a):
        if isinstance(a, Parameter):
            for path, it in self.root.named_parameters():
                if it is a:
                    return self.create_node("get_attr", path, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, warpup.Tensor):
            return self.create_node("get_attr", self._path_of_tensor(a), (), {})
        if isinstance(a, Module):
            return self.create_node("get_attr", self.path_of_module(a), (), {})
        return super().create_arg(a)

    def _path_of_tensor(self, tensor):
        """The attribute of the root that is this tensor; a new one where there is none."""
        for path, module in self.root.named_modules():
            for name, it in vars(module).items():
                if it is tensor:
                    return f"{path}.{name}".lstrip(".")
        number = 0
        while hasattr(self.root, f"_tensor_constant{number}"):
            number += 1
        setattr(self.root, f"_tensor_constant{number}", tensor)
        return f"_tensor_constant{number}"

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        """The function, and a proxy for each of its arguments."""
        signature = inspect.signature(root_fn)
        args, kwargs = [self.root] if is_module else [], {}
        for at, (name, it) in enumerate(signature.parameters.items()):
            if is_module and at == 0:
                continue
            if concrete_args is not None and name in concrete_args:
                given = concrete_args[name]
                self._specialize(name, given, () if it.default is it.empty else (it.default,))
            else:
                star = {it.VAR_POSITIONAL: "*", it.VAR_KEYWORD: "**"}.get(it.kind, "")
                default = () if it.default is it.empty else (it.default,)
                kind = None if it.annotation is it.empty or isinstance(it.annotation, str) else it.annotation
                given = self.create_proxy("placeholder", star + name, default, {}, type_expr=kind)
            if it.kind is it.KEYWORD_ONLY:
                kwargs[name] = given
            elif it.kind is not it.VAR_KEYWORD:
                args.append(given)
        return args, kwargs

    def _specialize(self, name, value, default):
        """An argument that has a value already: the graph checks that it gets no other."""
        given = self.create_proxy("placeholder", f"{name}_1", default, {})
        said = f"{name} has been specialized to have value {value} but got another value"
        if value is None:
            self.create_proxy("call_function", _assert_is_none, (given, said), {})
        elif isinstance(value, (bool, int, float, str)):
            _patches.ASSERT(given == value, said)

    def trace(self, root, concrete_args=None):
        """The graph of a module or a function."""
        is_module = isinstance(root, Module)
        if is_module:
            function, self.root = type(root).forward, root
        else:
            function, self.root = root, Module()
        self.graph = Graph(tracer_cls=type(self))
        args, kwargs = self.create_args_for_root(function, is_module, concrete_args)
        if "forward" in vars(root) and is_module:
            function, args = root.forward, args[1:]
        called = Module.__call__

        def call(module, *args, **kwargs):
            if _patches.find_proxy((args, kwargs)) is None:
                return called(module, *args, **kwargs)
            return self.call_module(module, lambda *args, **kwargs: called(module, *args, **kwargs), args, kwargs)

        with _patches.Patches() as patches:
            patches.put_attribute(Module, "__call__", call)
            # What the program wraps is one node.
            wrapped = [(_patches.globals_of(function), it.__name__) for it in self._functions]
            for module in self._modules:
                wrapped += [(vars(module), name) for name in dir(module) if callable(getattr(module, name))]
            for known, name in (*_wrapped, *wrapped):
                patches.wrap(known, name)
            result = function(*args, **kwargs)
        kind = inspect.signature(function).return_annotation
        kind = None if kind is inspect.Signature.empty or isinstance(kind, str) else kind
        self.create_node("output", "output", (self.create_arg(result),), {}, type_expr=kind)
        return self.graph


def symbolic_trace(root, concrete_args=None):
    """The module or function as a `GraphModule`."""
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)

