"""Convolutions as modules. Loaded on first use."""

import math

from warpup import empty
from warpup.nn import functional as F
from warpup.nn import init
from warpup.nn.module import Module, Parameter


def _tuple(given, dims):
    return (given,) * dims if isinstance(given, int) else tuple(given)


class _ConvNd(Module):
    _dims = 0
    _transposed = False

    def __init__(
        self, in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias,
        padding_mode, device, dtype,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        dims = self._dims
        self.stride = _tuple(stride, dims)
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")
            if padding == "same" and any(it != 1 for it in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = ("zeros", "reflect", "replicate", "circular")
        if padding_mode not in modes:
            raise ValueError(
                "padding_mode must be one of {'circular', 'zeros', 'replicate', 'reflect'}, "
                f"but got padding_mode={padding_mode!r}"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _tuple(kernel_size, dims)
        self.padding = padding if isinstance(padding, str) else _tuple(padding, dims)
        self.dilation = _tuple(dilation, dims)
        self.transposed = self._transposed
        self.output_padding = _tuple(output_padding, dims)
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._around()
        ends = (in_channels, out_channels // groups) if self.transposed else (out_channels, in_channels // groups)
        make = {"device": device, "dtype": dtype}
        self.weight = Parameter(empty(*ends, *self.kernel_size, **make))
        self.register_parameter("bias", Parameter(empty(out_channels, **make)) if bias else None)
        self.reset_parameters()

    def _around(self):
        """The padding as `F.pad` takes it, for modes other than zeros."""
        if self.padding == "valid":
            return [0] * 2 * self._dims
        if self.padding == "same":
            totals = [apart * (size - 1) for apart, size in zip(self.dilation, self.kernel_size)]
            return [it for total in reversed(totals) for it in (total // 2, total - total // 2)]
        return [it for around in reversed(self.padding) for it in (around, around)]

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = self.weight.shape[1] * math.prod(self.kernel_size)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        convolve = getattr(F, f"conv{self._dims}d")
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode), 0
        return convolve(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * self._dims:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self._dims:
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * self._dims:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class _Conv(_ConvNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, 0, groups, bias, padding_mode, device,
            dtype,
        )


class Conv1d(_Conv):
    _dims = 1


class Conv2d(_Conv):
    _dims = 2


class Conv3d(_Conv):
    _dims = 3


class _ConvTranspose(_ConvNd):
    _transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
        dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias,
            padding_mode, device, dtype,
        )

    def _for_size(self, input, output_size):
        """The padding of the result that gives it a size."""
        sizes = list(output_size)[-self._dims:]
        least = [
            (size - 1) * step - 2 * around + apart * (kernel - 1) + 1
            for size, step, around, apart, kernel in zip(
                input.shape[-self._dims:], self.stride, self.padding, self.dilation, self.kernel_size
            )
        ]
        most = [it + step - 1 for it, step in zip(least, self.stride)]
        if any(not low <= size <= high for low, size, high in zip(least, sizes, most)):
            raise ValueError(
                f"requested an output size of {tuple(output_size)}, but valid sizes range from {least} to {most} "
                f"(for an input of {input.shape[2:]})"
            )
        return tuple(size - low for size, low in zip(sizes, least))

    def forward(self, input, output_size=None):
        extra = self.output_padding if output_size is None else self._for_size(input, output_size)
        convolve = getattr(F, f"conv_transpose{self._dims}d")
        return convolve(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )


class ConvTranspose1d(_ConvTranspose):
    _dims = 1


class ConvTranspose2d(_ConvTranspose):
    _dims = 2


class ConvTranspose3d(_ConvTranspose):
    _dims = 3
