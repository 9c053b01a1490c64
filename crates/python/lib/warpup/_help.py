"""`help`: for what the program defines, the text that Python gives; for all else, where its documentation is. Loaded on
first use.
"""

import inspect


def help(*request):
    """Prints a description, as Python's own `help`."""
    if not request:
        print("help() answers questions at a terminal; a run has none. Give it what you ask about: help(torch.relu)")
        return
    print(_described(request[0]))


def _described(thing):
    kind, name = _kind(thing), _of_torch(getattr(thing, "__name__", None))
    module = _of_torch(getattr(thing, "__module__", None))
    where = f" in module {module}" if module else ""
    if module != "__main__" or name is None:
        return f"Help on {kind} {name or ''}".rstrip() + f"{where}:\n\n{_elsewhere(module, name)}\n"
    doc = inspect.getdoc(thing)
    text = "" if not doc else "".join(f"    {line}\n" for line in doc.split("\n"))
    if isinstance(thing, type):
        bases = ", ".join(f"{it.__module__}.{it.__name__}" for it in thing.__bases__)
        text = "".join(f" |  {line}\n" for line in (doc or "").split("\n"))
        return f"Help on class {name}{where}:\n\nclass {name}({bases})\n{text}"
    owner = getattr(thing, "__self__", None)
    of = "" if owner is None else f" method of __main__.{type(owner).__name__} instance"
    return f"Help on {kind} {name}{where}:\n\n{name}{inspect.signature(thing)}{of}\n{text}"


def _kind(thing):
    if isinstance(thing, type):
        return "class"
    if inspect.ismethod(thing):
        return "method"
    if inspect.isfunction(thing):
        return "function"
    if inspect.ismodule(thing):
        return "module"
    return "built-in function" if callable(thing) else f"{type(thing).__name__} object"


def _of_torch(name):
    """The name that the program knows."""
    return "torch" + name.removeprefix("warpup") if name and name.partition(".")[0] == "warpup" else name


def _elsewhere(module, name):
    path = f"{module}.{name}" if module else name or ""
    if path.partition(".")[0] == "torch":
        return f"warpup has no documentation of it; PyTorch's is at https://docs.pytorch.org/docs/stable/search.html?q={path}"
    return "warpup has no documentation of it; Python's is at https://docs.python.org/3/"
