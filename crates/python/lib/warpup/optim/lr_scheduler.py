"""torch.optim.lr_scheduler: learning rates that change from step to step."""

import math
from _weakref import ref
from collections import Counter

import _host

from warpup import Tensor, _names
from warpup._warn import warn as _warn
from warpup.optim import Optimizer


class LRScheduler:
    """Computes the learning rate of each group from that of the previous step, as PyTorch does."""

    __module__ = "torch.optim.lr_scheduler"

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if cls.__module__.startswith("warpup."):
            swa = cls.__module__ == "warpup.optim.swa_utils"
            cls.__module__ = "torch.optim.swa_utils" if swa else LRScheduler.__module__

    # Programs override `get_lr` and call it only within a step.
    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        _check_optimizer(optimizer)
        self.optimizer = optimizer
        for at, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{at}] when resuming scheduler with last_epoch >= 0.\n"
                    "This typically happens when:\n"
                    "1. You're trying to resume training from a checkpoint but haven't properly loaded the optimizer state\n"
                    "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = [_copied(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        _watch(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def get_lr(self):
        raise NotImplementedError

    def get_last_lr(self):
        return self._last_lr

    def step(self, epoch=None):
        if self._step_count == 1:
            _check_order(self.optimizer)
        self._step_count += 1
        if epoch is not None:
            _warn(
                "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please "
                "use `scheduler.step()` to step the scheduler."
            )
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        self._set_rates(closed or self.get_lr)

    def _set_rates(self, compute):
        self._get_lr_called_within_step = True
        try:
            rates = compute()
        finally:
            self._get_lr_called_within_step = False
        for group, lr in zip(self.optimizer.param_groups, rates):
            _set(group, lr)
        self._last_lr = self._rates()

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)

    def _rates(self):
        return [_copied(group["lr"]) for group in self.optimizer.param_groups]

    def _times(self, factor):
        return [group["lr"] * factor for group in self.optimizer.param_groups]


class _LRScheduler(LRScheduler):
    """The name that the class had before PyTorch 2."""


def _copied(value):
    return value.clone() if isinstance(value, Tensor) else value


