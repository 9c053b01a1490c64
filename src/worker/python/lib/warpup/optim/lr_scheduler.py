"""torch.optim.lr_scheduler: learning rates that change from step to step."""

import math

from warpup import _names


class LRScheduler:
    """Computes the learning rate of each group from that of the previous step, as PyTorch does."""

    def __init__(self, optimizer, last_epoch=-1):
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.optimizer = optimizer
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def get_lr(self):
        raise NotImplementedError

    def get_last_lr(self):
        return self._last_lr

    def step(self):
        self.last_epoch += 1
        for group, lr in zip(self.optimizer.param_groups, self.get_lr()):
            group["lr"] = lr
        self._last_lr = self._rates()

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)

    def _rates(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def _times(self, factor):
        return [lr * factor for lr in self._rates()]


class StepLR(LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._rates()
        return self._times(self.gamma)


class MultiStepLR(LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = list(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._times(self.gamma ** self.milestones.count(self.last_epoch))


class ExponentialLR(LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._rates() if self.last_epoch == 0 else self._times(self.gamma)


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        many = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = list(lr_lambda) if many else [lr_lambda] * len(optimizer.param_groups)
        if len(self.lr_lambdas) != len(optimizer.param_groups):
            raise ValueError(
                f"Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(self.lr_lambdas)}"
            )
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * factor(self.last_epoch) for base, factor in zip(self.base_lrs, self.lr_lambdas)]


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
        if self.last_epoch > self.total_iters:
            return self._rates()
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return self._times(1.0 + rise / before)


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        at, half, least = self.last_epoch, self.T_max, self.eta_min
        if at == 0:
            return self._rates()
        if (at - 1 - half) % (2 * half) == 0:
            rise = (1 - math.cos(math.pi / half)) / 2
            return [lr + (base - least) * rise for base, lr in zip(self.base_lrs, self._rates())]
        factor = (1 + math.cos(math.pi * at / half)) / (1 + math.cos(math.pi * (at - 1) / half))
        return [factor * (lr - least) + least for lr in self._rates()]


class ReduceLROnPlateau(LRScheduler):
    """Lowers the learning rate when a metric has stopped improving."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel",
        cooldown=0, min_lr=0, eps=1e-8,
    ):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        several = isinstance(min_lr, (list, tuple))
        self.min_lrs = list(min_lr) if several else [min_lr] * len(optimizer.param_groups)
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = self._rates()

    def is_better(self, value, best):
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "abs":
            bar = best + sign * self.threshold
        else:
            bar = best * (1 + sign * self.threshold)
        return value < bar if sign < 0 else value > bar

    def step(self, metrics):
        value = float(metrics)
        self.last_epoch += 1
        if self.is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs):
                lower = max(group["lr"] * self.factor, least)
                if group["lr"] - lower > self.eps:
                    group["lr"] = lower
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._rates()


__getattr__ = _names.getter("torch.optim.lr_scheduler", globals())
