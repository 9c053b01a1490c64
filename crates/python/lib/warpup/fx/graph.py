"""torch.fx.Graph: the operations of a program in their order."""

import builtins
import keyword
import re

from warpup.fx import _code
from warpup.fx.node import Node, map_arg

# Names that code may mean something else by. A run has no `input` and `breakpoint`, and Python does.
_RESERVED = ("inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree", "input", "breakpoint")


class _Namespace:
    """Names that are taken."""

    def __init__(self):
        self._used_names = set()
        self._counts = {}

    def create_name(self, candidate, obj=None):
        candidate = re.sub("[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = "_" + candidate
        base, _, number = candidate.rpartition("_")
        if base and number.isdigit():
            number = int(number)
        else:
            base, number = candidate, 0
        number = number or self._counts.get(base, 0)
        while candidate in self._used_names or self._is_taken(candidate):
            number += 1
            candidate = f"{base}_{number}"
        self._used_names.add(candidate)
        self._counts[base] = number
        return candidate

    @staticmethod
    def _is_taken(name):
        return keyword.iskeyword(name) or hasattr(builtins, name) or name in _RESERVED


class _Nodes:
    """The nodes in their order. The list may change while a program goes through it."""

    def __init__(self, graph, forward=True):
        self._graph, self._forward = graph, forward

    def __len__(self):
        return self._graph._count

    def __iter__(self):
        root = self._graph._root
        node = root._next if self._forward else root._prev
        while node is not root:
            if not node._erased:
                yield node
            node = node._next if self._forward else node._prev

    def __reversed__(self):
        return iter(_Nodes(self._graph, not self._forward))


class _InsertPoint:
    """Where new nodes go in a `with` block."""

    def __init__(self, graph, insert):
        self._graph = graph
        self._before, graph._insert = graph._insert, insert

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        self._graph._insert = self._before


class Graph:
    """Placeholders, calls and an output, each a `Node`."""

    __module__ = "torch.fx.graph"

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._root = Node(self, "", "root", "", (), {})
        self._count = 0
        self._insert = self._root.prepend
        self._graph_namespace = _Namespace()
        self.owning_module = owning_module
        self._tracer_cls = tracer_cls

    @property
    def nodes(self):
        return _Nodes(self)

    def find_nodes(self, *, op, target=None, sort=True):
        return [it for it in self.nodes if it.op == op and target in (None, it.target)]

    def output_node(self):
        return next(it for it in reversed(self.nodes) if it.op == "output")

    @staticmethod
    def _hint(target):
        name = target if isinstance(target, str) else target.__name__
        if name.startswith("__") and name.endswith("__") and len(name) > 4:
            name = name[2:-2]
        return re.sub("(?<=[a-z])([A-Z])", r"_\1", name).lower()

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        args, kwargs = () if args is None else args, {} if kwargs is None else kwargs
        name = self._graph_namespace.create_name(self._hint(target) if name is None else name)
        node = Node(self, name, op, target, args, kwargs, type_expr)
        self._insert(node)
        self._count += 1
        return node

    def placeholder(self, name, type_expr=None, default_value=...):
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def output(self, result, type_expr=None):
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node, arg_transform=lambda it: it):
        """A node of another graph, with its arguments as `arg_transform` gives them."""
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        copied = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        copied.meta = dict(node.meta)
        return copied

    def graph_copy(self, g, val_map, return_output_node=False):
        """The nodes of another graph; what its output reads."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                found = map_arg(node.args[0], val_map.get)
                return (found, node) if return_output_node else found
            val_map[node] = self.node_copy(node, val_map.get)
        return None

    def erase_node(self, to_erase):
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: {to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            return
        to_erase._remove_from_list()
        to_erase._erased = True
        self._count -= 1
        to_erase._set((), {})

    def inserting_before(self, n=None):
        return _InsertPoint(self, (self._root._next if n is None else n).prepend)

    def inserting_after(self, n=None):
        return _InsertPoint(self, (self._root if n is None else n).append)

    def eliminate_dead_code(self, is_impure_node=None):
        """Erases nodes that nobody reads; whether there were any."""
        before = self._count
        for node in reversed(self.nodes):
            impure = node.is_impure() if is_impure_node is None else is_impure_node(node)
            if not impure and not node.users:
                self.erase_node(node)
        return self._count < before

    def lint(self):
        """Checks that nodes are read after they were made, and that modules and attributes exist."""
        made = set()
        for node in self.nodes:
            for it in node.all_input_nodes:
                if it.graph is not self:
                    raise RuntimeError(
                        f"Argument '{it}' of Node '{node}' does not belong to this Graph, but was used as an argument!"
                    )
                if it not in made:
                    raise RuntimeError(
                        f"Argument '{it}' of Node '{node}' was used before it has been defined! Please check that Nodes in the "
                        f"graph are topologically ordered\n{self}"
                    )
            made.add(node)
            if self.owning_module is not None and node.op in ("get_attr", "call_module"):
                place = self.owning_module
                for part in node.target.split("."):
                    if not hasattr(place, part):
                        raise RuntimeError(f"Node {node} target {node.target} references nonexistent attribute {part} of ")
                    place = getattr(place, part)

    def python_code(self, root_module, **options):
        return _code.python_code(list(self.nodes), root_module)

    def print_tabular(self):
        """Prints a table, as the package `tabulate` writes it."""
        heads = ["opcode", "name", "target", "args", "kwargs"]
        rows = [[str(it) for it in (node.op, node.name, node.target, node.args, node.kwargs)] for node in self.nodes]
        widths = [max(len(head) + 2, *(len(row[at]) for row in rows)) for at, head in enumerate(heads)]
        for row in (heads, ["-" * it for it in widths], *rows):
            print("  ".join(it.ljust(width) for it, width in zip(row, widths)).rstrip())

    def on_generate_code(self, make_transformer):
        raise NotImplementedError("on_generate_code is not part of warpup; PyTorch has it")

    def __deepcopy__(self, memo=None):
        copied = Graph(tracer_cls=self._tracer_cls)
        copied.graph_copy(self, values := {})
        output = self.find_nodes(op="output")
        if output:
            copied.output(map_arg(output[0].args[0], values.get), output[0].type)
        return copied

    def __str__(self):
        returns = [""]
        lines = [it.format_node(None, returns) for it in self.nodes]
        return f"graph(){returns[0]}:" + "".join(f"\n    {it}" for it in lines)
