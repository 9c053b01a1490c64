"""Nested lists, tuples and dictionaries, as PyTorch's functions take and give them."""


def parts(tree):
    """The children of a node; None for a leaf."""
    if isinstance(tree, dict):
        return list(tree.values())
    return list(tree) if isinstance(tree, (tuple, list)) else None


def rebuilt(tree, children):
    """A node like this one, of other children."""
    if isinstance(tree, dict):
        made = dict(zip(tree, children))
        return made if type(tree) is dict else type(tree)(made)
    if hasattr(tree, "_fields"):
        return type(tree)(*children)
    return tuple(children) if isinstance(tree, tuple) else list(children)


def leaves(tree):
    children = parts(tree)
    return [tree] if children is None else [leaf for it in children for leaf in leaves(it)]


def mapped(function, tree):
    children = parts(tree)
    return function(tree) if children is None else rebuilt(tree, [mapped(function, it) for it in children])


def filled(tree, values):
    """The tree with other leaves, in their order."""
    values = iter(values)
    return mapped(lambda _: next(values), tree)


def spread(prefix, tree):
    """The leaves of a shorter tree, one for each leaf of the whole; None if they do not fit."""
    children = parts(tree)
    if parts(prefix) is None:
        return [prefix] * len(leaves(tree))
    if children is None or type(prefix) is not type(tree) or len(prefix) != len(children):
        return None
    found = []
    for own, it in zip(parts(prefix), children):
        below = spread(own, it)
        if below is None:
            return None
        found += below
    return found


def shown(tree):
    """How PyTorch prints the structure of a tree."""
    children = parts(tree)
    if children is None:
        return "*"
    inside = ", ".join(shown(it) for it in children)
    if isinstance(tree, dict):
        return "TreeSpec(dict, " + str(list(tree)) + ", [" + inside + "])"
    return f"TreeSpec({type(tree).__name__}, None, [{inside}])"
