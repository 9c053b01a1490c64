"""torch.optim: optimizers. Their state is on the device of the parameters.

A step on the CPU applies the same in-place operations to each parameter in turn, as PyTorch does there. On a card
it takes all parameters at once, as PyTorch does by default (`foreach`) or on request (`fused`): see `_together`.
"""

from collections import defaultdict

import _warpup
from warpup import Tensor, _homes, _names, enable_grad, no_grad, tensor, zeros, zeros_like


def _kept(state):
    """Marks a tensor as optimizer state, which memory reports count apart; returns it."""
    _warpup.keep_for_optimizer(state)
    return state


_numbers = iter(range(1, 1 << 62))


class Optimizer:
    __module__ = "torch.optim.optimizer"

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if cls.__module__.startswith("warpup."):
            _homes.rename(cls)

    def __init__(self, params, defaults):
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + params.type()
            )
        if defaults.get("fused"):
            from warpup.optim import _together

            _together.check(defaults)
        self.defaults = defaults
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.param_groups = []
        self.state = defaultdict(dict)
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        group = param_group
        if not isinstance(group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(group)}")
        params = group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        # As `named_parameters()` gives them.
        names = [it[0] for it in params if isinstance(it, tuple)]
        if names:
            if len(names) != len(params):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            group = {**group, "param_names": names}
            params = [it[1] for it in params]
        for parameter in params:
            if not isinstance(parameter, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}"
                )
            if not (parameter.is_leaf or parameter.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        before = {id(it) for it in self._parameters()}
        if any(id(it) in before for it in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append({**group, "params": params})
        for name, default in self.defaults.items():
            self.param_groups[-1].setdefault(name, default)

    def zero_grad(self, set_to_none=True):
        parameters = self._parameters()
        _warpup.gradients_zeroed(len(parameters))
        for parameter in parameters:
            if parameter.grad is not None:
                if set_to_none:
                    parameter.grad = None
                else:
                    parameter.grad.detach_().zero_()

    # The hooks of a program, by kind.
    _hooks_of_optimizer = None

    def _hook(self, kind, hook):
        from warpup.utils.hooks import RemovableHandle

        if self._hooks_of_optimizer is None:
            self._hooks_of_optimizer = defaultdict(dict)
        handle = RemovableHandle(self._hooks_of_optimizer[kind])
        self._hooks_of_optimizer[kind][handle.id] = hook
        return handle

    def _call_hooks(self, kind, *facts):
        """Calls the hooks of a kind; what one returns takes the place of the last argument."""
        for hook in list(self._hooks_of_optimizer[kind].values()) if self._hooks_of_optimizer else ():
            changed = hook(self, *facts)
            if changed is not None:
                facts = (*facts[:-1], changed)
        return facts[-1] if facts else None

    def register_step_pre_hook(self, hook):
        return self._hook("before", hook)

    def register_step_post_hook(self, hook):
        return self._hook("after", hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return self._hook("state_before", hook)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return self._hook("state_after", hook)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return self._hook("load_before", hook)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return self._hook("load_after", hook)

    def step(self, closure=None):
        if self._hooks_of_optimizer is None:
            return self._step(closure)
        args, kwargs = ((self,) if closure is None else (self, closure)), {}
        for hook in list(self._hooks_of_optimizer["before"].values()):
            changed = hook(self, args, kwargs)
            if changed is not None:
                args, kwargs = changed
        loss = self._step(*args[1:], **kwargs)
        for hook in list(self._hooks_of_optimizer["after"].values()):
            hook(self, args, kwargs)
        return loss

    # Whether `capturable` keeps the count of steps on the card, so that a CUDA graph counts on.
    _counts_on_card = False

    def _check_capture(self):
        """PyTorch's refusal of a step whose replay would not count."""
        import _graphs

        if not _graphs.is_capturing():
            return
        if not all(group["capturable"] for group in self.param_groups):
            raise RuntimeError(
                f"Attempting CUDA graph capture of step() for an instance of {type(self).__name__} but param_groups' "
                "capturable is False."
            )
        if not self._counts_on_card:
            raise NotImplementedError(
                f"a CUDA graph of {type(self).__name__}.step() is not part of warpup; PyTorch has it. Adam, AdamW and SGD can be captured"
            )

    # Its number in the run, once it has stepped: the address of one that is gone may come again.
    _number = None

    def _step(self, closure=None):
        if "capturable" in self.defaults:
            self._check_capture()
        loss = None
        if self._number is None:
            self._number = next(_numbers)
        _warpup.optimizer_stepped(self._number, sum(len(group["params"]) for group in self.param_groups))
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                self._step_group(group, [it for it in group["params"] if it.grad is not None])
        return loss

    def _step_group(self, group, parameters):
        if any(it.is_cuda for it in parameters):
            from warpup.optim import _together  # Loaded on first use: most programs train on the CPU.

            how = _together.way(group, parameters)
            if how is not None:
                return _together.step(self, how, group, parameters)
        for parameter in parameters:
            grad = -parameter.grad if group.get("maximize") else parameter.grad
            self._prepare(self.state[parameter], group, parameter)
            self._update(self.state[parameter], group, parameter, grad)

    def _prepare(self, state, group, parameter):
        """Gives a parameter its state before its first step, and counts the step."""

    def _update(self, state, group, parameter, grad):
        """A step of one parameter."""
        raise NotImplementedError

    def _update_all(self, group, parameters, grads, states):
        """A step of all parameters of a group, with PyTorch's lists of tensors."""
        for parameter, grad, state in zip(parameters, grads, states):
            self._prepare(state, group, parameter)
            self._update(state, group, parameter, -grad if group.get("maximize") else grad)

    def state_dict(self):
        """State and parameter groups, with parameters as their indices."""
        self._call_hooks("state_before")
        order = {id(it): at for at, it in enumerate(self._parameters())}
        groups = [
            {**{name: value for name, value in group.items() if name != "params"},
             "params": [order[id(it)] for it in group["params"]]}
            for group in self.param_groups
        ]
        state = {order[id(it)]: dict(own) for it, own in self.state.items() if own}
        return self._call_hooks("state_after", {"state": state, "param_groups": groups})

    def load_state_dict(self, state_dict):
        state_dict = self._call_hooks("load_before", state_dict)
        if len(state_dict["param_groups"]) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for group, saved in zip(self.param_groups, state_dict["param_groups"]):
            if len(group["params"]) != len(saved["params"]):
                raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
            group.update({name: value for name, value in saved.items() if name != "params"})
        parameters = self._parameters()
        state = defaultdict(dict)
        for at, own in state_dict["state"].items():
            like = parameters[at]
            state[like] = {
                name: value.to(device=like.device, dtype=like.dtype)
                if isinstance(value, Tensor) and name != "step" else value
                for name, value in own.items()
            }
        self.__setstate__({"state": state, "param_groups": self.param_groups})
        self._call_hooks("load_after")

    def __setstate__(self, state):
        """Optimizers of a program give groups of old files their new options here."""
        self.__dict__.update(state)

    def _parameters(self):
        return [it for group in self.param_groups for it in group["params"]]

    def __repr__(self):
        lines = [type(self).__name__ + " ("]
        for at, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {at}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
            lines.append("")
        return "\n".join(lines[:-1]) + "\n)"


def _at_least_zero(*named):
    """Raises PyTorch's error for a negative value."""
    for name, value in named:
        if not 0.0 <= value:
            raise ValueError(f"Invalid {name}: {value}")


def _decayed(group, parameter, grad):
    if group["weight_decay"]:
        return grad.add(parameter, alpha=group["weight_decay"])
    return grad


def _begin(state, parameter, *names, capturable=False):
    """Before its first step, gives a parameter its state: zeros under these names. Counts the step, unless the card does."""
    if not state:
        # On the CPU, wherever the parameters are, where the host reads it.
        state["step"] = zeros((), device=parameter.device) if capturable else tensor(0.0)
        for name in filter(None, names):
            state[name] = _kept(zeros_like(parameter))
    if not capturable:
        state["step"] += 1


class SGD(Optimizer):
    def __init__(
        self, params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *,
        maximize=False, foreach=None, differentiable=False, fused=None,
    ):
        _at_least_zero(("learning rate", lr), ("momentum value", momentum), ("weight_decay value", weight_decay))
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, dict(
            lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
            maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused,
        ))

    def _update(self, state, group, parameter, grad):
        grad = _decayed(group, parameter, grad)
        momentum = group["momentum"]
        if momentum:
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = _kept(grad.detach().clone())
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        parameter.add_(grad, alpha=-group["lr"])

    def _update_all(self, group, parameters, grads, states):
        from warpup.optim import _together

        _together.sgd(group, parameters, grads, states, _kept)


class Adam(Optimizer):
    _counts_on_card = True

    def __init__(
        self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False, fused=None,
        decoupled_weight_decay=False,
    ):
        _at_least_zero(("learning rate", lr), ("epsilon value", eps))
        for at, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {at}: {beta}")
        _at_least_zero(("weight_decay value", weight_decay))
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
            foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
            decoupled_weight_decay=decoupled_weight_decay,
        ))

    def _prepare(self, state, group, parameter):
        capturable = group["capturable"] and parameter.is_cuda
        _begin(
            state, parameter, "exp_avg", "exp_avg_sq", group["amsgrad"] and "max_exp_avg_sq", capturable=capturable
        )

    def _update_all(self, group, parameters, grads, states):
        from warpup.optim import _together

        for parameter, state in zip(parameters, states):
            self._prepare(state, group, parameter)
        _together.adam(group, parameters, grads, states)

    def _update(self, state, group, parameter, grad):
        if group["decoupled_weight_decay"]:
            if group["weight_decay"]:
                parameter.mul_(1 - group["lr"] * group["weight_decay"])
        else:
            grad = _decayed(group, parameter, grad)
        beta1, beta2 = group["betas"]
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if state["step"].is_cuda:
            return self._update_on_card(state, group, parameter)
        step = state["step"].item()
        step_size = group["lr"] / (1 - beta1 ** step)
        spread = (1 - beta2 ** step) ** 0.5
        if group["amsgrad"]:
            square = state["max_exp_avg_sq"].clamp_min_(square)
        denominator = (square.sqrt() / spread).add_(group["eps"])
        parameter.addcdiv_(mean, denominator, value=-step_size)


    def _update_on_card(self, state, group, parameter):
        """The end of a step whose count the host does not know (`capturable`)."""
        (beta1, beta2), square = group["betas"], state["exp_avg_sq"]
        step = state["step"].add_(1)
        size = (group["lr"] / (1 - beta1 ** step)).neg()
        spread = (1 - beta2 ** step).sqrt()
        if group["amsgrad"]:
            square = state["max_exp_avg_sq"].clamp_min_(square)
        denominator = (square.sqrt() / (spread * size)).add_(group["eps"] / size)
        parameter.addcdiv_(state["exp_avg"], denominator)


