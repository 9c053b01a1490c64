"""torch.fx.replace_pattern: finds a small graph in a large one, and puts another in its place."""

from warpup.fx._symbolic_trace import symbolic_trace
from warpup.fx.graph import Graph
from warpup.fx.graph_module import GraphModule
from warpup.fx.node import Node


class Match:
    """Where the pattern is: its last node, and the node of the graph for each of the pattern."""

    def __init__(self, anchor, nodes_map):
        self.anchor, self.nodes_map = anchor, nodes_map

    def __repr__(self):
        return f"Match(anchor={self.anchor}, nodes_map={self.nodes_map})"


def _graph_of(it):
    if isinstance(it, Graph):
        return it
    return (it if isinstance(it, GraphModule) else symbolic_trace(it)).graph


def _fits(pattern, found, matched, modules):
    """Whether a node of the graph is that of the pattern, with all that they read."""
    if not isinstance(pattern, Node) or not isinstance(found, Node):
        if isinstance(pattern, (tuple, list)) and isinstance(found, (tuple, list)):
            return len(pattern) == len(found) and all(_fits(*it, matched, modules) for it in zip(pattern, found))
        return type(pattern) is type(found) and pattern == found
    if pattern in matched:
        return matched[pattern] is found
    if pattern.op == "placeholder":
        matched[pattern] = found
        return True
    if pattern.op != found.op:
        return False
    same = pattern.target == found.target
    if pattern.op == "call_module":
        mine, theirs = modules[0].get(pattern.target), modules[1].get(found.target)
        same = same or mine is not None and type(mine) is type(theirs)
    if not same or set(pattern.kwargs) != set(found.kwargs):
        return False
    matched[pattern] = found
    pairs = [(pattern.args, found.args), *((it, found.kwargs[key]) for key, it in pattern.kwargs.items())]
    return all(_fits(*it, matched, modules) for it in pairs)


def _is_closed(pattern, matched, output):
    """Whether only the last node of what was found is read outside of it."""
    inside = set(matched.values())
    for node in pattern.nodes:
        if node.op in ("placeholder", "output", "get_attr") or node is output:
            continue
        if any(it not in inside for it in matched[node].users):
            return False
    return True


def replace_pattern(gm, pattern, replacement):
    """Replaces each place that does not overlap an earlier one; gives them."""
    pattern_graph, other = _graph_of(pattern), _graph_of(replacement)
    output = pattern_graph.output_node().args[0]
    if not isinstance(output, Node):
        raise NotImplementedError("patterns with several results are not part of warpup; PyTorch has them")
    owner = pattern_graph.owning_module
    modules = dict(owner.named_modules()) if owner is not None else {}, dict(gm.named_modules())
    inputs = [it for it in pattern_graph.nodes if it.op == "placeholder"]
    matches, replaced = [], set()
    for node in list(gm.graph.nodes):
        matched = {}
        if not _fits(output, node, matched, modules) or not _is_closed(pattern_graph, matched, output):
            continue
        own = {found for it, found in matched.items() if it.op != "placeholder"}
        if own & replaced:
            continue
        replaced |= own
        places = [it for it in other.nodes if it.op == "placeholder"]
        values = dict(zip(places, (matched[it] for it in inputs)))
        # As in PyTorch, before the first that reads the result.
        with gm.graph.inserting_before(next((it for it in gm.graph.nodes if it in node.users), node)):
            result = gm.graph.graph_copy(other, values)
        node.replace_all_uses_with(result)
        for it in reversed([it for it in gm.graph.nodes if it in own]):
            if not it.users:
                gm.graph.erase_node(it)
        matches.append(Match(node, matched))
    gm.recompile()
    return matches
