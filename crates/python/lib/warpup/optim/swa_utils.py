"""torch.optim.swa_utils: averages of weights. Loaded on first use."""

import math
from copy import deepcopy

import warpup
import warpup._copies  # noqa: F401
from warpup import _names
from warpup.nn import Module
from warpup.optim.lr_scheduler import LRScheduler, _format_param


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay=0.999):
    _check_decay(decay)

    @warpup.no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        if ema_param_list[0].is_floating_point():
            warpup._foreach_lerp_(ema_param_list, current_param_list, 1 - decay)
            return
        for average, current in zip(ema_param_list, current_param_list):
            average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    @warpup.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        if averaged_param_list[0].is_floating_point():
            warpup._foreach_lerp_(averaged_param_list, current_param_list, float(1 / (num_averaged + 1)))
            return
        # Which raises for whole numbers, as in PyTorch.
        differences = warpup._foreach_sub(current_param_list, averaged_param_list)
        counts = [num_averaged + 1] * len(averaged_param_list)
        warpup._foreach_addcdiv_(averaged_param_list, differences, counts)

    return swa_update


def get_ema_avg_fn(decay=0.999):
    _check_decay(decay)

    @warpup.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    @warpup.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def _by_device_and_dtype(own, current):
    groups = {}
    for average, it in zip(own, current):
        groups.setdefault((average.device, average.dtype), []).append((average, it))
    return groups


class AveragedModel(Module):
    """A copy of a model whose parameters are the average of those that `update_parameters` was given."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", warpup.tensor(0, dtype=warpup.long, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def _averaged(self, model):
        return [it.detach() for it in (*model.parameters(), *(model.buffers() if self.use_buffers else ()))]

    def _average_each(self, mean, pairs):
        for average, it in pairs:
            average.copy_(mean(average, it, self.n_averaged.to(average.device)))

    def update_parameters(self, model):
        own = self._averaged(self.module)
        current = [it.to(mine.device) for mine, it in zip(own, self._averaged(model))]
        if bool(self.n_averaged == 0):
            for average, it in zip(own, current):
                average.copy_(it)
        elif self.avg_fn is not None and self.multi_avg_fn is None:
            self._average_each(self.avg_fn, zip(own, current))
        else:
            for (device, _), pairs in _by_device_and_dtype(own, current).items():
                mean = self.multi_avg_fn
                if mean is None and device.type != "cpu":
                    mean = get_swa_multi_avg_fn()
                if mean is None:
                    self._average_each(get_swa_avg_fn(), pairs)
                else:
                    averages, others = (list(it) for it in zip(*pairs))
                    mean(averages, others, self.n_averaged.to(device))
        if not self.use_buffers:
            for average, it in zip(self.module.buffers(), model.buffers()):
                average.detach().copy_(it.detach().to(average.device))
        self.n_averaged += 1


@warpup.no_grad()
def update_bn(loader, model, device=None):
    """Computes the running statistics of batch norms again, with one pass over the data."""
    from warpup.nn.normalization import _BatchNorm

    norms = [it for it in model.modules() if isinstance(it, _BatchNorm)]
    if not norms:
        return
    momenta = [it.momentum for it in norms]
    was_training = model.training
    model.train()
    for it in norms:
        it.reset_running_stats()
        it.momentum = None
    for batch in loader:
        batch = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(batch if device is None else batch.to(device))
    for it, momentum in zip(norms, momenta):
        it.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From the present learning rate to that of the averages."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        for rate, group in zip(_format_param("swa_lr", optimizer, swa_lr), optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _alpha(self, step):
        share = max(0, min(1, step / max(1, self.anneal_epochs)))
        return share if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * share)) / 2

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._alpha(step - 1), self._alpha(step)
        rates = []
        for group in self.optimizer.param_groups:
            target = group["swa_lr"]
            first = target if before == 1 else (group["lr"] - before * target) / (1 - before)
            rates.append(target * now + first * (1 - now))
        return rates


__getattr__ = _names.getter("torch.optim.swa_utils", globals())
