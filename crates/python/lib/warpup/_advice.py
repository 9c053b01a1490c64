"""Messages for names that do not exist, with the nearest name that does.

`difflib` would import `re`, which takes 12 ms; the interpreter's own suggestions miss swapped letters in short names.
"""


def public(known, later={}):
    """The public names of a module."""
    own = [name for name in known if not name.startswith("_") and name not in ("builtins", "sys")]
    return sorted({*own, *" ".join(later.values()).split()})


def _listed():
    """PyTorch's public names, by where they are."""
    from warpup._torch_names import NAMES

    return NAMES


def advice(where, name, known):
    """What to say of a missing name. Only where PyTorch's names are listed is it known that PyTorch lacks one."""
    listed = _listed().get(where)
    # A name that PyTorch has is not a typo, so there is no near one to suggest.
    if listed is not None and name in listed.split():
        return f"it is not part of warpup; PyTorch has it as {where}.{name}"
    near = nearest(name, known)
    if near:
        return f"did you mean `{near}`?"
    if name.startswith("_"):
        return "warpup has public names of PyTorch, and this one is private"
    return "it is not part of warpup" if listed is None else "neither warpup nor PyTorch has it"


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
