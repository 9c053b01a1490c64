"""The hooks of a module: what is called before and after `forward`, and with the gradients. Loaded with the first hook.
"""

from collections import OrderedDict

import warpup
from warpup import Tensor
from warpup._warn import warn
from warpup.autograd.function import Function
from warpup.utils.hooks import RemovableHandle

KINDS = (
    "pre", "forward", "backward_pre", "backward", "backward_legacy", "state_pre", "state_post", "load_pre", "load_post",
)


class Hooks:
    """The hooks of one module, or of all, by kind and number."""

    def __init__(self):
        self.of = {kind: OrderedDict() for kind in KINDS}
        self.with_kwargs = {}
        self.always = {}

    def add(self, kind, hook, prepend=False, with_kwargs=False, always_call=False):
        hooks = self.of[kind]
        handle = RemovableHandle(hooks, extra_dict=[self.with_kwargs, self.always])
        hooks[handle.id] = hook
        if with_kwargs:
            self.with_kwargs[handle.id] = True
        if always_call:
            self.always[handle.id] = True
        if prepend:
            rest = {number: it for number, it in hooks.items() if number != handle.id}
            hooks.clear()
            hooks.update({handle.id: hook, **rest})
        return handle

    def _each(self, module, kind):
        """The hooks of all modules, and then those of this one."""
        return [it for hooks in self._levels(module) for it in hooks.of[kind].items()]

    def _levels(self, module):
        return (self,) if module._hooks_of_all in (None, self) else (module._hooks_of_all, self)

    def _takes_kwargs(self, module, number):
        return any(number in it.with_kwargs for it in self._levels(module))

    def call(self, module, args, kwargs):
        called = set()
        result = None
        try:
            args, kwargs = self._before(module, args, kwargs)
            backward = None
            after, before = self._each(module, "backward"), self._each(module, "backward_pre")
            if after or before:
                backward = _Backward(module, [it for _, it in after], [it for _, it in before])
                args = backward.entered(args)
            result = module.forward(*args, **kwargs)
            for number, hook in self._each(module, "forward"):
                called.add(number)
                changed = self._after(number, hook, (module, args, kwargs, result))
                result = result if changed is None else changed
            legacy = self._each(module, "backward_legacy")
            if legacy:
                self._watch(module, result, [it for _, it in legacy])
            return result if backward is None else backward.left(result)
        except Exception:
            for number, hook in self._each(module, "forward"):
                if number not in called and any(number in it.always for it in self._levels(module)):
                    self._silenced(number, hook, (module, args, kwargs, result))
            raise

    @staticmethod
    def _watch(module, result, hooks):
        """Hooks of old see the gradients of the last node only."""
        while not isinstance(result, Tensor):
            if isinstance(result, dict):
                result = next(it for it in result.values() if isinstance(it, Tensor))
            else:
                result = result[0]
        if result.grad_fn is not None:
            for hook in hooks:
                result.grad_fn.register_hook(lambda ins, outs, hook=hook: hook(module, ins, outs))

    def _before(self, module, args, kwargs):
        for number, hook in self._each(module, "pre"):
            if self._takes_kwargs(module, number):
                changed = hook(module, args, kwargs)
                if changed is None:
                    continue
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                args, kwargs = changed
            else:
                changed = hook(module, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs

    def _after(self, number, hook, facts):
        module, args, kwargs, result = facts
        if self._takes_kwargs(module, number):
            return hook(module, args, kwargs, result)
        return hook(module, args, result)

    def _silenced(self, number, hook, facts):
        try:
            self._after(number, hook, facts)
        except Exception as error:
            warn(
                "module forward hook with ``always_call=True`` raised an exception that was silenced as "
                f"another error was raised in forward: {error}"
            )


class BackwardHookFunction(Function):
    """Passes tensors on; its backward sees their gradients."""

    @staticmethod
    def forward(ctx, seen, *args):
        ctx.seen = seen
        ctx.mark_non_differentiable(*[it for it in args if not it.requires_grad])
        ctx.set_materialize_grads(False)
        return args

    @staticmethod
    def backward(ctx, *grads):
        return (None, *ctx.seen(grads))


def _passed(values, seen):
    """The values with their tensors passed through; and where these are, or None if none requires a gradient."""
    places = [at for at, it in enumerate(values) if isinstance(it, Tensor)]
    tensors = [values[at] for at in places]
    if not (warpup.is_grad_enabled() and any(it.requires_grad for it in tensors)):
        return values, None
    values = list(values)
    for at, it in zip(places, BackwardHookFunction.apply(seen, *tensors)):
        values[at] = it
    return tuple(values), places


def _spread(values, places, count):
    whole = [None] * count
    for at, it in zip(places, values):
        whole[at] = it
    return tuple(whole)


class _Backward:
    """Calls the full backward hooks once the gradients of outputs and of inputs are there."""

    def __init__(self, module, hooks, pre_hooks):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs = None

    def entered(self, args):
        args = tuple(args)
        self.count_in = len(args)
        args, self.inputs = _passed(args, self._of_inputs)
        return args

    def left(self, result):
        if not isinstance(result, (Tensor, tuple)):
            warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors "
                f"but received {type(result)}"
            )
            return result
        values = result if isinstance(result, tuple) else (result,)
        self.count_out = len(values)
        values, self.outputs = _passed(values, self._of_outputs)
        return values if isinstance(result, tuple) else values[0]

    def _of_inputs(self, grads):
        if self.grad_outputs is None:
            return grads
        grads = _spread(grads, self.inputs, self.count_in)
        for hook in self.hooks:
            changed = hook(self.module, grads, self.grad_outputs)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(grads):
                raise RuntimeError(
                    f"Backward hook returned an invalid number of grad_input, got {len(changed)}, but expected {len(grads)}"
                )
            grads = changed
        self.grad_outputs = None
        return tuple(grads[at] for at in self.inputs)

    def _of_outputs(self, grads):
        grads = _spread(grads, self.outputs, self.count_out)
        for hook in self.pre_hooks:
            changed = hook(self.module, grads)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(grads):
                raise RuntimeError(
                    f"Backward pre hook returned an invalid number of grad_output, got {len(changed)}, but expected "
                    f"{len(grads)}"
                )
            grads = changed
        if self.inputs is None:
            for hook in self.hooks:
                changed = hook(self.module, (None,) * self.count_in, grads)
                if changed is not None and not (isinstance(changed, tuple) and all(it is None for it in changed)):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or None "
                        "for all gradients."
                    )
        else:
            self.grad_outputs = grads
        return tuple(grads[at] for at in self.outputs)
