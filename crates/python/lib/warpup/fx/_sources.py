"""What a line of the program assigns to: the interpreter does not tell the caller of `__iter__`."""

import _host

_counts = {}


def _read(path):
    for name, source in _host.modules():
        if path.endswith(name):
            return source
    return _host.source()


def _parsed(path):
    """The number of names by line, for each assignment to several."""
    # A program that is traced unpacks; few others need `ast`.
    import ast

    found = {}
    for node in ast.walk(ast.parse(_read(path))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            names = node.targets[0].elts
            if not any(isinstance(it, ast.Starred) for it in names):
                for line in range(node.lineno, node.end_lineno + 1):
                    found[line] = len(names)
    return found


def unpacked(path, line):
    if path not in _counts:
        _counts[path] = _parsed(path)
    return _counts[path].get(line)