class AdamW(Adam):
    def __init__(
        self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *,
        maximize=False, foreach=None, capturable=False, differentiable=False, fused=None,
    ):
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize,
            capturable=capturable, differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )


class RMSprop(Optimizer):
    def __init__(
        self, params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False,
        capturable=False, foreach=None, maximize=False, differentiable=False,
    ):
        _at_least_zero(
            ("learning rate", lr), ("epsilon value", eps), ("momentum value", momentum),
            ("weight_decay value", weight_decay), ("alpha value", alpha),
        )
        super().__init__(params, dict(
            lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
            capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable,
        ))

    def _prepare(self, state, group, parameter):
        has_momentum = group["momentum"] > 0
        _begin(state, parameter, "square_avg", has_momentum and "momentum_buffer", group["centered"] and "grad_avg")

    def _update_all(self, group, parameters, grads, states):
        from warpup.optim import _together

        for parameter, state in zip(parameters, states):
            self._prepare(state, group, parameter)
        _together.rmsprop(group, parameters, grads, states)

    def _update(self, state, group, parameter, grad):
        has_momentum = group["momentum"] > 0
        grad = _decayed(group, parameter, grad)
        alpha, square = group["alpha"], state["square_avg"]
        square.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].lerp_(grad, 1 - alpha)
            spread = square.clone().addcmul_(mean, mean, value=-1).sqrt_()
        else:
            spread = square.sqrt()
        spread.add_(group["eps"])
        if has_momentum:
            buffer = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, spread)
            parameter.add_(buffer, alpha=-group["lr"])
        else:
            parameter.addcdiv_(grad, spread, value=-group["lr"])


# Names that few labs use are loaded on first use.
_LATER = {
    "warpup.optim._more": "Adadelta Adagrad Adamax LBFGS NAdam",
    "warpup.optim._newer": "Adafactor Muon",
    "warpup.optim._rarer": "ASGD RAdam Rprop SparseAdam",
    "warpup.optim.lr_scheduler": "lr_scheduler",
    "warpup.optim.swa_utils": "swa_utils",
}
__getattr__ = _names.getter("torch.optim", globals(), _LATER)
