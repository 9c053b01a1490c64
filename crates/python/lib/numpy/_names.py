"""Messages for names of NumPy that do not exist here, with the nearest name that does."""

from warpup import _names


def missing(where, name, known, later={}):
    """The AttributeError for a name of a module."""
    text = f"module '{where}' has no attribute '{name}'"
    if not name.startswith("__"):
        text += ": " + _advice(where, name, _names.public(known, later))
    return AttributeError(text)


def hint_of_array(name):
    """A hint for an attribute that arrays do not have."""
    from numpy import ndarray

    return _advice("numpy.ndarray", name, [it for it in dir(ndarray) if not it.startswith("_")])


def _advice(where, name, known):
    from numpy._known import NAMES

    near = _names.nearest(name, known)
    meant = f"did you mean `{near}`?" if near else ""
    if name in NAMES[where].split():
        advice = f"it is not part of warpup's numpy; NumPy has it as {where}.{name}"
        return f"{advice}. In warpup, {meant}" if meant else advice
    return meant or "neither warpup nor NumPy has it"
