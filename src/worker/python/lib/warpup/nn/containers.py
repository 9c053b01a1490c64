"""Modules that hold modules or parameters: Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from warpup import Tensor
from warpup.nn.module import Module, Parameter, _indented


class _Numbered(Module):
    """Modules under the names 0, 1, 2 and so on."""

    def _at(self, at):
        size = len(self._modules)
        if not isinstance(at, int):
            at = at.__index__()
        if not -size <= at < size:
            raise IndexError(f"index {at} is out of range")
        return list(self._modules)[at % size]

    def _renumber(self, modules):
        for name in list(self._modules):
            delattr(self, name)
        for at, module in enumerate(modules):
            self.add_module(str(at), module)

    def __setitem__(self, at, module):
        setattr(self, self._at(at), module)

    def __delitem__(self, at):
        modules = list(self._modules.values())
        del modules[at]
        self._renumber(modules)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def pop(self, at=-1):
        module = self._modules[self._at(at)]
        del self[at]
        return module


class Sequential(_Numbered):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for at, module in enumerate(args):
                self.add_module(str(at), module)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return type(self)(dict(list(self._modules.items())[at]))
        return self._modules[self._at(at)]

    def __add__(self, other):
        return Sequential(*self, *other)

    def insert(self, index, module):
        super().insert(index, module)
        return self

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Numbered):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return type(self)(list(self._modules.values())[at])
        return self._modules[self._at(at)]

    def __add__(self, other):
        return ModuleList([*self, *other])

    __iadd__ = _Numbered.extend

    def __repr__(self):
        """Equal modules share one line, as in `(0-3): 4 x Linear(…)`."""
        groups = []
        for at, module in enumerate(self):
            text = repr(module)
            if groups and groups[-1][2] == text:
                groups[-1][1] = at
            else:
                groups.append([at, at, text])
        lines = []
        for first, last, text in groups:
            if first == last:
                lines.append(f"({first}): " + _indented(text))
            else:
                lines.append(f"({first}-{last}): {last - first + 1} x " + _indented(text))
        return self._laid_out([], lines)


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]
        self.__dict__.pop(key, None)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def pop(self, key):
        module = self[key]
        del self[key]
        return module

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def update(self, modules):
        for key, module in modules.items() if hasattr(modules, "items") else modules:
            self[key] = module


def _parameter_lines(parameters):
    for name, it in parameters.items():
        size = "x".join(str(size) for size in it.shape)
        place = f" ({it.device})" if it.is_cuda else ""
        yield f"    ({name}): Parameter containing: [{str(it.dtype)} of size {size}{place}]"


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        for value in values or ():
            self.append(value)

    def append(self, value):
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        self.register_parameter(str(len(self)), value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __getitem__(self, at):
        values = list(self._parameters.values())
        if isinstance(at, slice):
            return ParameterList(values[at])
        if not -len(values) <= at < len(values):
            raise IndexError(f"index {at} is out of range")
        return values[at]

    def __setitem__(self, at, value):
        setattr(self, str(at % len(self)), value if isinstance(value, Parameter) else Parameter(value))

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def __repr__(self):
        return "ParameterList(\n" + "\n".join(_parameter_lines(self._parameters)) + "\n)"


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        for key, value in (parameters or {}).items():
            self[key] = value

    def __getitem__(self, key):
        return self._parameters[key]

    def __setitem__(self, key, value):
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        self.register_parameter(key, value)

    def __delitem__(self, key):
        delattr(self, key)

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters)

    def __contains__(self, key):
        return key in self._parameters

    def keys(self):
        return self._parameters.keys()

    def items(self):
        return self._parameters.items()

    def values(self):
        return self._parameters.values()

    def __repr__(self):
        return "ParameterDict(\n" + "\n".join(_parameter_lines(self._parameters)) + "\n)"
