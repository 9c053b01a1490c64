"""The part of the standard module `dataclasses` that configurations use: defaults, factories, repr, eq, order, field
order, frozen. The real one does not import (`inspect` wants `posix`)."""


class FrozenInstanceError(AttributeError):
    """A field of a frozen dataclass was assigned."""


class _Missing:
    def __repr__(self):
        return "MISSING"


MISSING = _Missing()


class Field:
    def __init__(self, default, default_factory, repr, compare):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.repr = repr
        self.compare = compare


def field(*, default=MISSING, default_factory=MISSING, repr=True, compare=True):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, repr, compare)


def _gathered(cls):
    found = {}
    for base in reversed(cls.__mro__[1:]):
        found.update(base.__dict__.get("__dataclass_fields__", {}))
    for name, kind in cls.__annotations__.items():
        default = cls.__dict__.get(name, MISSING)
        made = default if isinstance(default, Field) else field(default=default)
        made.name, made.type = name, kind
        if isinstance(made.default, (list, dict, set)):
            raise ValueError(
                f"mutable default {type(made.default)} for field {name} is not allowed: use default_factory"
            )
        if made.default is not MISSING:
            setattr(cls, name, made.default)
        elif name in cls.__dict__:
            delattr(cls, name)
        found[name] = made
    optional = None
    for it in found.values():
        if it.default is not MISSING or it.default_factory is not MISSING:
            optional = it.name
        elif optional is not None:
            raise TypeError(f"non-default argument '{it.name}' follows default argument '{optional}'")
    return found


def _init(found):
    def __init__(self, *args, **kwargs):
        name = type(self).__name__
        if len(args) > len(found):
            optional = (it.default is not MISSING or it.default_factory is not MISSING for it in found.values())
            most = len(found) + 1
            least = most - sum(optional)
            takes = f"from {least} to {most}" if least < most else f"{most}"
            plural = "s" if most > 1 else ""
            raise TypeError(
                f"{name}.__init__() takes {takes} positional argument{plural} but {len(args) + 1} were given"
            )
        given = dict(zip(found, args))
        for key, value in kwargs.items():
            if key not in found:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{key}'")
            if key in given:
                raise TypeError(f"{name}.__init__() got multiple values for argument '{key}'")
            given[key] = value
        missing = []
        for key, it in found.items():
            if key in given:
                value = given[key]
            elif it.default_factory is not MISSING:
                value = it.default_factory()
            elif it.default is not MISSING:
                value = it.default
            else:
                missing.append(f"'{key}'")
                continue
            object.__setattr__(self, key, value)
        if missing:
            plural = "s" if len(missing) > 1 else ""
            raise TypeError(
                f"{name}.__init__() missing {len(missing)} required positional argument{plural}: "
                + " and ".join(missing)
            )
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    return __init__


def _repr(self):
    shown = ", ".join(f"{it.name}={getattr(self, it.name)!r}" for it in fields(self) if it.repr)
    return f"{type(self).__qualname__}({shown})"


def _eq(self, other):
    if type(other) is not type(self):
        return NotImplemented
    return all(getattr(self, it.name) == getattr(other, it.name) for it in fields(self) if it.compare)


def _compared(self):
    return tuple(getattr(self, it.name) for it in fields(self) if it.compare)


def _order(cls):
    """The four comparisons, by the fields in their order."""
    for name, compare in (
        ("__lt__", lambda a, b: a < b), ("__le__", lambda a, b: a <= b),
        ("__gt__", lambda a, b: a > b), ("__ge__", lambda a, b: a >= b),
    ):
        if name in cls.__dict__:
            raise TypeError(
                f"Cannot overwrite attribute {name} in class {cls.__name__}. Consider using functools.total_ordering"
            )

        def method(self, other, compare=compare):
            if type(other) is not type(self):
                return NotImplemented
            return compare(_compared(self), _compared(other))

        method.__name__ = name
        setattr(cls, name, method)


def _frozen(self, name, value=None):
    raise FrozenInstanceError(f"cannot assign to field '{name}'")


def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, frozen=False):

    def made(cls):
        if order and not eq:
            raise ValueError("eq must be true if order is true")
        found = _gathered(cls)
        cls.__dataclass_fields__ = found
        for wanted, name, method in ((init, "__init__", _init(found)), (repr, "__repr__", _repr), (eq, "__eq__", _eq)):
            if wanted and name not in cls.__dict__:
                setattr(cls, name, method)
        if order:
            _order(cls)
        if frozen:
            cls.__setattr__ = cls.__delattr__ = _frozen
            cls.__hash__ = lambda self: hash(tuple(getattr(self, name) for name in found))
        elif eq and "__hash__" not in cls.__dict__:
            cls.__hash__ = None
        return cls

    return made if cls is None else made(cls)


def is_dataclass(value):
    return hasattr(value, "__dataclass_fields__")


def fields(value):
    return tuple(value.__dataclass_fields__.values())


def asdict(value):
    if is_dataclass(value):
        return {it.name: asdict(getattr(value, it.name)) for it in fields(value)}
    if isinstance(value, (list, tuple)):
        return type(value)(asdict(it) for it in value)
    if isinstance(value, dict):
        return {key: asdict(it) for key, it in value.items()}
    return value


def replace(value, **changes):
    return type(value)(**{it.name: changes.get(it.name, getattr(value, it.name)) for it in fields(value)})
