"""torch.optim: optimizers. Their state lives where the parameters live."""

import _warpup
from warpup import Tensor, _names, no_grad, zeros_like


class Optimizer:
    def __init__(self, params, **defaults):
        self.defaults = defaults
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.param_groups = []
        self.state = {}
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, group):
        params = group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        for parameter in params:
            if not isinstance(parameter, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}"
                )
        self.param_groups.append({"params": params, **self.defaults, **{
            name: value for name, value in group.items() if name != "params"
        }})

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.grad = None

    def step(self):
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        state = self.state.setdefault(parameter, {})
                        self.update(state, group, parameter, parameter.grad)
                        _warpup.keep_for_optimizer(list(state.values()))

    def update(self, state, group, parameter, grad):
        raise NotImplementedError

    def state_dict(self):
        """State and groups, with parameters as their positions."""
        order = {id(it): at for at, it in enumerate(self._parameters())}
        groups = [
            {**{name: value for name, value in group.items() if name != "params"},
             "params": [order[id(it)] for it in group["params"]]}
            for group in self.param_groups
        ]
        return {"state": {order[id(it)]: dict(own) for it, own in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict):
        if len(state_dict["param_groups"]) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for group, saved in zip(self.param_groups, state_dict["param_groups"]):
            if len(group["params"]) != len(saved["params"]):
                raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
            group.update({name: value for name, value in saved.items() if name != "params"})
        parameters = self._parameters()
        self.state = {parameters[at]: dict(own) for at, own in state_dict["state"].items()}

    def _parameters(self):
        return [it for group in self.param_groups for it in group["params"]]

    # What PyTorch lets one choose and warpup leaves as it is; shown as PyTorch shows it.
    _fixed = {"differentiable": False, "foreach": None, "fused": None, "maximize": False}

    def __repr__(self):
        lines = [type(self).__name__ + " ("]
        for at, group in enumerate(self.param_groups):
            shown = {**self._fixed, **group}
            lines.append(f"Parameter Group {at}")
            lines += [f"    {name}: {shown[name]}" for name in sorted(shown) if name != "params"]
            lines.append("")
        return "\n".join(lines[:-1]) + "\n)"


class SGD(Optimizer):
    def __init__(self, params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False):
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params, lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov
        )

    def update(self, state, group, parameter, grad):
        if group["weight_decay"]:
            grad = grad + parameter * group["weight_decay"]
        if group["momentum"]:
            before = state.get("momentum_buffer")
            buffer = grad if before is None else before * group["momentum"] + grad * (1 - group["dampening"])
            state["momentum_buffer"] = buffer
            grad = grad + buffer * group["momentum"] if group["nesterov"] else buffer
        parameter.data = parameter - grad * group["lr"]


class Adam(Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def decayed(self, group, parameter, grad):
        if group["weight_decay"]:
            grad = grad + parameter * group["weight_decay"]
        return parameter, grad

    def update(self, state, group, parameter, grad):
        if not state:
            state["step"] = 0
            state["exp_avg"] = zeros_like(parameter)
            state["exp_avg_sq"] = zeros_like(parameter)
        state["step"] += 1
        beta1, beta2 = group["betas"]
        value, grad = self.decayed(group, parameter, grad)
        state["exp_avg"] = state["exp_avg"] * beta1 + grad * (1 - beta1)
        state["exp_avg_sq"] = state["exp_avg_sq"] * beta2 + grad * grad * (1 - beta2)
        mean = state["exp_avg"] / (1 - beta1 ** state["step"])
        spread = state["exp_avg_sq"] / (1 - beta2 ** state["step"])
        parameter.data = value - mean * group["lr"] / (spread.sqrt() + group["eps"])


class AdamW(Adam):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, weight_decay)

    def decayed(self, group, parameter, grad):
        return parameter * (1 - group["lr"] * group["weight_decay"]), grad


def __getattr__(name):
    raise _names.missing("torch.optim", name, globals())
