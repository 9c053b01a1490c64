"""torch.optim: optimizers. Their state lives where the parameters live."""

from warpup import Tensor, no_grad, zeros_like


class Optimizer:
    def __init__(self, params, **defaults):
        self.params = list(params)
        if not self.params:
            raise ValueError("optimizer got an empty parameter list")
        for parameter in self.params:
            if not isinstance(parameter, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}"
                )
        self.param_groups = [dict(defaults, params=self.params)]
        self.state = {}

    def zero_grad(self, set_to_none=True):
        for parameter in self.params:
            parameter.grad = None

    def step(self):
        with no_grad():
            for group in self.param_groups:
                for at, parameter in enumerate(group["params"]):
                    if parameter.grad is not None:
                        self.update(self.state.setdefault(at, {}), group, parameter, parameter.grad)

    def update(self, state, group, parameter, grad):
        raise NotImplementedError


class SGD(Optimizer):
    def __init__(self, params, lr=0.001, momentum=0.0, weight_decay=0.0):
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay)

    def update(self, state, group, parameter, grad):
        if group["weight_decay"]:
            grad = grad + parameter * group["weight_decay"]
        if group["momentum"]:
            before = state.get("momentum_buffer")
            grad = grad if before is None else before * group["momentum"] + grad
            state["momentum_buffer"] = grad
        parameter.data = parameter - grad * group["lr"]


class Adam(Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0):
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
    raise AttributeError(
        f"module 'torch.optim' has no attribute '{name}' in warpup. If PyTorch has it, it is torch.optim.{name} there"
    )
