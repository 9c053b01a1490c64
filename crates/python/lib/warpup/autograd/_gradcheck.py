"""torch.autograd.gradcheck: compares gradients with differences of the function."""

import warpup
from warpup import Tensor
from warpup.autograd import grad


class GradcheckError(RuntimeError):
    """The gradients are not those of the function."""


def _tuple(values):
    return (values,) if isinstance(values, Tensor) else tuple(values)


def _numerical(func, inputs, number, at, eps):
    """How each output changes with one input: one row for each element."""
    values = inputs[number]
    flat = values.detach().clone().reshape(-1)
    rows = []
    for place in range(flat.numel()):
        both = []
        for step in (-eps, eps):
            moved = flat.clone()
            moved[place] += step
            given = list(inputs)
            given[number] = moved.reshape(values.shape)
            with warpup.no_grad():
                both.append(_tuple(func(*given))[at].detach().clone())
        rows.append(((both[1] - both[0]) / (2 * eps)).reshape(-1))
    return warpup.stack(rows)


def _analytical(out, values):
    columns = []
    for element in out.reshape(-1).unbind(0):
        own, = grad(element, [values], retain_graph=True, allow_unused=True)
        columns.append((warpup.zeros_like(values) if own is None else own).detach().reshape(-1))
    return warpup.stack(columns, 1)


def gradcheck(
    func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True,
    check_grad_dtypes=False, check_batched_grad=False, check_forward_ad=False, check_backward_ad=True, fast_mode=False,
    masked=None
):
    inputs = _tuple(inputs)
    if not any(isinstance(it, Tensor) and it.requires_grad for it in inputs):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True."
        )
    outputs = _tuple(func(*inputs))
    for at, out in enumerate(outputs):
        if not out.requires_grad:
            continue
        for number, values in enumerate(inputs):
            if not isinstance(values, Tensor) or not values.requires_grad:
                continue
            numerical = _numerical(func, inputs, number, at, eps)
            analytical = _analytical(out, values)
            if not warpup.allclose(analytical, numerical.to(analytical.dtype), rtol=rtol, atol=atol):
                if not raise_exception:
                    return False
                raise GradcheckError(
                    f"Jacobian mismatch for output {at} with respect to input {number},\n"
                    f"numerical:{numerical}\nanalytical:{analytical}\n"
                )
    return True


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, **options):
    """The same for the gradients of the gradients."""
    inputs = _tuple(inputs)
    seeds = grad_outputs or tuple(warpup.ones_like(it).requires_grad_() for it in _tuple(func(*inputs)))

    def gradients(*given):
        own, seeds = given[:len(inputs)], given[len(inputs):]
        own = tuple(it if it.requires_grad else it.detach().requires_grad_() for it in own)
        wanted = tuple(it for it, of in zip(own, inputs) if of.requires_grad)
        with warpup.enable_grad():
            return grad(_tuple(func(*own)), wanted, seeds, create_graph=True, allow_unused=True, materialize_grads=False)

    return gradcheck(gradients, (*inputs, *_tuple(seeds)), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)
