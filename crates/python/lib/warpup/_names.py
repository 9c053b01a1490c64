"""Names that do not exist, and names that are loaded on first use: attributes and imports."""

import _imp
import sys

from warpup._advice import advice, nearest, public


def getter(where, known, later={}):
    """The `__getattr__` of a module. `later` has the places of names that are loaded on first use: modules, or names
    of one."""

    def __getattr__(name):
        for place, names in later.items():
            if name in names.split():
                __import__(place)
                module = sys.modules[place]
                _settle(module)
                known[name] = module if place.rpartition(".")[2] == name else getattr(module, name)
                return known[name]
        found = _file(where, name)
        if found is not None:
            known[name] = found
            return found
        text = f"module '{where}' has no attribute '{name}'"
        # `from warpup import _file` asks here before it imports the file: advice would take the line that asks milliseconds.
        is_file = where == "torch" and _imp.is_frozen("warpup." + name)
        if not name.startswith("__") and not is_file:
            text += ": " + advice(where, name, public(known, later))
        raise AttributeError(text)

    return __getattr__


def _settle(module):
    """Its classes print as those of PyTorch, once."""
    if module not in _settled:
        from warpup import _homes

        _settled.add(module)
        _homes.settle(module)


_settled = set()


def _file(where, name):
    """A file of PyTorch, such as `torch.optim.adam`, that is a part of a module here."""
    if where == "torch" or name.startswith("__"):
        return None
    from warpup import _homes

    path = where.split(".")[1:]
    around = sys.modules.get(".".join(["warpup", *path]))
    return _homes.file(where, name, around)


def imported(path, names):
    """What `import torch.PATH` or `from torch.PATH import NAMES` gives. Submodules are found as attributes, because
    some of them are classes here, and some are loaded on first use."""
    import warpup

    if path == "_utils":
        path = "utils"
    place, where = warpup, "torch"
    for part in path.split(".") if path else ():
        found = getattr(place, part, None)
        if not isinstance(found, (type(sys), type)):
            error = f"No module named 'torch.{path}'{_because(place, part)}"
            raise ModuleNotFoundError(error, name="torch." + path)
        place, where = found, f"{where}.{part}"
    for name in names or ():
        if name != "*" and not hasattr(place, name):
            raise ImportError(f"cannot import name '{name}' from '{where}'{_because(place, name)}", name=where)
    return place if names else warpup


def _because(place, name):
    """The advice for a missing name, after a colon."""
    try:
        getattr(place, name)
    except AttributeError as error:
        _, found, advice = str(error).partition("': ")
        return ": " + advice if found else ""
    return ""


def missing_module(name, allowed):
    """The error for a module that is neither `torch` nor one of Python's that programs may import."""
    top = name.partition(".")[0]
    if top in _INSTEAD:
        why = f"it is a package of its own, and warpup does not include it. {_INSTEAD[top]}"
    elif top in sys.stdlib_module_names:
        why = "programs here can import only Python modules that need no files, network, processes or threads"
    else:
        near = nearest(top, allowed)
        if near:
            return ModuleNotFoundError(f"No module named '{name}' in warpup: did you mean `{near}`?", name=name)
        why = "it is neither PyTorch's nor Python's, and warpup has no other packages"
    return ModuleNotFoundError(f"No module named '{name}' in warpup: {why}", name=name)


# What to do without packages that training scripts often import.
_INSTEAD = {
    "torchaudio": "Make batches of the same shape with torch.rand",
    "torchtext": "Make batches of token numbers with torch.randint",
    "transformers": "Write the layers with torch.nn, and make batches of token numbers with torch.randint",
    "datasets": "Make batches of token numbers with torch.randint",
    "tiktoken": "Make batches of token numbers with torch.randint",
    "tensorboard": "Print the numbers, or plot them with lab.plot(x, series), which needs no import",
    "wandb": "Print the numbers, or plot them with lab.plot(x, series), which needs no import",
    "pandas": "Make the columns as tensors",
    "scipy": "Write the function with torch or math",
    "sklearn": "Make the data with torch.randn, and split it with torch.utils.data.random_split",
    "PIL": "Make an image with torch.rand",
    "cv2": "Make an image with torch.rand",
    "einops": "Use reshape, permute or torch.einsum",
}


def hint_of_tensor(name):
    """A hint for an attribute that tensors do not have. The message of the error itself is PyTorch's."""
    from warpup import Tensor

    return advice("torch.Tensor", name, (it for it in dir(Tensor) if not it.startswith("_")))


def missing_of_lab(name, known, of="lab"):
    """The AttributeError for a name of `lab`, which PyTorch does not have."""
    near = nearest(name, known)
    meant = f": did you mean `{near}`?" if near else ""
    return AttributeError(f"{of} has no attribute '{name}'{meant or ': it has ' + ', '.join(sorted(known))}")
