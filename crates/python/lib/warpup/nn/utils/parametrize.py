"""torch.nn.utils.parametrize: parameters that are computed from others. Loaded on first use."""

from warpup import Tensor, _names, no_grad
from warpup.nn import Module, ModuleDict, ModuleList, Parameter

_cache = {}
_cache_depth = 0


class cached:
    """In this block, each parametrization is computed once."""

    def __enter__(self):
        global _cache_depth
        _cache_depth += 1

    def __exit__(self, kind, value, traceback):
        global _cache_depth
        _cache_depth -= 1
        if not _cache_depth:
            _cache.clear()
        return False


def _register(module, name, value):
    if isinstance(value, Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value)


def _check_same(first, second, message):
    """Raises PyTorch's error for another dtype or shape."""
    for what in ("dtype", "shape"):
        before, now = getattr(first, what), getattr(second, what)
        if before != now:
            raise ValueError(message(what, before, now))


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, and the parameters that they compute it from."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = self._inverse_of(original)
        if not isinstance(new, (Tensor, tuple, list)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                + type(new).__name__
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            self._take_one(original, new)
        else:
            self._take_several(original, new)
        if not unsafe:
            made = self()
            if not isinstance(made, Tensor):
                raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
            for what, before, now in (("dtype", dtype, made.dtype), ("shape", shape, made.shape)):
                if before != now:
                    raise ValueError(
                        f"Registering a parametrization may not change the {what} of the tensor, unless `unsafe` flag is "
                        f"enabled.\nunparametrized {what}: {before}\nparametrized {what}: {now}"
                    )

    def _inverse_of(self, value):
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        value = module.right_inverse(value)
                    except NotImplementedError:
                        pass
        return value

    def _take_one(self, original, new):
        for what in ("dtype", "device"):
            if getattr(original, what) != getattr(new, what):
                raise ValueError(
                    f"When `right_inverse` outputs one tensor, it may not change the {what}.\n"
                    f"original.{what}: {getattr(original, what)}\n"
                    f"right_inverse(original).{what}: {getattr(new, what)}"
                )
        original.data = new.detach()
        _register(self, "original", original)

    def _take_several(self, original, new):
        for at, it in enumerate(new):
            if not isinstance(it, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a reference-type opaque. Got element "
                    f"{at} of the sequence with type {type(it).__name__}."
                )
            if isinstance(original, Parameter):
                it = Parameter(it, original.requires_grad)
            _register(self, f"original{at}", it.requires_grad_(original.requires_grad))

    def right_inverse(self, value):
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                if not isinstance(value, Tensor):
                    raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
                if value.dtype != self.original.dtype:
                    raise ValueError(
                        f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has dtype "
                        f"{self.original.dtype}"
                    )
                self.original.data = value.detach()
                return
            if not isinstance(value, (tuple, list)):
                raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(value).__name__}.")
            if len(value) != self.ntensors:
                raise ValueError(
                    f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of length "
                    f"{len(value)}."
                )
            for at, it in enumerate(value):
                own = getattr(self, f"original{at}")
                if it.dtype != own.dtype:
                    raise ValueError(
                        f"Tensor {at} returned by `right_inverse` has dtype {it.dtype} while `original{at}` has dtype "
                        f"{own.dtype}"
                    )
                own.data = it.detach()

    def forward(self):
        if self.is_tensor:
            value = self[0](self.original)
        else:
            value = self[0](*(getattr(self, f"original{at}") for at in range(self.ntensors)))
        for at in range(1, len(self)):
            value = self[at](value)
        return value


def _inject_class(module):
    """Gives the module a class of its own, whose properties compute the tensors."""

    def getstate(self):
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(). See:\n"
            "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
            "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
        )

    def deepcopy(self, memo):
        import copy

        if id(self) in memo:
            return memo[id(self)]
        made = self.__new__(self.__class__)
        memo[id(self)] = made
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return made

    own = type(module)
    names = {"__getstate__": getstate}
    if not hasattr(own, "__deepcopy__"):
        names["__deepcopy__"] = deepcopy
    module.__class__ = type("Parametrized" + own.__name__, (own,), names)


def _inject_property(module, name):
    def compute(self):
        if not _cache_depth:
            return self.parametrizations[name]()
        key = id(self), name
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def assign(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(compute, assign))


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    return module


def _check_next(module, name, parametrization):
    """What is parametrized once more keeps its dtype and shape."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    _check_same(before, after, lambda what, was, now: (
        f"Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is enabled.\n"
        f"module.{name}.{what}: {was}\nparametrization(module.{name}).{what}: {now}"
    ))
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
    _check_same(before, back, lambda what, was, now: (
        f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, unless the "
        f"`unsafe` flag is enabled.\nmodule.{name}.{what}: {was}\nreturned {what}: {now}"
    ))


def is_parametrized(module, tensor_name=None):
    own = module._modules.get("parametrizations")
    if not isinstance(own, ModuleDict):
        return False
    return len(own) > 0 if tensor_name is None else tensor_name in own


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    own = module.parametrizations[tensor_name]
    if own.is_tensor:
        original = own.original
        if leave_parametrized:
            with no_grad():
                original.data = getattr(module, tensor_name).detach()
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence "
            "of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    if not is_parametrized(from_module):
        return to_module
    for name in list(from_module.parametrizations) if tensor_name is None else [tensor_name]:
        source = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        for it in source:
            register_parametrization(to_module, name, it)
        target = to_module.parametrizations[name]
        for own in ["original"] if source.is_tensor else [f"original{at}" for at in range(source.ntensors)]:
            setattr(target, own, getattr(source, own))
    return to_module


__getattr__ = _names.getter("torch.nn.utils.parametrize", globals())
