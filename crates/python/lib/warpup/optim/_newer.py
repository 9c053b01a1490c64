"""Adafactor and Muon, which are new in PyTorch. Loaded on first use. As there with foreach=False."""

import math

import warpup
from warpup import tensor
from warpup.optim import Optimizer, _kept


class Adafactor(Optimizer):
    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False,
    ):
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        super().__init__(params, dict(
            lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
        ))

    def _update(self, state, group, parameter, grad):
        if not state:
            state["step"] = tensor(0.0)
            shape = list(grad.shape)
            if grad.dim() > 1:
                state["row_var"] = _kept(grad.new_zeros([*shape[:-1], 1]))
                state["col_var"] = _kept(grad.new_zeros([*shape[:-2], 1, shape[-1]]))
            else:
                state["variance"] = _kept(warpup.zeros_like(grad))
        small, least = group["eps"]
        small = warpup.finfo(parameter.dtype).eps if small is None else small
        state["step"] += 1
        step = state["step"].item()
        new = step ** group["beta2_decay"]
        size = max(least, parameter.norm(2).item() / parameter.numel() ** 0.5) * min(group["lr"], 1 / step ** 0.5)
        if group["weight_decay"]:
            parameter.mul_(1 - group["lr"] * group["weight_decay"])
        if grad.dim() > 1:
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_(grad._vector_norm(2, -1, True).square_().div_(grad.size(-1)), new)
            columns.lerp_(grad._vector_norm(2, -2, True).square_().div_(grad.size(-2)), new)
            variance = (rows @ columns).div_(rows.mean(dim=-2, keepdim=True).clamp_(min=small))
        else:
            variance = state["variance"].lerp_(grad * grad, new).clone()
        update = variance.clamp_(min=small * small).rsqrt_().mul_(grad)
        denom = max(1.0, update.norm(2).item() / (update.numel() ** 0.5 * group["d"]))
        parameter.add_(update, alpha=-size / denom)


class Muon(Optimizer):
    """For matrices: momentum, made orthogonal by a few products in bfloat16."""

    def __init__(
        self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.7750, 2.0315),
        eps=1e-7, ns_steps=5, adjust_lr_fn=None,
    ):
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 <= momentum:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw", "spectral_unclamped"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, dict(
            lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, ns_coefficients=ns_coefficients,
            eps=eps, ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn,
        ))
        for group in self.param_groups:
            for it in group["params"]:
                if it.ndim != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {it.size()}"
                    )

    def _update(self, state, group, parameter, grad):
        if not state:
            state["momentum_buffer"] = _kept(warpup.zeros_like(grad))
        buffer = state["momentum_buffer"].lerp_(grad, 1 - group["momentum"])
        update = grad.lerp(buffer, group["momentum"]) if group["nesterov"] else buffer
        update = _orthogonal(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
        parameter.mul_(1 - group["lr"] * group["weight_decay"])
        parameter.add_(update, alpha=-group["lr"] * _ratio(group["adjust_lr_fn"], *parameter.shape[:2]))


def _orthogonal(grad, coefficients, steps, eps):
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    a, b, c = coefficients
    made = grad.to(warpup.bfloat16, copy=True)
    is_tall = grad.size(0) > grad.size(1)
    made = made.T if is_tall else made
    made = made / made.norm().clamp(min=eps)
    for _ in range(steps):
        gram = made @ made.T
        made = warpup.addmm(made, warpup.addmm(gram, gram, gram, beta=b, alpha=c), made, beta=a)
    return made.T if is_tall else made


def _ratio(how, rows, columns):
    if how == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    if how == "spectral_unclamped":
        return math.sqrt(rows / columns)
    return math.sqrt(max(1, rows / columns))
