"""torch.utils._pytree: nested lists, tuples and dictionaries as their leaves and a form that puts them back."""

from collections import OrderedDict, defaultdict, namedtuple

_KINDS = (list, tuple, dict, OrderedDict, defaultdict)


class TreeSpec:
    """How leaves lie in a tree: its kind, what it knows besides (keys), and the specs of its children."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self._children = type, context, list(children_specs)

    @property
    def num_leaves(self):
        return 1 if self.type is None else sum(it.num_leaves for it in self._children)

    @property
    def num_nodes(self):
        return 1 + sum(it.num_nodes for it in self._children)

    @property
    def num_children(self):
        return len(self._children)

    def children(self):
        return list(self._children)

    def child(self, index):
        return self._children[index]

    def is_leaf(self):
        return self.type is None

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and (self.type, self.context, self._children) == (
            other.type, other.context, other._children
        )

    def __hash__(self):
        return hash((self.type, str(self.context), self.num_leaves))

    def __repr__(self, indent=0):
        if self.type is None:
            return "*"
        pad = " " * (indent + 2)
        inner = f"TreeSpec({self.type.__name__}, {self.context}, ["
        if self._children:
            inner += self._children[0].__repr__(indent + 2)
            inner += "," if len(self._children) > 1 else ""
            inner += ",".join(f"\n{pad}{it.__repr__(indent + 2)}" for it in self._children[1:])
        return inner + "])"


def LeafSpec():
    return TreeSpec(None, None, [])


def _kind(tree):
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return namedtuple
    kind = type(tree)
    return kind if kind in _KINDS else None


def _opened(tree, kind):
    """The children of a node, and what besides them makes it again."""
    if kind is namedtuple:
        return list(tree), type(tree)
    if kind in (list, tuple):
        return list(tree), None
    keys = list(tree)
    return [tree[it] for it in keys], [tree.default_factory, keys] if kind is defaultdict else keys


def _closed(kind, context, children):
    if kind is namedtuple:
        return context(*children)
    if kind in (list, tuple):
        return kind(children)
    if kind is defaultdict:
        return defaultdict(context[0], zip(context[1], children))
    return kind(zip(context, children))


def _flatten(tree, leaves, is_leaf):
    kind = None if is_leaf is not None and is_leaf(tree) else _kind(tree)
    if kind is None:
        leaves.append(tree)
        return LeafSpec()
    children, context = _opened(tree, kind)
    return TreeSpec(kind, context, [_flatten(it, leaves, is_leaf) for it in children])


def tree_flatten(tree, is_leaf=None):
    leaves = []
    return leaves, _flatten(tree, leaves, is_leaf)


def tree_unflatten(leaves, treespec):
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"tree_unflatten(leaves, treespec): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
            f"{treespec.num_leaves} items ({treespec})."
        )
    rest = iter(leaves)

    def made(spec):
        return next(rest) if spec.type is None else _closed(spec.type, spec.context, [made(it) for it in spec._children])

    return made(treespec)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


tree_iter = tree_leaves


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_leaves(it, is_leaf) for it in rests]
    return tree_unflatten([func(*it) for it in zip(leaves, *others)], spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _wanted(kinds):
    return kinds if not isinstance(kinds, (type, tuple)) else lambda it: isinstance(it, kinds)


def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    wanted = _wanted(type_or_types_or_pred)
    return tree_map(lambda it: func(it) if wanted(it) else it, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(kinds, pred, tree, is_leaf=None):
    wanted = _wanted(kinds)
    return all(pred(it) for it in tree_leaves(tree, is_leaf) if wanted(it))


def tree_any_only(kinds, pred, tree, is_leaf=None):
    wanted = _wanted(kinds)
    return any(pred(it) for it in tree_leaves(tree, is_leaf) if wanted(it))
