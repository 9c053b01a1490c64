"""torch.fx.Proxy: what a program computes with while it is traced. Each operation on one becomes a node."""

import operator

import warpup
from warpup.fx.node import Node

_ONE = ("pos", "neg", "invert")
_TWO = (
    "eq", "ne", "lt", "gt", "le", "ge", "add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "lshift", "rshift", "and_",
    "or_", "xor", "getitem", "matmul",
)
_REFLECTED = (
    "add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor", "matmul",
)


class TraceError(ValueError):
    __module__ = "torch.fx.proxy"


class Proxy:
    """A value that is not known yet."""

    __module__ = "torch.fx.proxy"

    def __init__(self, node, tracer=None):
        self.node, self.tracer = node, GraphAppendingTracer(node.graph) if tracer is None else tracer

    def __repr__(self):
        return f"Proxy({self.node.name})"

    def __getattr__(self, k):
        if k in ("node", "tracer") or k.startswith("__") and k.endswith("__"):
            raise AttributeError(k)
        return Attribute(self, k)

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self):
        return self.tracer.iter(self)

    def __bool__(self):
        return self.tracer.to_bool(self)

    def __len__(self):
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call "
            "torch.fx.wrap('len') at module scope"
        )

    def __contains__(self, item):
        raise RuntimeError(
            "'in' (the __contains__ dunder) is not supported in symbolic tracing. Proxy objects cannot be used as the "
            "right-hand operand of 'in'"
        )

    def __setitem__(self, key, value):
        self.tracer.create_proxy("call_function", operator.setitem, (self, key, value), {})

    def keys(self):
        return self.tracer.keys(self)

    __hash__ = object.__hash__


class Attribute(Proxy):
    """An attribute of a value: a node of its own unless it is called."""

    def __init__(self, root, attr):
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)

    def __repr__(self):
        # The interpreter asks for it at a call with `*args`, which must make no node.
        return f"Proxy({self.root.node.name}.{self.attr})" if self._node is None else super().__repr__()


def _operation(name):
    target = getattr(operator, name)

    def traced(*args):
        return args[0].tracer.create_proxy("call_function", target, args, {})

    traced.__name__ = f"__{name.strip('_')}__"
    return traced


def _reflected(name):
    target = getattr(operator, name)

    def traced(self, other):
        # PyTorch traces the method of a tensor on the left.
        if isinstance(other, warpup.Tensor) and name in ("add", "sub", "mul", "matmul"):
            return self.tracer.create_proxy("call_method", name, (other, self), {})
        return self.tracer.create_proxy("call_function", target, (other, self), {})

    traced.__name__ = f"__r{name.strip('_')}__"
    return traced


for _name in (*_ONE, *_TWO):
    setattr(Proxy, f"__{_name.strip('_')}__", _operation(_name))
for _name in _REFLECTED:
    setattr(Proxy, f"__r{_name.strip('_')}__", _reflected(_name))
del _name


class TracerBase:
    """Makes nodes and proxies."""

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node):
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        args, kwargs = self.create_arg(args), self.create_arg(kwargs)
        node = self.create_node(kind, target, args, kwargs, name, type_expr)
        return self.proxy(node) if proxy_factory_fn is None else proxy_factory_fn(node)

    def create_arg(self, a):
        """The argument as a node can keep it."""
        if isinstance(a, Proxy):
            return a.node
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            return type(a)(*(self.create_arg(it) for it in a))
        if isinstance(a, (tuple, list)):
            return type(a)(self.create_arg(it) for it in a)
        if isinstance(a, dict):
            return {key: self.create_arg(it) for key, it in a.items()}
        if isinstance(a, (slice, range)):
            return type(a)(*(self.create_arg(it) for it in (a.start, a.stop, a.step)))
        known = (str, int, float, bool, complex, Node, warpup.dtype, warpup.device, warpup.Tensor, type, type(None), type(...))
        if isinstance(a, known) or callable(a):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj):
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj):
        count = _unpacked()
        if count is not None:
            return (obj[at] for at in range(count))
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
            "**kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of "
            "control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors"
        )

    def keys(self, obj):
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    """Adds what a proxy does to a graph that exists."""

    def __init__(self, graph):
        self.graph = graph


def _unpacked():
    """How many names the line of the program that iterates unpacks into, if it does: `a, b = x`."""
    import sys

    from warpup.fx import _sources

    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("warpup."):
        frame = frame.f_back
    return None if frame is None else _sources.unpacked(frame.f_code.co_filename, frame.f_lineno)
