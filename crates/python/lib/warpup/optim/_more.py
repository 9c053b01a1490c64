"""Rarer optimizers, loaded on first use. As in PyTorch with foreach=False."""

import warpup
from warpup import enable_grad, no_grad, tensor
from warpup.optim import Optimizer, _at_least_zero, _begin, _decayed, _kept


class Adagrad(Optimizer):
    def __init__(
        self, params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *,
        maximize=False, differentiable=False, fused=None,
    ):
        _at_least_zero(
            ("learning rate", lr), ("lr_decay value", lr_decay), ("weight_decay value", weight_decay),
            ("initial_accumulator_value value", initial_accumulator_value), ("epsilon value", eps),
        )
        super().__init__(params, dict(
            lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
            differentiable=differentiable, fused=fused,
        ))
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state[parameter]
                state["step"] = tensor(0.0)
                with no_grad():
                    state["sum"] = _kept(warpup.zeros_like(parameter).fill_(float(initial_accumulator_value)))

    def _update(self, state, group, parameter, grad):
        state["step"] += 1
        grad = _decayed(group, parameter, grad)
        rate = group["lr"] / (1 + (state["step"].item() - 1) * group["lr_decay"])
        state["sum"].addcmul_(grad, grad, value=1)
        spread = state["sum"].sqrt().add_(group["eps"])
        parameter.addcdiv_(grad, spread, value=-rate)


class Adadelta(Optimizer):
    def __init__(
        self, params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, foreach=None, *, capturable=False, maximize=False,
        differentiable=False,
    ):
        _at_least_zero(("learning rate", lr), ("epsilon value", eps), ("weight_decay value", weight_decay))
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        super().__init__(params, dict(
            lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
            foreach=foreach, differentiable=differentiable,
        ))

    def _update(self, state, group, parameter, grad):
        _begin(state, parameter, "square_avg", "acc_delta")
        grad = _decayed(group, parameter, grad)
        rho, eps = group["rho"], group["eps"]
        state["square_avg"].mul_(rho).addcmul_(grad, grad, value=1 - rho)
        spread = state["square_avg"].add(eps).sqrt_()
        delta = state["acc_delta"].add(eps).sqrt_().div_(spread).mul_(grad)
        state["acc_delta"].mul_(rho).addcmul_(delta, delta, value=1 - rho)
        parameter.add_(delta, alpha=-group["lr"])


class Adamax(Optimizer):
    def __init__(
        self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, foreach=None, *, maximize=False,
        differentiable=False, capturable=False,
    ):
        _at_least_zero(("learning rate", lr), ("epsilon value", eps), ("weight_decay value", weight_decay))
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
            differentiable=differentiable, capturable=capturable,
        ))

    def _update(self, state, group, parameter, grad):
        _begin(state, parameter, "exp_avg", "exp_inf")
        grad = _decayed(group, parameter, grad)
        beta1, beta2 = group["betas"]
        state["exp_avg"].lerp_(grad, 1 - beta1)
        largest = state["exp_inf"].mul_(beta2).maximum(grad.abs().add_(group["eps"]))
        state["exp_inf"].copy_(largest)
        rate = group["lr"] / (1 - beta1 ** state["step"].item())
        parameter.addcdiv_(state["exp_avg"], state["exp_inf"], value=-rate)


class NAdam(Optimizer):
    def __init__(
        self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=0.004,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):
        _at_least_zero(
            ("learning rate", lr), ("epsilon value", eps), ("weight_decay value", weight_decay),
            ("momentum_decay value", momentum_decay),
        )
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
            decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach, capturable=capturable,
            differentiable=differentiable,
        ))

    def _update(self, state, group, parameter, grad):
        _begin(state, parameter, "exp_avg", "exp_avg_sq")
        state.setdefault("mu_product", tensor(1.0))
        lr, (beta1, beta2), decay = group["lr"], group["betas"], group["momentum_decay"]
        if group["decoupled_weight_decay"]:
            if group["weight_decay"]:
                parameter.mul_(1 - lr * group["weight_decay"])
        else:
            grad = _decayed(group, parameter, grad)
        step = state["step"].item()
        now, then = (beta1 * (1.0 - 0.5 * 0.96 ** (at * decay)) for at in (step, step + 1))
        state["mu_product"] *= now
        product = state["mu_product"].item()
        state["exp_avg"].lerp_(grad, 1 - beta1)
        state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        spread = state["exp_avg_sq"].div(1 - beta2 ** step).sqrt_().add_(group["eps"])
        parameter.addcdiv_(grad, spread, value=-lr * (1.0 - now) / (1.0 - product))
        parameter.addcdiv_(state["exp_avg"], spread, value=-lr * then / (1.0 - product * then))


