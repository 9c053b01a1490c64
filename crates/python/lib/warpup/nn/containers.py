"""Modules that hold modules: Sequential, ModuleList, ModuleDict."""

from warpup.nn.module import Module, _indented


class _Container(Module):
    """Holds members, in the dictionary that `_held` names."""

    _held = "_modules"

    def _members(self):
        return getattr(self, self._held)

    def __len__(self):
        return len(self._members())


class _Listed(_Container):
    """Members under the names 0, 1, 2 and so on."""

    def _at(self, at):
        size = len(self)
        if not isinstance(at, int):
            at = at.__index__()
        if not -size <= at < size:
            raise IndexError(f"index {at} is out of range")
        return list(self._members())[at % size]

    def __getitem__(self, at):
        if isinstance(at, slice):
            return type(self)(list(self)[at])
        return self._members()[self._at(at)]

    def __iter__(self):
        return iter(self._members().values())

    def extend(self, members):
        for member in members:
            self.append(member)
        return self


class _Numbered(_Listed):
    """Modules under the names 0, 1, 2 and so on."""

    def _renumber(self, modules):
        for name in list(self._modules):
            delattr(self, name)
        self.extend(modules)

    def __setitem__(self, at, module):
        setattr(self, self._at(at), module)

    def __delitem__(self, at):
        modules = list(self)
        del modules[at]
        self._renumber(modules)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index, module):
        modules = list(self)
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
            self.extend(args)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return type(self)(dict(list(self._modules.items())[at]))
        return super().__getitem__(at)

    def __add__(self, other):
        return Sequential(*self, *other)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Numbered):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

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


class _Keyed(_Container):
    """Members under names of their own."""

    def __getitem__(self, key):
        return self._members()[key]

    def __iter__(self):
        return iter(self._members())

    def __contains__(self, key):
        return key in self._members()

    def keys(self):
        return self._members().keys()

    def items(self):
        return self._members().items()

    def values(self):
        return self._members().values()


class ModuleDict(_Keyed):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]
        self.__dict__.pop(key, None)

    def clear(self):
        for key in list(self._modules):
            del self[key]

    def pop(self, key):
        module = self[key]
        del self[key]
        return module

    def update(self, modules):
        for key, module in modules.items() if hasattr(modules, "items") else modules:
            self[key] = module
