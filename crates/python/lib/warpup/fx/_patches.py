"""Functions that record their calls where an argument is a proxy: those of torch, from the import of `torch.fx` on."""

import builtins
import sys

from warpup._importable import PROGRAMS
from warpup.fx._keywords import recorded
from warpup.fx.proxy import Proxy

# The modules whose functions record, by PyTorch's names.
_PLACES = {"torch.nn.functional": "warpup.nn.functional", "torch": "warpup", "torch.linalg": "warpup.linalg"}
_FUNCTIONS = (type(lambda: None), type(len))
# These say something of their argument, or change what a function is.
_NOT_RECORDED = ("compile", "enable_grad", "inference_mode", "is_tensor", "no_grad", "typename", "vmap")


def find_proxy(value):
    """A proxy in the structure, if there is one."""
    if isinstance(value, Proxy):
        return value
    parts = ()
    if isinstance(value, (tuple, list)):
        parts = value
    elif isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
    for it in parts:
        found = find_proxy(it)
        if found is not None:
            return found
    return None


class Recorder:
    """A function that records its call if an argument is a proxy. One that the program wraps has no name of PyTorch's."""

    def __init__(self, function, qualified_name=None):
        self._function, self.qualified_name = function, qualified_name
        self.__name__ = getattr(function, "__name__", qualified_name)
        self.__wrapped__ = function

    def __call__(self, *args, **kwargs):
        proxy = find_proxy((args, kwargs))
        if proxy is None:
            return self._function(*args, **kwargs)
        if self.qualified_name is not None:
            return proxy.tracer.create_proxy("call_function", self, *recorded(self.qualified_name, args, kwargs))
        made = proxy.tracer.create_proxy("call_function", self._function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    # One function may have two names, as `torch.relu` and `torch.nn.functional.relu`.
    def __eq__(self, other):
        return self._function is getattr(other, "__wrapped__", other)

    def __hash__(self):
        return hash(self._function)

    def __repr__(self):
        return repr(self._function)


def _records(name, value):
    return isinstance(value, _FUNCTIONS) and not name.startswith("_") and name not in _NOT_RECORDED


def _on_first_use(known, place):
    """The `__getattr__` of a module, for names that it loads on first use."""
    get = known["__getattr__"]

    def __getattr__(name):
        found = get(name)
        if _records(name, found):
            found = known[name] = Recorder(found, f"{place}.{name}")
        return found

    return __getattr__


def _assert(condition, message):
    if not condition:
        raise AssertionError(message)


# `torch._assert`, by which a trace records what it was specialized for.
ASSERT = Recorder(_assert, "torch._assert")


def record_torch():
    """Puts recording functions in the place of those of torch, also where the program has imported some by name."""
    replaced = {}
    for place, own in _PLACES.items():
        known = vars(sys.modules[own])
        for name, it in list(known.items()):
            if _records(name, it):
                known[name] = Recorder(it, f"{place}.{name}")
                replaced.setdefault(id(it), known[name])
        if "__getattr__" in known:
            known["__getattr__"] = _on_first_use(known, place)
    vars(sys.modules["warpup"])["_assert"] = ASSERT
    for known in [vars(sys.modules[it]) for it in PROGRAMS if it in sys.modules]:
        known.update({name: replaced[id(it)] for name, it in known.items() if id(it) in replaced})


class Patches:
    """Values in dictionaries and classes, which come back at the end of a `with` block."""

    def __init__(self):
        self._before = []

    def put(self, where, name, value):
        self._before.append((where, name, where.get(name, self)))
        where[name] = value

    def put_attribute(self, cls, name, value):
        self._before.append((cls, name, vars(cls)[name]))
        setattr(cls, name, value)

    def wrap(self, known, name):
        """Lets a function of the program record."""
        function = known.get(name, getattr(builtins, name, None))
        if function is not None and not isinstance(function, Recorder):
            self.put(known, name, Recorder(function))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        for where, name, before in reversed(self._before):
            if isinstance(where, type):
                setattr(where, name, before)
            elif before is self:
                where.pop(name, None)
            else:
                where[name] = before
        self._before.clear()


def globals_of(function):
    """The globals of a function, below its decorators."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return getattr(getattr(function, "__func__", function), "__globals__", {})