class LBFGS(Optimizer):
    """Quasi-Newton steps from the last gradients, without a line search."""

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-07, tolerance_change=1e-09, history_size=100,
        line_search_fn=None,
    ):
        _at_least_zero(("learning rate", lr))
        if line_search_fn is not None:
            raise NotImplementedError(
                f"line_search_fn={line_search_fn!r} of LBFGS is not part of warpup; PyTorch has it"
            )
        super().__init__(params, dict(
            lr=lr, max_iter=max_iter, max_eval=max_iter * 5 // 4 if max_eval is None else max_eval,
            tolerance_grad=tolerance_grad, tolerance_change=tolerance_change, history_size=history_size,
            line_search_fn=line_search_fn,
        ))
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def _flat_grad(self):
        none = [warpup.zeros_like(it) if it.grad is None else it.grad for it in self._params]
        return warpup.cat([it.reshape(-1) for it in none])

    def _move(self, size, direction):
        start = 0
        for it in self._params:
            it.add_(direction[start:start + it.numel()].reshape(it.shape), alpha=size)
            start += it.numel()

    def step(self, closure):
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        def evaluated():
            with enable_grad():
                return closure()

        with no_grad():
            first_loss = evaluated()
            loss = float(first_loss)
            evaluations = 1
            state["func_evals"] += 1
            grad = self._flat_grad()
            if grad.abs().max().item() <= group["tolerance_grad"]:
                return first_loss
            done = 0
            while done < group["max_iter"]:
                done += 1
                state["n_iter"] += 1
                self._turn(state, group, grad)
                state["prev_flat_grad"], before = grad.clone(), loss
                direction = state["d"]
                rate = group["lr"]
                if state["n_iter"] == 1:
                    rate *= min(1.0, 1.0 / grad.abs().sum().item())
                state["t"] = rate
                slope = grad.dot(direction).item()
                if slope > -group["tolerance_change"]:
                    break
                self._move(rate, direction)
                if done != group["max_iter"]:
                    loss = float(evaluated())
                    grad = self._flat_grad()
                    evaluations += 1
                    state["func_evals"] += 1
                if done == group["max_iter"] or evaluations >= group["max_eval"]:
                    break
                if grad.abs().max().item() <= group["tolerance_grad"]:
                    break
                if direction.mul(rate).abs().max().item() <= group["tolerance_change"]:
                    break
                if abs(loss - before) < group["tolerance_change"]:
                    break
        return first_loss

    def _turn(self, state, group, grad):
        """The next direction, from the differences of the last steps and gradients."""
        if state["n_iter"] == 1:
            state.update(d=-grad, old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return
        change = grad - state["prev_flat_grad"]
        moved = state["d"] * state["t"]
        product = change.dot(moved).item()
        if product > 1e-10:
            if len(state["old_dirs"]) == group["history_size"]:
                for name in ("old_dirs", "old_stps", "ro"):
                    state[name].pop(0)
            state["old_dirs"].append(change)
            state["old_stps"].append(moved)
            state["ro"].append(1.0 / product)
            state["H_diag"] = product / change.dot(change).item()
        direction = -grad
        parts = list(zip(state["old_dirs"], state["old_stps"], state["ro"]))
        shares = []
        for change, moved, ratio in reversed(parts):
            share = moved.dot(direction).item() * ratio
            shares.append(share)
            direction = direction.add(change, alpha=-share)
        direction = direction * state["H_diag"]
        for (change, moved, ratio), share in zip(parts, reversed(shares)):
            direction = direction.add(moved, alpha=share - change.dot(direction).item() * ratio)
        state["d"] = direction
