"""The Python code of a graph, as `GraphModule.code` shows it and runs it."""

import enum
import types

import warpup
from warpup.fx.node import Node, qualified_name

OPERATORS = {
    "eq": "{} == {}", "ne": "{} != {}", "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}", "ge": "{} >= {}", "pos": "+{}",
    "neg": "-{}", "invert": "~{}", "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "floordiv": "{} // {}",
    "truediv": "{} / {}", "mod": "{} % {}", "pow": "{} ** {}", "lshift": "{} << {}", "rshift": "{} >> {}", "and_": "{} & {}",
    "or_": "{} | {}", "xor": "{} ^ {}", "getitem": "{}[{}]", "matmul": "{} @ {}",
}
_IN_PLACE = {
    "iadd": "+", "iand": "&", "ifloordiv": "//", "ilshift": "<<", "imod": "%", "imul": "*", "imatmul": "@", "ior": "|",
    "ipow": "**", "irshift": ">>", "isub": "-", "itruediv": "/", "ixor": "^",
}


class PythonCode:
    """The text, and the names that it needs."""

    def __init__(self, src, names):
        self.src, self.globals = src, names


class _Writer:
    """Writes the nodes of a graph one after another."""

    def __init__(self, nodes, root_module):
        self.root_module = root_module
        self.names = {
            "inf": float("inf"), "nan": float("nan"), "NoneType": type(None), "torch": warpup, "device": warpup.device,
        }
        self.taken = {it.name for it in nodes}
        self.parameters, self.body, self.returns = [], [], ""
        self.wrapped = {}
        last_use, self.freed = {}, {}
        for node in reversed(nodes):
            for it in node._input_nodes:
                if it not in last_use:
                    last_use[it] = node
                    self.freed.setdefault(node, []).append(it)

    def name(self, hint, value):
        """The name of something that the code needs from outside."""
        place = hint.partition(".")[0]
        if place == "torch" and hint != "torch":
            return hint
        name = "".join(it if it.isalnum() or it == "_" else "_" for it in hint)
        while name in self.taken or name in self.names and self.names[name] is not value:
            name += "_1"
        self.names[name] = value
        return name

    def text(self, value):
        if isinstance(value, Node):
            return value.name
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{self.name(type(value).__name__, type(value))}({', '.join(map(self.text, value))})"
        if isinstance(value, tuple):
            return f"({', '.join(map(self.text, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, list):
            return f"[{', '.join(map(self.text, value))}]"
        if isinstance(value, dict):
            return f"{{{', '.join(f'{key!r}: {self.text(it)}' for key, it in value.items())}}}"
        if isinstance(value, slice):
            return f"slice({', '.join(self.text(it) for it in (value.start, value.stop, value.step))})"
        if isinstance(value, enum.Enum):
            return f"{self.name(type(value).__name__, type(value))}.{value.name}"
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type)) or hasattr(value, "qualified_name"):
            return self.name(qualified_name(value), value)
        return repr(value)

    def arguments(self, args, kwargs):
        return ", ".join([*map(self.text, args), *(f"{key} = {self.text(it)}" for key, it in kwargs.items())])

    def place(self, base, target):
        """`base.layer.weight`, with `getattr` for what is no name, as the numbers in a Sequential."""
        for part in target.split("."):
            base = f"{base}.{part}" if part.isidentifier() else f'getattr({base}, "{part}")'
        return base

    def type(self, kind):
        if kind is None:
            return ""
        known = isinstance(kind, type) and not isinstance(kind, types.GenericAlias)
        text = kind.__qualname__ if known and kind.__module__ == "builtins" else repr(kind)
        if known and kind.__module__ != "builtins":
            text = self.name(f"{kind.__module__}.{kind.__qualname__}", kind)
        elif not known:
            text = self.name(str(kind), kind)
        return f" : {text}"

    def placeholder(self, node):
        default = f" = {self.text(node.args[0])}" if node.args else ""
        self.parameters.append(f"{node.target}{self.type(node.type)}{default}")
        plain = node.target.replace("*", "")
        if plain != node.name:
            self.body.append(f"{node.name} = {plain}\n")

    def call(self, node):
        """The right side of its line."""
        args, kwargs = node.args, node.kwargs
        if node.op == "call_method":
            return f"{self.place(self.text(args[0]), node.target)}({self.arguments(args[1:], kwargs)})"
        if node.op == "call_module":
            return f"{self.place(self.root_module, node.target)}({self.arguments(args, kwargs)})"
        if node.op == "get_attr":
            return self.place(self.root_module, node.target)
        function = node.target
        if getattr(function, "__module__", "") in ("_operator", "operator") and function.__name__ in OPERATORS:
            return OPERATORS[function.__name__].format(*map(self.text, args))
        if function is getattr and len(args) == 2 and isinstance(args[1], str) and args[1].isidentifier():
            return f"{self.text(args[0])}.{args[1]}"
        name = self.name(qualified_name(function), function)
        if node.meta.get("is_wrapped"):
            self.wrapped[name] = None
        return f"{name}({self.arguments(args, kwargs)})"

    def line(self, node):
        if node.op == "placeholder":
            self.placeholder(node)
            return
        if node.op == "output":
            self.returns = f" -> {self.type(node.type)[3:]}" if node.type is not None else ""
            self.body.append(f"return {self.text(node.args[0])}\n")
            return
        function = node.target
        name = getattr(function, "__name__", "")
        if node.op == "call_function" and getattr(function, "__module__", "") in ("_operator", "operator") and name in _IN_PLACE:
            first, second = map(self.text, node.args)
            code = f"{first} {_IN_PLACE[name]}= {second};  {node.name} = {first}"
        else:
            code = f"{node.name}{self.type(node.type)} = {self.call(node)}"
        freed = [*self.freed.get(node, ()), *(() if node.users else (node,))]
        ends = f";  {' = '.join([*(it.name for it in freed), 'None'])}" if freed else ""
        self.body.append(f"{code}{ends}\n")


def python_code(nodes, root_module):
    """The code of `forward`."""
    writer = _Writer(nodes, root_module)
    for node in nodes:
        writer.line(node)
    body = "".join(writer.body) or "pass\n"
    parameters = ", ".join([root_module, *writer.parameters])
    lines = "\n".join("    " + line for line in body.split("\n"))
    wrapped = "\n".join(f'torch.fx._symbolic_trace.wrap("{it}")' for it in writer.wrapped)
    return PythonCode(f"\n{wrapped}\n\ndef forward({parameters}){writer.returns}:\n{lines}", writer.names)
