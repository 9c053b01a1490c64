"""Schedulers of learning rates that few programs need, and those that are made of others. Loaded on first use."""

from warpup.optim.lr_scheduler import LambdaLR, LRScheduler, ReduceLROnPlateau, _set


class MultiplicativeLR(LambdaLR):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        for it in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(it):
                raise TypeError(f"lr_lambda should be a function, but got {type(it).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return self._rates()
        return [lr * factor(self.last_epoch) for lr, factor in zip(self._rates(), self.lr_lambdas)]


class ConstantLR(LRScheduler):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return self._times(self.factor)
        if self.last_epoch != self.total_iters:
            return self._rates()
        return self._times(1.0 / self.factor)

    def _get_closed_form_lr(self):
        factor = 1.0 if self.last_epoch >= self.total_iters else self.factor
        return [base * factor for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        at, total = self.last_epoch, self.total_iters
        if self._is_initial or at > total:
            return self._rates()
        return self._times(((1.0 - at / total) / (1.0 - (at - 1) / total)) ** self.power)

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


class _Several(LRScheduler):
    """What is made of other schedulers keeps their states with its own."""

    def state_dict(self):
        own = {name: value for name, value in super().state_dict().items() if name != "_schedulers"}
        return {**own, "_schedulers": [it.state_dict() for it in self._schedulers]}

    def load_state_dict(self, state_dict):
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)

    def _check(self, schedulers, optimizer):
        name = type(self).__name__
        for at, it in enumerate(schedulers):
            if not hasattr(it, "optimizer"):
                raise TypeError(f"{name} at index {at} should have `optimizer` as its attribute.")
            if isinstance(it, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be specified "
                    f"when calling `step`, but got one at index {at} in the given schedulers sequence."
                )
            if it.optimizer is not optimizer:
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, but got scheduler "
                    f"{type(it).__name__} at index {at} has {it.optimizer}, which is different from "
                    f"{type(optimizer).__name__}."
                )


class SequentialLR(_Several):
    """One scheduler after another; `milestones` says when each of them but the first begins."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) < 1:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler, but got no scheduler.")
        self._check(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
                f"points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to "
                f"{len(milestones)}"
            )
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each scheduler made its first step when it was made: only that of the first one counts.
        for group in optimizer.param_groups:
            _set(group, group["initial_lr"])
        self.recursive_undo()
        first = schedulers[self._at(0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def _at(self, epoch):
        return sum(1 for it in self._milestones if it <= epoch)

    def recursive_undo(self, sched=None):
        undone = self if sched is None else sched
        if hasattr(undone, "_schedulers"):
            for it in undone._schedulers:
                self.recursive_undo(it)
        elif hasattr(undone, "last_epoch"):
            undone.last_epoch -= 1

    def step(self):
        self.last_epoch += 1
        at = self._at(self.last_epoch)
        scheduler = self._schedulers[at]
        if at > 0 and self._milestones[at - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Several):
    """Several schedulers at once."""

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        self._check(schedulers, optimizer)
        self._schedulers, self.optimizer = schedulers, optimizer
        self._last_lr = self._rates()

    def step(self):
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._rates()
