"""torch.nn.utils: norms of gradients, and parameters as one vector."""

import warpup
from warpup import Tensor, _names


def _grads(parameters):
    if isinstance(parameters, Tensor):
        parameters = [parameters]
    return [it.grad for it in parameters if it.grad is not None]


def _each(name, depth, function, *lists, foreach=None):
    """A function of each tensor: on a modelled card in one launch for all, as PyTorch does it on a card."""
    import _cuda

    on_card = all(it.is_cuda for it in lists[0])
    if on_card and foreach is not False and _cuda.is_modelled():
        from warpup.optim import _together

        return _together.each(name, depth, function, *lists)
    return [function(*tensors) for tensors in zip(*lists)]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return warpup.tensor(0.0)
    if norm_type == float("inf"):
        total = warpup.stack(_each("norm", 1, lambda it: it.abs().max(), tensors, foreach=foreach)).max()
    elif norm_type == 2.0:
        total = warpup.stack(_each("norm", 1, lambda it: (it * it).sum(), tensors, foreach=foreach)).sum().sqrt()
    else:
        powers = _each("norm", 1, lambda it: (it.abs() ** norm_type).sum(), tensors, foreach=foreach)
        total = warpup.stack(powers).sum() ** (1.0 / norm_type)
    if error_if_nonfinite and not float("-inf") < total.item() < float("inf"):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
            "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    return total


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales all gradients so that their norm is at most `max_norm`. The host does not wait for the card."""
    with warpup.no_grad():
        grads = _grads(parameters)
        total = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
        _scale(grads, max_norm, total, foreach)
    return total


clip_grad_norm = clip_grad_norm_


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    with warpup.no_grad():
        _scale(_grads(parameters), max_norm, total_norm, foreach)


def _scale(grads, max_norm, total, foreach):
    scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
    if grads:
        _each("mul_", 1, lambda it: it.mul_(scale), grads, foreach=foreach)


def clip_grad_value_(parameters, clip_value, foreach=None):
    with warpup.no_grad():
        for grad in _grads(parameters):
            grad.clamp_(-clip_value, clip_value)


def parameters_to_vector(parameters):
    return warpup.cat([it.reshape(-1) for it in parameters])


def vector_to_parameters(vec, parameters):
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec)}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].reshape(parameter.shape).clone()
        start = end


# Names that few programs use are loaded on first use.
_LATER = {
    "warpup.nn.utils.rnn": "rnn",
    "warpup.nn.utils.parametrize": "parametrize",
    "warpup.nn.utils.parametrizations": "parametrizations",
    "warpup.nn.utils.prune": "prune",
    "warpup.nn.utils.fusion":
        "fusion fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
    "warpup.nn.utils._norms": "weight_norm remove_weight_norm spectral_norm remove_spectral_norm skip_init",
}
__getattr__ = _names.getter("torch.nn.utils", globals(), _LATER)
