"""The step of an optimizer over all parameters at once, as PyTorch does it on CUDA.

`foreach` is PyTorch's default there: each operation runs on a list of tensors, in few kernels, and the lists that lie
between two operations exist as a whole. `fused` is one kernel over all parameters, with nothing in between. The code of
a `foreach` step follows PyTorch's `_multi_tensor_*`, so that the same lists live at the same time.
"""

import _warpup


def way(group, parameters):
    """How PyTorch runs the step of a group: "fused", "foreach" or None, one parameter after the other."""
    foreach, fused = group.get("foreach"), group.get("fused")
    on_card = all(it.is_cuda for it in parameters)
    if fused:
        return "fused" if on_card else None
    if foreach is None:
        foreach = fused is None and on_card and not group.get("differentiable")
    return "foreach" if foreach and on_card else None


def check(defaults):
    """PyTorch's errors for what cannot be asked for together."""
    if defaults.get("fused"):
        if defaults.get("differentiable"):
            raise RuntimeError("`fused` does not support `differentiable`")
        if defaults.get("foreach"):
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def step(optimizer, how, group, parameters):
    """A step of a group, in one batch for each dtype."""
    kinds = {}
    for parameter in parameters:
        kinds.setdefault((parameter.device, str(parameter.dtype)), []).append(parameter)
    for same in kinds.values():
        states = [optimizer.state[it] for it in same]
        grads = [it.grad for it in same]
        if how == "fused":
            _fused(optimizer, group, same, grads, states)
        else:
            optimizer._update_all(group, same, grads, states)


def _fused(optimizer, group, parameters, grads, states):
    for parameter, state in zip(parameters, states):
        optimizer._prepare(state, group, parameter)
    kept = [[it for name, it in state.items() if name != "step" and it is not None] for state in states]
    lists = 2 + max(len(it) for it in kept)
    # It reads gradients, and reads and writes parameters and state.
    moved = sum(3 * it.nbytes for it in parameters) + sum(2 * it.nbytes for own in kept for it in own)
    name = f"_fused_{type(optimizer).__name__.lower()}_"
    if _in_one_kernel(name, group, parameters, grads, states):
        return
    _warpup.begin_together(True)
    try:
        for parameter, grad, state in zip(parameters, grads, states):
            optimizer._update(state, group, parameter, -grad if group.get("maximize") else grad)
    finally:
        _warpup.end_together(name, lists, parameters, moved)


def _in_one_kernel(name, group, parameters, grads, states):
    """A step by one kernel of a real card; False where there is none."""
    if name not in ("_fused_sgd_", "_fused_adam_", "_fused_adamw_"):
        return False
    if group.get("capturable"):
        return False
    lr, decay, maximize = float(group["lr"]), float(group["weight_decay"]), float(group["maximize"])
    if name == "_fused_sgd_":
        buffers = [state.get("momentum_buffer") for state in states] if group["momentum"] else []
        if any(it is None for it in buffers):
            return False  # The first step makes them.
        numbers = [0.0, 0.0] * len(parameters)
        constants = [lr, float(group["momentum"]), float(group["dampening"]), decay, float(group["nesterov"]), maximize]
        return _warpup.fused_step(name, [parameters, grads, buffers], numbers, constants)
    beta1, beta2 = (float(it) for it in group["betas"])
    steps = [state["step"].item() for state in states]
    numbers = [number for it in steps for number in (lr / (1 - beta1 ** it), (1 - beta2 ** it) ** 0.5)]
    kept = ["exp_avg", "exp_avg_sq"] + (["max_exp_avg_sq"] if group["amsgrad"] else [])
    lists = [parameters, grads] + [[state[it] for state in states] for it in kept]
    constants = [lr, beta1, beta2, float(group["eps"]), decay, float(group["decoupled_weight_decay"]), maximize]
    return _warpup.fused_step(name, lists, numbers, constants)


def each(name, depth, function, *lists):
    """Calls a function with the tensors of some lists; `depth` of its operands and results are lists."""
    _warpup.begin_together(False)
    try:
        return [function(*tensors) for tensors in zip(*lists)]
    finally:
        _warpup.end_together("_foreach_" + name, depth, lists[0], None)


def signed_and_decayed(group, parameters, grads, decay):
    """The gradients to follow: new lists for `maximize` and for weight decay, else those of the parameters."""
    own = grads
    if group.get("maximize"):
        grads = each("neg", 2, lambda it: -it, grads)
    if decay:
        if grads is own:
            return each("add", 3, lambda grad, it: grad.add(it, alpha=decay), grads, parameters)
        each("add_", 2, lambda grad, it: grad.add_(it, alpha=decay), grads, parameters)
    return grads


