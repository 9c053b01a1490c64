"""torch.autograd.functional: whole Jacobians and Hessians, one row after another."""

import warpup
from warpup import Tensor, _names
from warpup.autograd import grad


def _tuple(values):
    return (values,) if isinstance(values, Tensor) else tuple(values)


def _prepared(inputs, create_graph):
    """Inputs that no other graph uses, unless the result needs one."""
    if create_graph:
        return tuple(it.view_as(it) if it.requires_grad else it.detach().requires_grad_() for it in inputs)
    return tuple(it.detach().requires_grad_() for it in inputs)


def _check(name, values, what):
    for it in values:
        if not isinstance(it, Tensor):
            raise TypeError(f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the "
                            f"value at index 0 has type {type(it)}.")


def _refuse(**options):
    for name, (value, default) in options.items():
        if value != default:
            raise NotImplementedError(f"{name}={value!r} is not part of warpup; PyTorch has it. Leave it out")


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivative of each output by each input; `vectorize` changes nothing here."""
    _refuse(strategy=(strategy, "reverse-mode"), strict=(strict, False))
    single = isinstance(inputs, Tensor)
    with warpup.enable_grad():
        own = _prepared(_tuple(inputs), create_graph)
        outputs = func(*own)
        one_output = isinstance(outputs, Tensor)
        outputs = _tuple(outputs)
        _check("jacobian", outputs, "outputs of the user-provided function")
        rows = tuple(_rows(out, own, create_graph) for out in outputs)
    rows = tuple(row[0] for row in rows) if single else rows
    return rows[0] if one_output else rows


def _rows(out, inputs, create_graph):
    """The Jacobian of one output by each input."""
    found = [[] for _ in inputs]
    for element in out.reshape(-1).unbind(0) if out.numel() else ():
        grads = [None] * len(inputs)
        if element.requires_grad:
            grads = grad(element, inputs, retain_graph=True, create_graph=create_graph, allow_unused=True)
        for it, own, row in zip(inputs, grads, found):
            row.append(warpup.zeros_like(it) if own is None else own)
    return tuple(warpup.stack(row).reshape(*out.shape, *it.shape) for it, row in zip(inputs, found))


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The second derivatives of a function with one number as its result."""
    _refuse(outer_jacobian_strategy=(outer_jacobian_strategy, "reverse-mode"), strict=(strict, False))
    single = isinstance(inputs, Tensor)

    def gradients(*own):
        out = func(*own)
        if not isinstance(out, Tensor):
            raise RuntimeError("The function given to hessian should return a single Tensor")
        if out.numel() != 1:
            raise RuntimeError("The Tensor returned by the function given to hessian should contain a single element")
        found = jacobian(lambda *it: func(*it).reshape(()), own, create_graph=True)
        return found

    whole = jacobian(gradients, _tuple(inputs), create_graph=create_graph)
    return whole[0][0] if single else whole


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The results, and the product of a vector with the Jacobian."""
    _refuse(strict=(strict, False))
    single = isinstance(inputs, Tensor)
    with warpup.enable_grad():
        own = _prepared(_tuple(inputs), create_graph)
        outputs = func(*own)
        if v is None and sum(it.numel() for it in _tuple(outputs)) != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single "
                "element."
            )
        seeds = None if v is None else _tuple(v)
        found = grad(_tuple(outputs), own, seeds, create_graph=create_graph, allow_unused=True)
    found = tuple(warpup.zeros_like(it) if own is None else own for it, own in zip(own, found))
    if not create_graph:
        outputs = outputs.detach() if isinstance(outputs, Tensor) else tuple(it.detach() for it in outputs)
    return outputs, found[0] if single else found


__getattr__ = _names.getter("torch.autograd.functional", globals())
