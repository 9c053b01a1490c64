"""torch.fx.Node: one operation of a graph, with the nodes that it reads and those that read it."""

import builtins
import types

import warpup

OPERATIONS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")


def map_aggregate(a, fn):
    """The structure with `fn` of each of its leaves."""
    if isinstance(a, tuple):
        made = tuple(map_aggregate(it, fn) for it in a)
        return type(a)(*made) if hasattr(a, "_fields") else made
    if isinstance(a, list):
        return [map_aggregate(it, fn) for it in a]
    if isinstance(a, dict):
        return {key: map_aggregate(it, fn) for key, it in a.items()}
    if isinstance(a, slice):
        return slice(*(map_aggregate(it, fn) for it in (a.start, a.stop, a.step)))
    return fn(a)


def map_arg(a, fn):
    """The structure with `fn` of each node in it."""
    return map_aggregate(a, lambda it: fn(it) if isinstance(it, Node) else it)




def qualified_name(function):
    """The name by which code can call it, such as `torch.nn.functional.relu`."""
    if getattr(function, "qualified_name", None) is not None:
        return function.qualified_name
    name = function.__name__
    if getattr(builtins, name, None) is function:
        return name
    module = function.__module__ or "builtins"
    return f"{'torch' + module.removeprefix('warpup') if module.startswith('warpup') else module}.{name}"


def _type_text(kind):
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return repr(kind)


def _text(value):
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_text(it)}' for key, it in value.items())}}}"
    return f"%{value}" if isinstance(value, Node) else str(value)


class Node:
    """An operation: `op` says of which kind, `target` what is called, `args` and `kwargs` with what."""

    __module__ = "torch.fx.node"

    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        if op not in OPERATIONS:
            raise AssertionError(f"op '{op}' is not in legal ops")
        if op == "call_function" and not callable(target):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type {_type_text(type(target))} but a Callable "
                "is expected"
            )
        if op != "call_function" and not isinstance(target, str):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type {_type_text(type(target))} but a str is "
                "expected"
            )
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        self.users = {}
        self._input_nodes = {}
        self.meta = {}
        self._erased = False
        self._prev = self._next = self
        self._set(args, kwargs)

    @property
    def args(self):
        return self._args

    @args.setter
    def args(self, value):
        self._set(value, self._kwargs)

    @property
    def kwargs(self):
        return self._kwargs

    @kwargs.setter
    def kwargs(self, value):
        self._set(self._args, value)

    def _set(self, args, kwargs):
        for it in self._input_nodes:
            it.users.pop(self, None)
        self._input_nodes = {}

        def used(node):
            self._input_nodes[node] = None
            node.users[self] = None
            return node

        self._args, self._kwargs = map_arg(tuple(args), used), map_arg(dict(kwargs), used)

    next = property(lambda self: self._next)
    prev = property(lambda self: self._prev)
    all_input_nodes = property(lambda self: list(self._input_nodes))
    stack_trace = property(lambda self: self.meta.get("stack_trace"))

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev

    def prepend(self, x):
        """Moves a node before this one."""
        if x.graph is not self.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._remove_from_list()
        before = self._prev
        before._next, x._prev, x._next, self._prev = x, before, self, x

    def append(self, x):
        """Moves a node behind this one."""
        self._next.prepend(x)

    def update_arg(self, idx, arg):
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx, arg):
        self.args = (*self.args[:idx], arg, *self.args[idx:])

    def update_kwarg(self, key, arg):
        self.kwargs = {**self.kwargs, key: arg}

    def replace_all_uses_with(self, replace_with, delete_user_cb=lambda user: True, *, propagate_meta=False):
        """Lets the nodes that read this one read another; gives them."""
        if propagate_meta:
            replace_with.meta.update(self.meta)
        changed = [it for it in self.users if delete_user_cb(it)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def replace_input_with(self, old_input, new_input):
        def other(node):
            return new_input if node is old_input else node

        self._set(map_arg(self.args, other), map_arg(self.kwargs, other))

    def is_impure(self, impure_random=True):
        """Whether it does more than give a result, so that it must stay without a reader."""
        if self.op in ("placeholder", "output"):
            return True
        name = getattr(self.target, "__name__", self.target)
        return self.op in ("call_function", "call_method") and name.endswith("_") and not name.endswith("__")

    def target_text(self):
        """How it is printed: the place of a function, or the name."""
        if isinstance(self.target, str):
            return self.target
        if getattr(self.target, "__module__", None) in ("_operator", "operator"):
            return f"operator.{self.target.__name__}"
        name = qualified_name(self.target)
        return f"builtins.{name}" if "." not in name else name

    def format_node(self, placeholder_names=None, maybe_return_typename=None, **options):
        kind = f"{_type_text(self.type)} " if self.type is not None else ""
        start = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}[target={self.target_text()}]"
        if self.op == "placeholder":
            return start + (f"(default={self.args[0]})" if self.args else "")
        if self.op == "get_attr":
            return start
        if self.op == "output":
            if kind and maybe_return_typename:
                maybe_return_typename[0] = f" -> {_type_text(self.type)}"
            return f"return {self.args[0]}"
        return f"{start}(args = {_text(self.args)}, kwargs = {_text(self.kwargs)})"

    def _rename(self, candidate):
        if candidate != self.name:
            self.name = self.graph._graph_namespace.create_name(candidate, None)

    def _at(self):
        return list(self.graph.nodes).index(self)

    def __lt__(self, other):
        return self._at() < other._at()

    def __gt__(self, other):
        return self._at() > other._at()

    def __le__(self, other):
        return not self > other

    def __ge__(self, other):
        return not self < other

    def __repr__(self):
        return self.name