def sgd(group, parameters, grads, states, keep):
    momentum, lr = group["momentum"], group["lr"]
    grads = signed_and_decayed(group, parameters, grads, group["weight_decay"])
    if momentum:
        buffers = [it.get("momentum_buffer") for it in states]
        gain = 1 - group["dampening"]
        if all(it is not None for it in buffers):
            each("mul_", 1, lambda it: it.mul_(momentum), buffers)
            each("add_", 2, lambda it, grad: it.add_(grad, alpha=gain), buffers, grads)
        else:
            for at, (state, grad) in enumerate(zip(states, grads)):
                if buffers[at] is None:
                    buffers[at] = state["momentum_buffer"] = keep(grad.detach().clone())
                else:
                    buffers[at].mul_(momentum).add_(grad, alpha=gain)
        if group["nesterov"]:
            each("add_", 2, lambda grad, it: grad.add_(it, alpha=momentum), grads, buffers)
        else:
            grads = buffers
    each("add_", 2, lambda it, grad: it.add_(grad, alpha=-lr), parameters, grads)


def adam(group, parameters, grads, states):
    decay, lr, (beta1, beta2) = group["weight_decay"], group["lr"], group["betas"]
    decoupled = group["decoupled_weight_decay"]
    means = [it["exp_avg"] for it in states]
    squares = [it["exp_avg_sq"] for it in states]
    grads = signed_and_decayed(group, parameters, grads, 0 if decoupled else decay)
    if decoupled and decay:
        each("mul_", 1, lambda it: it.mul_(1 - lr * decay), parameters)
    each("lerp_", 2, lambda it, grad: it.lerp_(grad, 1 - beta1), means, grads)
    each("mul_", 1, lambda it: it.mul_(beta2), squares)
    each("addcmul_", 3, lambda it, grad: it.addcmul_(grad, grad, value=1 - beta2), squares, grads)
    # As in PyTorch, the gradients of `maximize` and weight decay go before the next list comes.
    del grads
    steps = [it["step"] for it in states]
    on_card = steps[0].is_cuda
    if on_card:
        sizes, spreads = _corrections(group, steps)
    else:
        steps = [it.item() for it in steps]
        sizes = [-lr / (1 - beta1 ** it) for it in steps]
        spreads = [(1 - beta2 ** it) ** 0.5 for it in steps]
    if group["amsgrad"]:
        most = [it["max_exp_avg_sq"] for it in states]
        each("maximum_", 2, lambda it, square: it.clamp_min_(square), most, squares)
        squares = most
    denominators = each("sqrt", 2, lambda it: it.sqrt(), squares)
    each("div_", 1, lambda it, spread: it.div_(spread), denominators, spreads)
    each("add_", 1, lambda it: it.add_(group["eps"]), denominators)
    if on_card:
        each("div_", 2, lambda it, size: it.div_(size), denominators, sizes)
        each("addcdiv_", 3, lambda it, mean, denominator: it.addcdiv_(mean, denominator), parameters, means, denominators)
        return
    each(
        "addcdiv_", 3, lambda it, mean, denominator, size: it.addcdiv_(mean, denominator, value=size),
        parameters, means, denominators, sizes,
    )


def _corrections(group, steps):
    """The size of a step and the spread of squares for each parameter, where the card counts the steps (`capturable`)."""
    lr, (beta1, beta2) = group["lr"], group["betas"]
    each("add_", 1, lambda it: it.add_(1), steps)
    sizes = each("pow", 2, lambda it: beta1 ** it, steps)
    spreads = each("pow", 2, lambda it: beta2 ** it, steps)
    each("sub_", 1, lambda it: it.sub_(1), sizes)
    each("sub_", 1, lambda it: it.sub_(1), spreads)
    each("neg_", 1, lambda it: it.neg_(), spreads)
    each("div_", 1, lambda it: it.div_(lr), sizes)
    each("reciprocal_", 1, lambda it: it.reciprocal_(), sizes)
    each("sqrt_", 1, lambda it: it.sqrt_(), spreads)
    return sizes, spreads


def rmsprop(group, parameters, grads, states):
    alpha, lr = group["alpha"], group["lr"]
    squares = [it["square_avg"] for it in states]
    grads = signed_and_decayed(group, parameters, grads, group["weight_decay"])
    each("mul_", 1, lambda it: it.mul_(alpha), squares)
    each("addcmul_", 3, lambda it, grad: it.addcmul_(grad, grad, value=1 - alpha), squares, grads)
    if group["centered"]:
        means = [it["grad_avg"] for it in states]
        each("lerp_", 2, lambda it, grad: it.lerp_(grad, 1 - alpha), means, grads)
        spreads = each("addcmul", 4, lambda it, mean: it.addcmul(mean, mean, value=-1), squares, means)
        each("sqrt_", 1, lambda it: it.sqrt_(), spreads)
    else:
        spreads = each("sqrt", 2, lambda it: it.sqrt(), squares)
    each("add_", 1, lambda it: it.add_(group["eps"]), spreads)
    if group["momentum"] > 0:
        buffers = [it["momentum_buffer"] for it in states]
        each("mul_", 1, lambda it: it.mul_(group["momentum"]), buffers)
        each("addcdiv_", 3, lambda it, grad, spread: it.addcdiv_(grad, spread), buffers, grads, spreads)
        each("add_", 2, lambda it, buffer: it.add_(buffer, alpha=-lr), parameters, buffers)
    else:
        each(
            "addcdiv_", 3, lambda it, grad, spread: it.addcdiv_(grad, spread, value=-lr),
            parameters, grads, spreads,
        )
