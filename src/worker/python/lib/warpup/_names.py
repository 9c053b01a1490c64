"""What is said of a name that is not there, and names that are loaded when they are asked for."""

import sys


def later(name, places, known):
    """A name that another file of ours has, or that is such a file; None if there is none."""
    place = places.get(name)
    if place is None:
        return None
    __import__(place)
    module = sys.modules[place]
    found = module if place.rpartition(".")[2] == name else getattr(module, name)
    known[name] = found
    return found


def public(known, later=()):
    """The names that a program is meant to see."""
    own = [name for name in known if not name.startswith("_") and name not in ("builtins", "sys")]
    return sorted({*own, *later})


def missing(where, name, known, later=()):
    """The AttributeError for a name of a module."""
    said = f"module '{where}' has no attribute '{name}'"
    if not name.startswith("__"):
        said += ": " + _told(where, name, public(known, later))
    return AttributeError(said)


def hint_of_tensor(name):
    """What to try instead of an attribute that tensors do not have. The error itself is in PyTorch's words."""
    from warpup import Tensor

    return _told("torch.Tensor", name, (it for it in dir(Tensor) if not it.startswith("_")))


def missing_of_lab(name, known):
    """The AttributeError for a name of `lab`, which PyTorch knows nothing of."""
    near = nearest(name, known)
    meant = f": did you mean `{near}`?" if near else ""
    return AttributeError(f"lab has no attribute '{name}'{meant or ': it has ' + ', '.join(sorted(known))}")


def _told(where, name, known):
    from warpup._torch_names import NAMES

    near = nearest(name, known)
    meant = f"did you mean `{near}`?" if near else ""
    if name in NAMES[where].split():
        told = f"it is not part of warpup; PyTorch has it as {where}.{name}"
        return f"{told}. In warpup, {meant}" if meant else told
    return meant or "neither warpup nor PyTorch has it"


def nearest(written, known):
    """The known name that is nearest, if a third of it or less differs."""
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
    """How many letters have to be added, removed, changed or swapped with their neighbour."""
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
