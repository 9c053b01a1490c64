"""torch.autograd: gradients with respect to given tensors."""

import _warpup
from warpup import _names, Tensor, enable_grad, no_grad, set_grad_enabled


def _listed(values):
    return [values] if isinstance(values, Tensor) else list(values)


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=None, materialize_grads=False
):
    outputs, inputs = _listed(outputs), _listed(inputs)
    seeds = [None] * len(outputs) if grad_outputs is None else _listed(grad_outputs)
    found = _warpup.gradients(outputs, seeds, inputs, retain_graph, create_graph)
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


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False):
    tensors = _listed(tensors)
    seeds = [None] * len(tensors) if grad_tensors is None else _listed(grad_tensors)
    for at, (it, seed) in enumerate(zip(tensors, seeds)):
        # The outputs may share a graph, so only the last backward pass frees it.
        it.backward(seed, retain_graph or at + 1 < len(tensors), create_graph)


__getattr__ = _names.getter("torch.autograd", globals(), {"warpup._legacy": "Variable"})
