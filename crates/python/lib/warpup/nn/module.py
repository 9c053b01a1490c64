"""torch.nn.Module and torch.nn.Parameter."""

from collections import OrderedDict

import _warpup
import warpup
from warpup import Tensor, _homes
from warpup.nn._parameter import Buffer, Parameter


def _indented(text):
    return text.replace("\n", "\n  ")


class Module:
    """A layer or a network of layers."""

    __module__ = "torch.nn.modules.module"
    # `_hooks_of_all` has them.
    _hooks_of_all = None

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if cls.__module__.startswith("warpup."):
            _homes.rename(cls)

    def __init__(self):
        self.__dict__.update(
            training=True, _parameters={}, _buffers={}, _non_persistent_buffers_set=set(), _modules={},
            _hooks_of_module=None,
        )

    def __setstate__(self, state):
        self.__dict__.update(state)

    def _kind(self, name):
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(kind, ()):
                return kind
        return None

    def __getattr__(self, name):
        # Programs call it by name, too.
        if name in self.__dict__:
            return self.__dict__[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def __setattr__(self, name, value):
        own = self.__dict__
        if isinstance(value, Buffer):
            self._take_buffer(name, value)
        elif isinstance(value, (Parameter, Module)):
            what, kind = ("parameters", "_parameters") if isinstance(value, Parameter) else ("module", "_modules")
            if "_parameters" not in own:
                raise AttributeError(f"cannot assign {what} before Module.__init__() call")
            for other in ("_parameters", "_buffers", "_modules"):
                if other != kind:
                    own[other].pop(name, None)
            own[kind][name] = value
        else:
            kind = self._kind(name)
            if kind is not None:
                fits = value is None or kind == "_buffers" and isinstance(value, Tensor)
                if not fits:
                    word, wanted = {
                        "_parameters": ("parameter", "torch.nn.Parameter or None"),
                        "_buffers": ("buffer", "torch.Tensor, nn.Buffer or None"),
                        "_modules": ("child module", "torch.nn.Module or None"),
                    }[kind]
                    raise TypeError(f"cannot assign '{_type_name(value)}' as {word} '{name}' ({wanted} expected)")
                own[kind][name] = value
            else:
                # A property of a program's class may have a setter.
                object.__setattr__(self, name, value)
                return
        own[name] = value

    def _take_buffer(self, name, value):
        for other in ("_parameters", "_modules"):
            self.__dict__[other].pop(name, None)
        self.__dict__["_buffers"][name] = value
        (self._non_persistent_buffers_set.discard if value.persistent else self._non_persistent_buffers_set.add)(name)

    def __delattr__(self, name):
        kind = self._kind(name)
        if kind is not None:
            self.__dict__[kind].pop(name)
            self._non_persistent_buffers_set.discard(name)
        if name not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        del self.__dict__[name]

    def _register(self, what, name, value):
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain "."' + (f", got: {name}" if what == "module" else ""))
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and self._kind(name) != f"_{what}s":
            raise KeyError(f"attribute '{name}' already exists")
        kind, wanted = {
            "parameter": (Parameter, "torch.nn.Parameter"), "buffer": (Tensor, "torch Tensor"), "module": (Module, "Module"),
        }[what]
        # Complex tensors are objects of their own, see `_complex`.
        is_complex = what == "buffer" and type(value).__name__ == "ComplexTensor"
        if value is not None and not isinstance(value, kind) and not is_complex:
            raise TypeError(
                f"cannot assign '{_type_name(value)}' object to {what} '{name}' ({wanted} or None required)"
            )
        self.__dict__[f"_{what}s"][name] = self.__dict__[name] = value

    def register_buffer(self, name, tensor, persistent=True):
        self._register("buffer", name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        self._register("parameter", name, param)

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_type_name(module)} is not a Module subclass")
        self._register("module", name, module)

    register_module = add_module

    def _all_hooks(self):
        if self._hooks_of_module is None:
            from warpup.nn._hooks import Hooks

            self.__dict__["_hooks_of_module"] = Hooks()
        return self._hooks_of_module

    def _hook(self, kind, hook, *options):
        return self._all_hooks().add(kind, hook, *options)

    # The hooks by their numbers, as programs print and remove them.
    _forward_pre_hooks = property(lambda self: self._all_hooks().of["pre"])
    _forward_hooks = property(lambda self: self._all_hooks().of["forward"])
    _backward_pre_hooks = property(lambda self: self._all_hooks().of["backward_pre"])
    _backward_hooks = property(lambda self: self._all_hooks().of["backward"])

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        return self._hook("pre", hook, prepend, with_kwargs)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        return self._hook("forward", hook, prepend, with_kwargs, always_call)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        return self._hook("backward_pre", hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        return self._hook("backward", hook, prepend)

    def register_backward_hook(self, hook):
        return self._hook("backward_legacy", hook)

    def register_state_dict_pre_hook(self, hook):
        return self._hook("state_pre", hook)

    def register_state_dict_post_hook(self, hook):
        return self._hook("state_post", hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_load_state_dict_pre_hook(self, hook):
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        if with_module:
            from _weakref import ref

            # The hook must not keep the module, which keeps the hook.
            own, given = ref(self), hook

            def hook(*facts):
                return given(own(), *facts)

        return self._hook("load_pre", hook)

    def register_load_state_dict_post_hook(self, hook):
        return self._hook("load_post", hook)

    def __call__(self, *args, **kwargs):
        _warpup.module_called()
        hooks = self._hooks_of_module
        if hooks is None:
            hooks = self._hooks_of_all
            if hooks is None:
                return self.forward(*args, **kwargs)
        return hooks.call(self, args, kwargs)

    def forward(self, *args):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def _named_members(self, kind, prefix, recurse, remove_duplicate):
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in modules if recurse else [(prefix, self)]:
            for name, member in getattr(module, kind).items():
                if member is None or id(member) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(member))
                yield path + ("." if path else "") + name, member

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members("_parameters", prefix, recurse, remove_duplicate)

    # Programs print these generators, which name the method.
    def parameters(self, recurse=True):
        for _, it in self.named_parameters(recurse=recurse):
            yield it

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        for _, it in self.named_buffers(recurse=recurse):
            yield it

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        memo = set() if memo is None else memo
        if id(self) in memo:
            return
        if remove_duplicate:
            memo.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, prefix + ("." if prefix else "") + name, remove_duplicate)

    def modules(self):
        for _, it in self.named_modules():
            yield it

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self):
        for _, it in self.named_children():
            yield it

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else ():
            module = module._member(name, Module)
        return module

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return self.get_submodule(path)._member(name, Parameter)

    def get_buffer(self, target):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return module._buffers[name]

    def set_submodule(self, target, module, strict=False):
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def _member(self, name, kind):
        if not hasattr(self, name):
            raise AttributeError(f"{type(self).__name__} has no attribute `{name}`")
        member = getattr(self, name)
        if not isinstance(member, kind):
            raise AttributeError(f"`{name}` is not an nn.{kind.__name__}")
        return member

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        if args:
            named = dict(zip(("destination", "prefix", "keep_vars"), args))
            destination = named.get("destination", destination)
            prefix, keep_vars = named.get("prefix", prefix), named.get("keep_vars", keep_vars)
        destination = OrderedDict() if destination is None else destination
        if self._hooks_of_module is not None:
            for hook in list(self._hooks_of_module.of["state_pre"].values()):
                hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        if self._hooks_of_module is not None:
            for hook in list(self._hooks_of_module.of["state_post"].values()):
                hook(self, destination, prefix, {})
        return destination

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if keep_vars else buffer.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def get_extra_state(self):
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def set_extra_state(self, state):
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def _has_extra_state(self):
        """Whether its class takes a state of its own from `load_state_dict`."""
        return type(self).set_extra_state is not Module.set_extra_state

    def load_state_dict(self, state_dict, strict=True, assign=False):
        from warpup.nn import _states

        return _states.load(self, state_dict, strict, assign)

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        from warpup.nn import _states

        problems = missing_keys, unexpected_keys, error_msgs
        _states.load_own(self, state_dict, prefix, local_metadata, strict, problems)

    def _apply(self, change, recurse=True):
        for module in self.children() if recurse else ():
            module._apply(change)
        for parameter in self._parameters.values():
            if parameter is not None:
                parameter.data = change(parameter.data)
                if parameter.grad is not None:
                    parameter.grad = change(parameter.grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = self.__dict__[name] = change(buffer)
        return self

    def to(self, *args, **kwargs):
        for given in (*args, *kwargs.values()):
            if isinstance(given, warpup.dtype) and not given.is_floating_point:
                raise TypeError(
                    f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={given}"
                )

        def change(tensor):
            if "memory_format" in kwargs and tensor.dim() not in (4, 5):
                kept = {name: it for name, it in kwargs.items() if name != "memory_format"}
                return tensor.to(*args, **kept) if args or kept else tensor
            if tensor.is_floating_point():
                return tensor.to(*args, **kwargs)
            # Integer tensors change the device, but not the dtype.
            places = [it for it in args if not isinstance(it, (warpup.dtype, bool))]
            rest = {name: it for name, it in kwargs.items() if name != "dtype"}
            return tensor.to(*places, **rest) if places or rest else tensor

        return self._apply(change)

    def to_empty(self, *, device, recurse=True):
        return self._apply(lambda it: warpup.empty_like(it, device=device), recurse)

    def share_memory(self):
        return self

    def cuda(self, device=None):
        return self._apply(lambda it: it.to("cuda" if device is None else device))

    def cpu(self):
        return self._apply(lambda it: it.cpu())

    def type(self, dst_type):
        return self._apply(lambda it: it.to(dst_type))

    def _as(self, dtype):
        return self._apply(lambda it: it.to(dtype) if it.is_floating_point() else it)

    def float(self):
        return self._as(warpup.float32)

    def double(self):
        return self._as(warpup.float64)

    def half(self):
        return self._as(warpup.float16)

    def bfloat16(self):
        return self._as(warpup.bfloat16)

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.__dict__["training"] = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad
        return self

    def zero_grad(self, set_to_none=True):
        parameters = list(self.parameters())
        _warpup.gradients_zeroed(len(parameters))
        for parameter in parameters:
            if set_to_none or parameter.grad is None:
                parameter.grad = None
            else:
                parameter.grad = warpup.zeros_like(parameter.grad)

    def compile(self, *args, **kwargs):
        """Compiles its `forward`."""
        self.__dict__["forward"] = warpup.compile(self.forward, *args, **kwargs)

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + _indented(repr(module)) for name, module in self._modules.items()]
        return self._laid_out(lines, children)

    def _laid_out(self, extra, children):
        if len(extra) == 1 and not children:
            return f"{self._get_name()}({extra[0]})"
        if not extra and not children:
            return self._get_name() + "()"
        return self._get_name() + "(\n  " + "\n  ".join(extra + children) + "\n)"


class WithArguments(Module):
    """A module that keeps its arguments as attributes, and shows some of them."""

    _shown = ()

    def __init__(self, **given):
        super().__init__()
        self.__dict__.update(given)

    def extra_repr(self):
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in self._shown)


def _type_name(value):
    if isinstance(value, Tensor):
        return value.type()
    if isinstance(value, type):
        # `nn.ReLU` for `nn.ReLU()`: name the class, as PyTorch does.
        return f"torch.nn.{value.__name__}" if value.__module__.startswith("torch.") else value.__name__
    return type(value).__name__
