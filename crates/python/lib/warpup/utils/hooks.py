"""torch.utils.hooks: the handle that removes a hook, and the hooks of a tensor."""

import _warpup
from warpup import _names, Tensor

# What its classes print as their module.
__name__ = "torch.utils.hooks"


class RemovableHandle:
    """Removes a hook from the dictionary that has it."""

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self._hooks = hooks_dict
        self._extra = extra_dict if isinstance(extra_dict, (list, tuple)) else [extra_dict] if extra_dict else []
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self):
        self._hooks.pop(self.id, None)
        for extra in self._extra:
            extra.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.remove()


class _OfGradient:
    """The hooks of a tensor: each is given what the one before has made of the gradient."""

    def __init__(self):
        self.hooks = {}

    def __call__(self, grad):
        for hook in list(self.hooks.values()):
            changed = hook(grad)
            if changed is None:
                continue
            name = getattr(hook, "__name__", type(hook).__name__)
            if not isinstance(changed, Tensor):
                raise TypeError(f"hook '{name}' has returned a value of type {type(changed).__name__}, expected Tensor")
            if changed.shape != grad.shape:
                raise RuntimeError(f"hook '{name}' has changed the size of value")
            if changed.dtype != grad.dtype:
                raise RuntimeError(f"hook '{name}' has changed the type of value (was {grad.type()} got {changed.type()})")
            grad = changed
        return grad


class _OfLeaf:
    """What is called with a leaf once its gradient is there."""

    def __init__(self, leaf):
        import weakref

        self.hooks = {}
        # The hook must not keep the tensor; but dictionaries of the program know this object, not another handle.
        self.leaf = weakref.ref(leaf)

    def __call__(self, leaf):
        own = self.leaf()
        for hook in list(self.hooks.values()):
            if hook(leaf if own is None else own) is not None:
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def _registered(tensor, hook, after, make):
    if not tensor.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if after and not tensor.is_leaf:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    known = _warpup.hook_of(tensor, after)
    if known is None:
        known = make()
        _warpup.set_hook(tensor, after, known)
    handle = RemovableHandle(known.hooks)
    known.hooks[handle.id] = hook
    return handle


def register_hook(tensor, hook):
    return _registered(tensor, hook, False, _OfGradient)


def register_post_accumulate_grad_hook(tensor, hook):
    return _registered(tensor, hook, True, lambda: _OfLeaf(tensor))


class _OfNode:
    """The hooks of a node: before it has the gradients of its results, and with those that it made of its inputs."""

    def __init__(self):
        self.first, self.hooks = {}, {}

    def before(self, results):
        for hook in list(self.first.values()):
            results = self._changed(hook(tuple(results)), results, "pre-hook", "grad_outputs")
        return results

    def after(self, inputs, results, turned):
        if turned is not None and inputs[turned] is not None:
            # PyTorch has the weight of a linear layer turned.
            inputs[turned] = inputs[turned].t()
        for hook in list(self.hooks.values()):
            inputs = self._changed(hook(tuple(inputs), tuple(results)), inputs, "hook", "grad_inputs")
        if turned is not None and inputs[turned] is not None:
            inputs[turned] = inputs[turned].t()
        return inputs

    def _changed(self, made, before, what, name):
        if made is None:
            return before
        made = list(made) if isinstance(made, (tuple, list)) else [made]
        if len(made) != len(before):
            raise RuntimeError(f"{what} has returned an incorrect number of {name} (got {len(made)}, but expected {len(before)})")
        return made


def _of(node):
    known = _warpup.node_hook(node)
    if known is None:
        known = _OfNode()
        _warpup.set_node_hook(node, known)
        if _warpup.node_hook(node) is None:
            raise NotImplementedError("hooks of AccumulateGrad are not part of warpup; use register_hook of the tensor")
    return known


def of_node(node, hook):
    hooks = _of(node).hooks
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def before_node(node, hook):
    hooks = _of(node).first
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


__getattr__ = _names.getter("torch.utils.hooks", globals())
