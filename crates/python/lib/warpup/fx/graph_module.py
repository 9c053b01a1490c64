"""torch.fx.GraphModule: a module whose `forward` is the code of a graph."""

import copy

from warpup.fx.graph import Graph
from warpup.nn import Module

_number = 0


def _attribute(place, path):
    for part in path.split("."):
        place = getattr(place, part, None)
    return place


def _assign(place, path, value):
    """Makes the modules on the way, and puts a value at the end."""
    *around, name = path.split(".")
    for part in around:
        if getattr(place, part, None) is None:
            setattr(place, part, Module())
        place = getattr(place, part)
    from warpup import Tensor
    from warpup.nn import Parameter

    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        if name not in place._buffers:
            place.register_buffer(name, value)
    else:
        setattr(place, name, value)


class GraphModule(Module):
    __module__ = "torch.fx.graph_module"

    def __new__(cls, *args, **kwargs):
        # Each has a `forward` of its own, and so a class.
        for base in cls.__mro__:
            if base.__qualname__ != "GraphModuleImpl":
                cls = base
                break
        return Module.__new__(type("GraphModuleImpl", (cls,), {"__module__": cls.__module__}))

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        type(self).__name__ = class_name
        if isinstance(root, Module):
            self.training = root.training
        elif not isinstance(root, dict):
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        for node in graph.nodes:
            if node.op not in ("get_attr", "call_module"):
                continue
            if isinstance(root, dict) and node.target not in root:
                raise RuntimeError(
                    f"Node {node} referenced target {node.target} but that target was not provided in ``root``!"
                )
            found = root[node.target] if isinstance(root, dict) else _attribute(root, node.target)
            if found is not None and _attribute(self, node.target) is None:
                _assign(self, node.target, found)
        self.graph = graph
        self.meta = dict(getattr(root, "meta", {}))

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self.__dict__["_graph"] = g
        g.owning_module = self
        self.recompile()

    @property
    def code(self):
        return self._code

    def recompile(self):
        """Makes `forward` of the graph as it is now."""
        global _number
        made = self._graph.python_code("self")
        names = dict(made.globals)
        exec(compile(made.src, f"<eval_with_key>.{_number}", "exec"), names)
        _number += 1
        self.__dict__["_code"] = made.src
        type(self).forward = names["forward"]
        return made

    def add_submodule(self, target, m):
        place = self
        *around, name = target.split(".")
        for part in around:
            if not hasattr(place, part):
                place.add_module(part, Module())
            place = getattr(place, part)
            if not isinstance(place, Module):
                return False
        place.add_module(name, m)
        return True

    def delete_submodule(self, target):
        *around, name = target.split(".")
        place = _attribute(self, ".".join(around)) if around else self
        if not isinstance(place, Module) or not isinstance(getattr(place, name, None), Module):
            return False
        delattr(place, name)
        return True

    def delete_all_unused_submodules(self):
        used = set()
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used.update(".".join(parts[:count]) for count in range(1, len(parts) + 1))
                found = _attribute(self, node.target)
                if node.op == "call_module" and isinstance(found, Module):
                    used.update(f"{node.target}.{path}" for path, _ in found.named_modules() if path)
        for path in [path for path, _ in self.named_modules() if path and path not in used]:
            self.delete_submodule(path)

    def print_readable(self, print_output=True, **options):
        lines = self._code.strip("\n").split("\n")
        text = f"class {type(self).__name__}(torch.nn.Module):\n" + "\n".join("    " + it if it.strip() else "" for it in lines)
        if print_output:
            print(text)
        return text

    def to_folder(self, folder, module_name="FxModule"):
        raise NotImplementedError("GraphModule.to_folder is not part of warpup, which has no disk; PyTorch has it")

    def __deepcopy__(self, memo):
        root = Module()
        kept = {name: it for name, it in vars(self).items() if name not in ("_graph", "_code")}
        root.__dict__.update(copy.deepcopy(kept, memo))
        return GraphModule(root, copy.deepcopy(self._graph), type(self).__name__)

    def __copy__(self):
        return GraphModule(self, copy.deepcopy(self._graph), type(self).__name__)

    def __str__(self):
        return "\n".join([super().__repr__(), self._code, "# To see more debug info, please use `graph_module.print_readable()`"])
