"""ParameterList and ParameterDict: a list and a dictionary whose tensors are parameters. Loaded on first use."""

import warpup
from warpup import Tensor
from warpup.nn.module import Module, Parameter

# What its classes print as their module.
__name__ = "torch.nn.modules.container"


class _Held(Module):
    """Members are attributes; a tensor becomes a parameter when it is put in, any other object stays as it is."""

    def _put(self, name, value):
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, name, value)

    def _line(self, key, value, kind):
        if not isinstance(value, Tensor):
            return f"  ({key}): Object of type: {type(value).__name__}"
        what = "Parameter" if isinstance(value, Parameter) else "Tensor"
        size = "x".join(str(it) for it in value.shape)
        place = f" ({value.device})" if value.is_cuda else ""
        return f"  ({key}): {what} containing: [{kind(value)} of size {size}{place}]"

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"{type(self).__name__} should not be called.")


def _is_iterable(value):
    return hasattr(type(value), "__iter__")


class ParameterList(_Held):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _at(self, at):
        at = at.__index__()
        if not -self._size <= at < self._size:
            raise IndexError(f"index {at} is out of range")
        return str(at % self._size)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return type(self)(self[it] for it in range(*at.indices(self._size)))
        return getattr(self, self._at(at))

    def __setitem__(self, at, value):
        self._put(self._at(at), value)

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([self[it] for it in range(self._size)])

    def append(self, value):
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        if not _is_iterable(values) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got " + type(values).__name__
            )
        for value in values:
            self.append(value)
        return self

    __iadd__ = extend

    def extra_repr(self):
        return "\n".join(self._line(at, it, lambda it: str(it.dtype)) for at, it in enumerate(self))


class ParameterDict(_Held):
    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key):
        return getattr(self, self._checked(key))

    def __setitem__(self, key, value):
        self._keys[key] = None
        self._put(self._checked(key), value)

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, key)

    def _checked(self, key):
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"'{type(key).__name__}'). Open an issue on github if you need non-string keys."
            )
        return key

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(list(self._keys))

    def __contains__(self, key):
        return key in self._keys

    def keys(self):
        return self._keys.keys()

    def items(self):
        return ((key, self[key]) for key in self._keys)

    def values(self):
        return (self[key] for key in self._keys)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key):
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        if not self._keys:
            raise KeyError("popitem(): dictionary is empty")
        key = list(self._keys)[-1]
        return key, self.pop(key)

    def clear(self):
        for key in list(self._keys):
            del self[key]

    def copy(self):
        return ParameterDict(list(self.items()))

    def fromkeys(self, keys, default=None):
        return ParameterDict([(key, default) for key in keys])

    def update(self, parameters):
        import collections

        if not _is_iterable(parameters):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but got "
                + type(parameters).__name__
            )
        if isinstance(parameters, (collections.OrderedDict, ParameterDict)):
            pairs = parameters.items()
        elif hasattr(parameters, "items"):
            # Python's dictionaries had no order once; PyTorch still sorts them.
            pairs = sorted(parameters.items())
        else:
            pairs = parameters
        for at, pair in enumerate(pairs):
            if not _is_iterable(pair):
                raise TypeError(
                    f"ParameterDict update sequence element #{at} should be Iterable; is{type(pair).__name__}"
                )
            if len(pair) != 2:
                raise ValueError(
                    f"ParameterDict update sequence element #{at} has length {len(pair)}; 2 is required"
                )
            self[pair[0]] = pair[1]

    def __or__(self, other):
        copy = self.copy()
        copy.update(other)
        return copy

    def __ror__(self, other):
        copy = other.copy()
        copy.update(self)
        return copy

    def __ior__(self, other):
        self.update(other)
        return self

    def extra_repr(self):
        return "\n".join(self._line(key, it, warpup.typename) for key, it in self.items())
