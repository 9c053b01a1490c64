"""torch.autograd.Function: operations whose backward the program writes."""

import _warpup
import warpup
from warpup import Tensor, no_grad

# What its classes print as their module.
__name__ = "torch.autograd.function"


class FunctionCtx:
    """What `forward` keeps for `backward`."""

    materialize_grads = True
    non_differentiable = ()
    dirty_tensors = ()
    to_save = ()

    def save_for_backward(self, *tensors):
        for it in tensors:
            if it is not None and not isinstance(it, Tensor):
                raise TypeError(f"save_for_backward can only save variables, but argument 0 is of type {type(it).__name__}")
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """For forward-mode gradients, which warpup does not have."""

    def mark_dirty(self, *args):
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        self.materialize_grads = value


class _Context(FunctionCtx):
    """The `ctx` of one call; backward gets it back with the node of the graph."""

    @property
    def saved_tensors(self):
        node = self.__dict__.get("_node")
        if node is None:
            return tuple(self.to_save)
        saved = iter(_warpup.saved_by(node))
        return tuple(None if is_none else next(saved) for is_none in self._saved_none)

    @property
    def saved_variables(self):
        import warnings

        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    def _backward(self, node, grads):
        """The gradients of the tensors among the inputs. The node is not kept, since it keeps this object."""
        given = grads + [None] * (len(self._zeros) - len(grads))
        if self.materialize_grads:
            given = [zeros() if own is None and zeros else own for own, zeros in zip(given, self._zeros)]
        self._node = node
        try:
            found = self._cls.backward(self, *given)
        finally:
            del self._node
        return self._checked(found if isinstance(found, tuple) else (found,))

    def _checked(self, found):
        name, count = self._name, len(self._is_tensor)
        if len(found) > count and all(it is None for it in found[count:]):
            found = found[:count]
        if len(found) != count:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {count}, got {len(found)})"
            )
        for at, (it, is_tensor) in enumerate(zip(found, self._is_tensor)):
            if not is_tensor and it is not None:
                raise RuntimeError(
                    f"function {name} returned a gradient different than None at position {at + 1}, "
                    "but the corresponding forward input was not a Variable"
                )
            if it is not None and not isinstance(it, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(it).__name__})")
        return [it for it, is_tensor in zip(found, self._is_tensor) if is_tensor]


def _zeros_of(tensor):
    """Makes zeros in the shape of a tensor, which need not live that long."""
    shape, dtype, device = tensor.shape, tensor.dtype, tensor.device
    return lambda: warpup.zeros(shape, dtype=dtype, device=device)


def _is_one_of(tensor, others):
    return any(tensor is it for it in others)


class _FunctionMeta(type):
    def __init__(cls, name, bases, attributes):
        type.__init__(cls, name, bases, attributes)
        cls._backward_cls = None


class Function(metaclass=_FunctionMeta):
    """A function with a backward of its own: subclass it, and call `apply`."""

    # The name of its node, where it is a function of PyTorch's.
    _node_name = None

    def __init__(self, *args, **kwargs):
        import warnings

        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function "
            "with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @staticmethod
    def jvp(ctx, *grad_inputs):
        raise NotImplementedError("forward-mode gradients are not part of warpup; PyTorch has them")

    vjp = backward

    @classmethod
    def apply(cls, *args, **kwargs):
        if kwargs and cls.setup_context is not Function.setup_context:
            raise TypeError("apply() takes no keyword arguments for a function with setup_context")
        if cls._backward_cls is None:
            # What `ctx` shows of its class.
            cls._backward_cls = type(cls.__name__ + "Backward", (_Context,), {"__module__": "torch.autograd.function"})
        ctx = cls._backward_cls()
        ctx._name = cls._node_name or cls.__name__ + "Backward"
        ctx._cls = cls if cls.vjp is Function.vjp else type(cls.__name__, (), {"backward": staticmethod(cls.vjp)})
        ctx._is_tensor = [isinstance(it, Tensor) for it in args]
        ctx.needs_input_grad = tuple(isinstance(it, Tensor) and it.requires_grad for it in args)
        with no_grad():
            if cls.setup_context is Function.setup_context:
                result = cls.forward(ctx, *args, **kwargs)
            else:
                result = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, result)
        if not (warpup.is_grad_enabled() and any(ctx.needs_input_grad)):
            ctx.to_save = ()
            return result
        return _linked(ctx, args, result)


def _linked(ctx, args, result):
    """The results, with the function as what made them."""
    results = list(result) if isinstance(result, tuple) else [result]
    places = [
        at for at, it in enumerate(results)
        if isinstance(it, Tensor) and it.is_floating_point() and not _is_one_of(it, ctx.non_differentiable)
    ]
    own = [(at, results[at]) for at in places]
    ctx._zeros = [_zeros_of(it) if isinstance(it, Tensor) else None for it in results]
    inputs = [it for it in args if isinstance(it, Tensor)]
    saved, ctx.to_save = ctx.to_save, ()
    *made, node = _warpup.apply_function(ctx, inputs, own, [it for it in ctx.dirty_tensors if it is not None])
    for at, it in zip(places, made):
        # What was saved of a result is the result with its history.
        saved = tuple(it if kept is results[at] else kept for kept in saved)
        results[at] = it
    ctx._saved_none = [it is None for it in saved]
    ctx.dirty_tensors = ctx.non_differentiable = ()
    _warpup.save_for(node, [it for it in saved if it is not None])
    return tuple(results) if isinstance(result, tuple) else results[0]


class _Refused(Function):
    """Stands where a second derivative would have to be."""

    @staticmethod
    def forward(ctx, *args):
        return tuple(it.detach() for it in args)

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(fn):
    import functools

    @functools.wraps(fn)
    def wrapper(ctx, *args, **kwargs):
        with no_grad():
            outputs = fn(ctx, *args, **kwargs)
        if not warpup.is_grad_enabled() or not any(isinstance(it, Tensor) and it.requires_grad for it in args):
            return outputs
        listed = outputs if isinstance(outputs, tuple) else (outputs,)
        refused = iter(_Refused.apply(*(it.detach().requires_grad_() for it in listed if it is not None)))
        return tuple(None if it is None else next(refused) for it in listed)

    return wrapper
