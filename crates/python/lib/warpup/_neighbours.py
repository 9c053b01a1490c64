"""The Python files beside the program: it imports them as under Python, where their folder is the first in `sys.path`."""

import sys

import _host

_Spec = sys.modules["_frozen_importlib"].ModuleSpec
_sources = {}


class _Loader:
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        path = module.__spec__.origin
        place = _host.place()
        module.__file__ = path if place is None else f"{place[0].rstrip('/')}/{path}"
        exec(compile(_sources[path], path, "exec"), module.__dict__)


class _Folder(_Loader):
    """Loads a package without an `__init__.py`, which is only a place for modules."""

    def exec_module(self, module):
        pass


class _Finder:
    def find_spec(self, name, path=None, target=None):
        place = name.replace(".", "/")
        if f"{place}/__init__.py" in _sources:
            return _Spec(name, _Loader(), origin=f"{place}/__init__.py", is_package=True)
        if f"{place}.py" in _sources:
            return _Spec(name, _Loader(), origin=f"{place}.py")
        if any(it.startswith(f"{place}/") for it in _sources):
            return _Spec(name, _Folder(), is_package=True)
        return None


def names(modules):
    """Lets the program import these files; returns the names of all modules that they are.

    A file never replaces a standard module: the library imports those, too.
    """
    for path, source in modules:
        if path.removesuffix(".py").split("/")[0] not in sys.stdlib_module_names:
            _sources[path] = source
    sys.meta_path.insert(0, _Finder())
    found = set()
    for path in _sources:
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        while name:
            found.add(name)
            name = name.rpartition(".")[0]
    return found
