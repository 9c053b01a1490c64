"""torch.autograd: gradients with respect to given tensors."""

import _warpup
from warpup import _names, Tensor, enable_grad, no_grad, set_grad_enabled


def _listed(values):
    return [values] if isinstance(values, Tensor) else list(values)


def _seeds(given, outputs):
    return [None] * len(outputs) if given is None else _listed(given)


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, is_grads_batched=False,
    allow_unused=None, materialize_grads=False
):
    if is_grads_batched:
        raise NotImplementedError(
            "grad(is_grads_batched=True) is not part of warpup; PyTorch has it. Call grad once for each gradient"
        )
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    outputs, inputs = _listed(outputs), _listed(inputs)
    retain_graph = create_graph if retain_graph is None else retain_graph
    found = _warpup.gradients(outputs, _seeds(grad_outputs, outputs), inputs, retain_graph, create_graph)
    if materialize_grads:
        return tuple(_warpup.zeros_like(it) if own is None else own for it, own in zip(inputs, found))
    if not allow_unused:
        for at, own in enumerate(found):
            if own is None:
                raise RuntimeError(
                    f"The differentiated Tensor at index {at} appears to not have been used in the graph. "
                    "Set allow_unused=True if this is the desired behavior."
                )
    return tuple(found)


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None
):
    tensors = _listed(tensors)
    seeds = _seeds(grad_tensors, tensors)
    if inputs is None:
        _warpup.backward(tensors, seeds, retain_graph, create_graph)
        return
    inputs = _listed(inputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    found = _warpup.gradients(tensors, seeds, inputs, retain_graph, create_graph)
    with set_grad_enabled(bool(create_graph)):
        for it, own in zip(inputs, found):
            if own is not None:
                it.grad = own if it.grad is None else it.grad + own


__getattr__ = _names.getter(
    "torch.autograd", globals(), {
        "warpup._legacy": "Variable",
        "warpup.autograd.function": "Function function",
        "warpup.autograd.functional": "functional",
        "warpup.autograd._gradcheck": "gradcheck gradgradcheck",
        "warpup.autograd.grad_mode": "grad_mode inference_mode",
        "warpup.autograd.graph": "graph",
        "warpup.autograd.profiler": "profiler",
        "warpup.autograd._anomaly": "detect_anomaly set_detect_anomaly",
    }
)
