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
    """The derivative of each output by each input; `vectorize` and `strategy` change nothing here."""
    _refuse(strict=(strict, False))
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
    _refuse(strict=(strict, False))
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


def _given(values, like, what):
    """The vector, or ones where it may be left out."""
    if values is None:
        if sum(it.numel() for it in like) != 1:
            raise RuntimeError(
                f"The vector v can only be None if {what}."
            )
        return tuple(warpup.ones_like(it) for it in like)
    return _tuple(values)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The results, and the product of the Jacobian with a vector, by going back twice."""
    _refuse(strict=(strict, False))
    with warpup.enable_grad():
        own = _prepared(_tuple(inputs), create_graph)
        tangents = _given(v, own, "the input to the user-provided function is a single Tensor with a single element")
        outputs = func(*own)
        results = _tuple(outputs)
        seeds = tuple(warpup.zeros_like(it).requires_grad_() for it in results)
        pulled = grad(results, own, seeds, create_graph=True, allow_unused=True)
        pairs = [(it, tangent) for it, tangent in zip(pulled, tangents) if it is not None]
        found = grad(
            [it for it, _ in pairs], seeds, [tangent for _, tangent in pairs], create_graph=create_graph, allow_unused=True
        )
    found = tuple(warpup.zeros_like(it) if own is None else own for it, own in zip(results, found))
    if not create_graph:
        outputs = outputs.detach() if isinstance(outputs, Tensor) else tuple(it.detach() for it in outputs)
    return outputs, found[0] if isinstance(outputs, Tensor) else found


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The result, and the product of the Hessian with a vector."""
    _refuse(strict=(strict, False))
    single = isinstance(inputs, Tensor)
    with warpup.enable_grad():
        own = _prepared(_tuple(inputs), create_graph)
        vector = _given(v, own, "the input to the user-provided function is a single Tensor with a single element")
        output = func(*own)
        if not isinstance(output, Tensor):
            raise RuntimeError("The Tensor returned by the function given to hvp should be a single Tensor")
        if output.numel() != 1:
            raise RuntimeError("The Tensor returned by the function given to hvp should contain a single element")
        slopes = grad(output, own, create_graph=True, allow_unused=True)
        pairs = [(it, one) for it, one in zip(slopes, vector) if it is not None and it.requires_grad]
        found = grad(
            [it for it, _ in pairs], own, [one for _, one in pairs], create_graph=create_graph, allow_unused=True
        ) if pairs else (None,) * len(own)
    found = tuple(warpup.zeros_like(it) if one is None else one for it, one in zip(own, found))
    return (output if create_graph else output.detach()), found[0] if single else found


vhp = hvp
__getattr__ = _names.getter("torch.autograd.functional", globals())
