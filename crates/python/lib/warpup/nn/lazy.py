"""Layers that learn the size of their input from the first batch. Loaded on first use."""

import warpup
from warpup import Tensor, empty, tensor
from warpup.nn import convolution, normalization
from warpup.nn.layers import Linear
from warpup.nn.module import Parameter


class _Uninitialized:
    """A parameter or a buffer that has no shape yet."""

    def materialize(self, shape, device=None, dtype=None):
        values = self.data
        self.data = empty(*shape, device=device or values.device, dtype=dtype or values.dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to "
            "initialize the parameters before accessing their attributes."
        )

    def detach(self):
        return self

    def __deepcopy__(self, memo):
        made = type(self)(self.requires_grad, self.device, self.dtype)
        memo[id(self)] = made
        return made

    def __repr__(self):
        return f"<{type(self).__name__}>"


class UninitializedParameter(_Uninitialized, Parameter):
    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Parameter.__new__(cls, empty(0, device=device, dtype=dtype))

    def __init__(self, requires_grad=True, device=None, dtype=None):
        Parameter.__init__(self, None, requires_grad)


# The class of tensors itself cannot be assigned, but one like it can.
_Plain = type("Tensor", (Tensor,), {"__module__": "torch"})


class UninitializedBuffer(_Uninitialized, Tensor):
    cls_to_become = _Plain

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        return Tensor.__new__(cls, empty(0, device=device, dtype=dtype))

    def __init__(self, requires_grad=False, device=None, dtype=None, persistent=True):
        self.persistent = persistent


def is_lazy(param):
    return isinstance(param, _Uninitialized)


class LazyModuleMixin:
    """Sees the first input before `forward` does, and becomes the usual layer."""

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self):
        return any(is_lazy(it) for it in (*self._parameters.values(), *self._buffers.values()))

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self._input_size() != 0:
            super().reset_parameters()

    def _infer_parameters(self, module, args, kwargs=None):
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        del module._initialize_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _lazily(self, name, make):
        """A parameter in place of the one that the usual layer has made."""
        self.__dict__["_parameters"].pop(name, None)
        self.__dict__.pop(name, None)
        self.register_parameter(name, UninitializedParameter(**make))


class LazyLinear(LazyModuleMixin, Linear):
    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        make = {"device": device, "dtype": dtype}
        self._lazily("weight", make)
        self.out_features = out_features
        if bias:
            self._lazily("bias", make)

    def _input_size(self):
        return self.in_features

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if self.in_features == 0:
            if input.shape[-1] != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {input.shape[-1]} is not equal to in_features from self.weight: "
                    f"{self.weight.shape[-1]}"
                )
            self.in_features = input.shape[-1]


class _LazyConv(LazyModuleMixin):
    def __init__(self, out_channels, kernel_size, *args, bias=True, device=None, dtype=None, **kwargs):
        # One channel, so that the number of groups does not matter yet.
        groups = kwargs.pop("groups", 1)
        super().__init__(0, 0, kernel_size, *args, bias=False, **kwargs)
        make = {"device": device, "dtype": dtype}
        self.groups = groups
        self._lazily("weight", make)
        self.out_channels = out_channels
        if bias:
            self._lazily("bias", make)

    def _input_size(self):
        return self.in_channels

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        rank = self._dims
        if input.dim() not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {type(self).__name__}, but got input of "
                f"size: {input.shape}"
            )
        self.in_channels = input.shape[1] if input.dim() == rank + 2 else input.shape[0]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        ends = (self.in_channels, self.out_channels // self.groups)
        if not self.transposed:
            ends = (self.out_channels, self.in_channels // self.groups)
        self.weight.materialize((*ends, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyNorm(LazyModuleMixin):
    def __init__(self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(0, eps, momentum, False, False)
        make = {"device": device, "dtype": dtype}
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self._lazily("weight", make)
            self._lazily("bias", make)
        if track_running_stats:
            for name in ("running_mean", "running_var"):
                self.register_buffer(name, UninitializedBuffer(**make))
            self.register_buffer("num_batches_tracked", tensor(0, dtype=warpup.long, device=device))

    def _input_size(self):
        return self.num_features

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        names = (*(("weight", "bias") if self.affine else ()),
                 *(("running_mean", "running_var") if self.track_running_stats else ()))
        for name in names:
            getattr(self, name).materialize((self.num_features,))
        self.reset_parameters()


def _derive(mixin, base):
    name = "Lazy" + base.__name__
    globals()[name] = type(name, (mixin, base), {"cls_to_become": base, "__module__": __name__})


for _dims in (1, 2, 3):
    _derive(_LazyConv, getattr(convolution, f"Conv{_dims}d"))
    _derive(_LazyConv, getattr(convolution, f"ConvTranspose{_dims}d"))
    _derive(_LazyNorm, getattr(normalization, f"BatchNorm{_dims}d"))
    _derive(_LazyNorm, getattr(normalization, f"InstanceNorm{_dims}d"))
del _dims
