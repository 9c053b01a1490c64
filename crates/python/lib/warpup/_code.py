"""lab.code: the program as Python reads it, without strings and comments."""

import ast
import functools

import _lab


class Code:
    """`calls`: the names of all calls, such as `torch.cuda.synchronize` or `loss.backward`, in the order of the text. `names`: all
    names and attributes that it uses."""

    def __init__(self, source):
        tree = ast.parse(source)
        nodes = list(ast.walk(tree))
        calls = [it for it in nodes if isinstance(it, ast.Call)]
        calls.sort(key=lambda it: (it.lineno, it.col_offset))
        self.calls = tuple(filter(None, (_dotted(it.func) for it in calls)))
        names = {it.id for it in nodes if isinstance(it, ast.Name)}
        attributes = {it.attr for it in nodes if isinstance(it, ast.Attribute)}
        self.names = names | attributes

    def calls_to(self, name):
        """How often the text calls this: by its whole name, or by the last part of it."""
        return sum(it == name or it.endswith("." + name) for it in self.calls)


@functools.cache
def of_the_program():
    return Code(_lab.source())


def _dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))
