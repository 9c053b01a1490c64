"""Messages for names that do not exist, with the nearest name that does; and names that are loaded on first use.

`difflib` would import `re`, which takes 12 ms; the interpreter's own suggestions miss swapped letters in short names.
"""

import sys


def getter(where, known, later={}):
    """The `__getattr__` of a module. `later` has the places of names that are loaded on first use: modules, or names
    of one."""

    def __getattr__(name):
        for place, names in later.items():
            if name in names.split():
                __import__(place)
                module = sys.modules[place]
                known[name] = module if place.rpartition(".")[2] == name else getattr(module, name)
                return known[name]
        text = f"module '{where}' has no attribute '{name}'"
        if not name.startswith("__"):
            text += ": " + _advice(where, name, public(known, later))
        raise AttributeError(text)

    return __getattr__


def public(known, later={}):
    """The public names of a module."""
    own = [name for name in known if not name.startswith("_") and name not in ("builtins", "sys")]
    return sorted({*own, *" ".join(later.values()).split()})


def hint_of_tensor(name):
    """A hint for an attribute that tensors do not have. The message of the error itself is PyTorch's."""
    from warpup import Tensor

    return _advice("torch.Tensor", name, (it for it in dir(Tensor) if not it.startswith("_")))


def missing_of_lab(name, known):
    """The AttributeError for a name of `lab`, which PyTorch does not have."""
    near = nearest(name, known)
    meant = f": did you mean `{near}`?" if near else ""
    return AttributeError(f"lab has no attribute '{name}'{meant or ': it has ' + ', '.join(sorted(known))}")


def _advice(where, name, known):
    from warpup._torch_names import NAMES

    near = nearest(name, known)
    meant = f"did you mean `{near}`?" if near else ""
    if name in NAMES[where].split():
        advice = f"it is not part of warpup; PyTorch has it as {where}.{name}"
        return f"{advice}. In warpup, {meant}" if meant else advice
    return meant or "neither warpup nor PyTorch has it"


def nearest(written, known):
    """The nearest known name, if at most a third of its letters differ."""
    if len(written) > 64:
        return None
    small = written.lower()
    allowed = max(len(small) // 3, 1)
    found = None
    for it in known:
        if abs(len(it) - len(small)) > allowed:
            continue
        far = _distance(small, it.lower())
        if far <= allowed and (found is None or (far, it) < found):
            found = (far, it)
    return found and found[1]


def _distance(a, b):
    """The optimal string alignment distance: letters added, removed, changed, or swapped with their neighbour."""
    older, above = [], list(range(len(b) + 1))
    for row, letter in enumerate(a, 1):
        here = [row]
        for column, other in enumerate(b, 1):
            best = min(above[column - 1] + (letter != other), above[column] + 1, here[column - 1] + 1)
            if row > 1 and column > 1 and letter == b[column - 2] and a[row - 2] == other:
                best = min(best, older[column - 2] + 1)
            here.append(best)
        older, above = above, here
    return above[-1]