def _set(group, lr):
    """Writes a learning rate, into its tensor where it is one."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(lr)
    else:
        group["lr"] = lr


def _format_param(name, optimizer, param):
    """One value for each group of parameters."""
    groups = optimizer.param_groups
    if not isinstance(param, (list, tuple)):
        return [_copied(param) for _ in groups]
    if len(param) != len(groups):
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(param)} values, "
            f"param_groups has {len(groups)}."
        )
    return [_copied(it) for it in param]


def _check_optimizer(optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _watch(optimizer):
    """Notes that the optimizer has made a step, which must come before the second step of a scheduler."""
    step = optimizer.step
    if hasattr(step, "_wrapped_by_lr_sched"):
        return
    # The function must not keep the optimizer, which keeps the function: its memory would never come back.
    own, function = ref(optimizer), getattr(step, "__func__", None)

    def watched(*args, **kwargs):
        known = own()
        known._opt_called = True
        return step(*args, **kwargs) if function is None else function(known, *args, **kwargs)

    if function is not None:
        step = None
    watched._wrapped_by_lr_sched = True
    optimizer.step = watched


def _check_order(optimizer):
    if not hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        _warn(
            "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make "
            "sure to call `optimizer.step()` before `lr_scheduler.step()`."
        )
    elif not getattr(optimizer, "_opt_called", False):
        _warn(
            "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
            "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in "
            "PyTorch skipping the first value of the learning rate schedule."
        )
        if hasattr(optimizer, "_skipped_by_scaler"):
            _host.note(
                "the order of the steps is right: GradScaler has skipped the first steps of the optimizer, since gradients were inf or "
                "nan at its first scale, and lowers the scale until they are not. Call the scheduler only where "
                "`scaler.get_scale()` has not become smaller, or begin with a smaller init_scale"
            )


class StepLR(LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._rates()
        return self._times(self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch not in self.milestones:
            return self._rates()
        return self._times(self.gamma ** self.milestones[self.last_epoch])

    def _get_closed_form_lr(self):
        passed = sum(1 for it in self.milestones.elements() if it <= self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._rates() if self._is_initial else self._times(self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        groups = len(optimizer.param_groups)
        several = isinstance(lr_lambda, (list, tuple))
        if several and len(lr_lambda) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * groups
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * factor(self.last_epoch) for base, factor in zip(self.base_lrs, self.lr_lambdas)]

    def state_dict(self):
        """Of the functions, only objects have a state."""
        plain = type(_copied)
        states = [None if isinstance(it, plain) else it.__dict__.copy() for it in self.lr_lambdas]
        return {**super().state_dict(), "lr_lambdas": states}

    def load_state_dict(self, state_dict):
        functions = self.lr_lambdas
        super().load_state_dict(state_dict)
        self.lr_lambdas = functions
        for function, state in zip(functions, state_dict["lr_lambdas"]):
            if state is not None:
                function.__dict__.update(state)


class LinearLR(LRScheduler):
    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return self._times(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return self._times(1.0 + rise / before)

    def _get_closed_form_lr(self):
        share = min(self.total_iters, self.last_epoch) / self.total_iters
        factor = self.start_factor + (self.end_factor - self.start_factor) * share
        return [base * factor for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        at, half, least = self.last_epoch, self.T_max, self.eta_min
        if self._is_initial:
            return self._rates()
        if self._step_count == 1 and at > 0:
            return self._get_closed_form_lr()
        if (at - 1 - half) % (2 * half) == 0:
            rise = (1 - math.cos(math.pi / half)) / 2
            return [lr + (base - least) * rise for base, lr in zip(self.base_lrs, self._rates())]
        factor = (1 + math.cos(math.pi * at / half)) / (1 + math.cos(math.pi * (at - 1) / half))
        return [factor * (lr - least) + least for lr in self._rates()]

    def _get_closed_form_lr(self):
        share = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class ReduceLROnPlateau(LRScheduler):
    """Lowers the learning rate when a metric has stopped improving."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel",
        cooldown=0, min_lr=0, eps=1e-8,
    ):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        _check_optimizer(optimizer)
        self.factor, self.optimizer = factor, optimizer
        several = isinstance(min_lr, (list, tuple))
        if several and len(min_lr) != len(optimizer.param_groups):
            raise ValueError(f"expected {len(optimizer.param_groups)} min_lrs, got {len(min_lr)}")
        self.default_min_lr = None if several else min_lr
        self.min_lrs = list(min_lr) if several else [min_lr] * len(optimizer.param_groups)
        self.patience, self.cooldown, self.eps = patience, cooldown, eps
        self.last_epoch = 0
        self._last_lr = self._rates()
        self._init_is_better(mode, threshold, threshold_mode)
        self._reset()

    def _init_is_better(self, mode, threshold, threshold_mode):
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode

    def _reset(self):
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    in_cooldown = property(lambda self: self.cooldown_counter > 0)

    def _is_better(self, a, best):
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "abs":
            bar = best + sign * self.threshold
        else:
            bar = best * (1 + sign * self.threshold)
        return a < bar if sign < 0 else a > bar

    is_better = _is_better

    def step(self, metrics, epoch=None):
        value = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._rates()

    def _reduce_lr(self):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from when `ReduceLROnPlateau` was "
                    f"initialized ({len(self.min_lrs)}), usually due to a new param group being added to the optimizer. Please "
                    "modify the `min_lrs` field to match the length of the `optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs):
            before = float(group["lr"])
            lower = max(before * self.factor, least)
            if before - lower > self.eps:
                _set(group, lower)


# Names that few programs use are loaded on first use.
_LATER = {
    "warpup.optim._schedules": "MultiplicativeLR ConstantLR PolynomialLR SequentialLR ChainedScheduler",
    "warpup.optim._cycles": "CyclicLR OneCycleLR CosineAnnealingWarmRestarts",
}
__getattr__ = _names.getter("torch.optim.lr_scheduler", globals(), _LATER)
