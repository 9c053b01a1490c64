"""Optimizers that few programs use, loaded on first use. As in PyTorch with foreach=False."""

import warpup
from warpup import tensor
from warpup.optim import Optimizer, _at_least_zero, _begin, _decayed, _kept


class RAdam(Optimizer):
    def __init__(
        self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):
        _at_least_zero(("learning rate", lr), ("epsilon value", eps), ("weight_decay value", weight_decay))
        for at, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {at}: {beta}")
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
            capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable,
        ))

    def _update(self, state, group, parameter, grad):
        _begin(state, parameter, "exp_avg", "exp_avg_sq")
        lr, (beta1, beta2), step = group["lr"], group["betas"], state["step"].item()
        if not group["decoupled_weight_decay"]:
            grad = _decayed(group, parameter, grad)
        elif group["weight_decay"]:
            parameter.mul_(1 - lr * group["weight_decay"])
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        correction = 1 - beta2 ** step
        corrected = mean / (1 - beta1 ** step)
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2 ** step / correction
        if length <= 5.0:
            parameter.add_(corrected * lr, alpha=-1.0)
            return
        rectified = (
            (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        ) ** 0.5
        adaptive = correction ** 0.5 / square.sqrt().add_(group["eps"])
        parameter.add_(corrected * lr * adaptive * rectified, alpha=-1.0)


class Rprop(Optimizer):
    def __init__(
        self, params, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-06, 50), *, capturable=False, foreach=None,
        maximize=False, differentiable=False,
    ):
        _at_least_zero(("learning rate", lr))
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, dict(
            lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
            differentiable=differentiable, capturable=capturable,
        ))

    def _update(self, state, group, parameter, grad):
        if not state:
            state["step"] = tensor(0.0)
            state["prev"] = _kept(warpup.zeros_like(parameter))
            state["step_size"] = _kept(warpup.full_like(grad, group["lr"]))
        state["step"] += 1
        less, more = group["etas"]
        sign = grad.mul(state["prev"]).sign()
        sign[sign.gt(0)] = more
        sign[sign.lt(0)] = less
        sign[sign.eq(0)] = 1
        state["step_size"].mul_(sign).clamp_(*group["step_sizes"])
        grad = grad.clone()
        grad[sign.eq(less)] = 0
        parameter.addcmul_(grad.sign(), state["step_size"], value=-1)
        state["prev"].copy_(grad)


class ASGD(Optimizer):
    """Averaged SGD; the average is in the state."""

    def __init__(
        self, params, lr=0.01, lambd=0.0001, alpha=0.75, t0=1000000.0, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):
        _at_least_zero(("learning rate", lr), ("weight_decay value", weight_decay))
        super().__init__(params, dict(
            lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
            differentiable=differentiable, capturable=capturable,
        ))

    def _update(self, state, group, parameter, grad):
        if not state:
            state.update(
                step=tensor(0.0), eta=tensor(float(group["lr"])), mu=tensor(1.0),
                ax=_kept(warpup.zeros_like(parameter)),
            )
        state["step"] += 1
        lr, lambd, step, eta = group["lr"], group["lambd"], state["step"].item(), state["eta"].item()
        grad = _decayed(group, parameter, grad)
        parameter.mul_(1 - lambd * eta)
        parameter.add_(grad, alpha=-eta)
        if state["mu"].item() != 1:
            state["ax"].add_(parameter.sub(state["ax"]).mul_(state["mu"]))
        else:
            state["ax"].copy_(parameter)
        state["eta"].fill_(lr / (1 + lambd * lr * step) ** group["alpha"])
        state["mu"].fill_(1 / max(1, step - group["t0"]))


class SparseAdam(Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, maximize=False):
        raise NotImplementedError(
            "SparseAdam is not part of warpup, which has no sparse gradients; PyTorch has it. "
            "Use Adam, and Embedding without sparse=True"
        )
