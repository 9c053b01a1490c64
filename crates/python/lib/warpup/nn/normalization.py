"""Normalization over channels, and dropout of channels, as modules. Loaded on first use."""

import warpup
from warpup import ones, tensor, zeros
from warpup.nn import functional as F
from warpup.nn import init
from warpup.nn.layers import Dropout
from warpup.nn.module import Module, Parameter, WithArguments


class _NormBase(Module):
    _ranks = ()
    _expected = ""

    def __init__(
        self, num_features, eps, momentum, affine, track_running_stats, bias, device, dtype
    ):
        super().__init__()
        make = {"device": device, "dtype": dtype}
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.register_parameter("weight", Parameter(ones(num_features, **make)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_features, **make)) if affine and bias else None)
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, **make) if tracked else None)
        self.register_buffer("running_var", ones(num_features, **make) if tracked else None)
        batches = tensor(0, dtype=warpup.long, device=device) if tracked else None
        self.register_buffer("num_batches_tracked", batches)

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input):
        if input.dim() not in self._ranks:
            raise ValueError(f"expected {self._expected} input (got {input.dim()}D input)")

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_NormBase):
    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None,
        *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, device, dtype)

    def forward(self, input):
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                # A plain mean of all batches. This reads the counter, as in PyTorch.
                factor = 1.0 / float(self.num_batches_tracked.item())
        by_batch = self.training or (self.running_mean is None and self.running_var is None)
        keeps = not self.training or self.track_running_stats
        return F.batch_norm(
            input, self.running_mean if keeps else None, self.running_var if keeps else None, self.weight, self.bias,
            by_batch, factor, self.eps,
        )


class BatchNorm1d(_BatchNorm):
    _ranks, _expected = (2, 3), "2D or 3D"


class BatchNorm2d(_BatchNorm):
    _ranks, _expected = (4,), "4D"


class BatchNorm3d(_BatchNorm):
    _ranks, _expected = (5,), "5D"


class SyncBatchNorm(_BatchNorm):
    """Normalizes over the batches of all processes; a run is one."""

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None,
        dtype=None, *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        made = module
        if isinstance(module, _BatchNorm):
            made = SyncBatchNorm(
                module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats, process_group,
                bias=module.bias is not None,
            )
            for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked", "training"):
                setattr(made, name, getattr(module, name))
        for name, child in module.named_children():
            made.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return made


class _InstanceNorm(_NormBase):
    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None,
        *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, device, dtype)

    def forward(self, input):
        self._check_input_dim(input)
        has_batch = input.dim() == max(self._ranks)
        batched = input if has_batch else input.unsqueeze(0)
        if self.affine and batched.shape[1] != self.num_features:
            raise ValueError(
                f"expected input's size at dim={1 if has_batch else 0} to match num_features ({self.num_features}), "
                f"but got: {batched.shape[1]}."
            )
        out = F.instance_norm(
            batched, self.running_mean, self.running_var, self.weight, self.bias,
            self.training or not self.track_running_stats, 0.0 if self.momentum is None else self.momentum, self.eps,
        )
        return out if has_batch else out.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    _ranks, _expected = (2, 3), "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    _ranks, _expected = (3, 4), "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    _ranks, _expected = (4, 5), "4D or 5D"


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        make = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(ones(num_channels, **make)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_channels, **make)) if affine and bias else None)

    def reset_parameters(self):
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(WithArguments):
    def __init__(self, size, alpha=0.0001, beta=0.75, k=1.0):
        super().__init__(size=size, alpha=alpha, beta=beta, k=k)

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class Dropout1d(Dropout):
    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(Dropout):
    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(Dropout):
    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)
