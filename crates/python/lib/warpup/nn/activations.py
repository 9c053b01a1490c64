"""Activations as modules."""

from warpup.nn import functional as F
from warpup.nn.module import Module, WithArguments


class _InPlace(WithArguments):
    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)

    def extra_repr(self):
        return ", ".join(filter(None, (super().extra_repr(), self.inplace and "inplace=True")))


def _of(name):
    """The activation module of a function that takes nothing but its input and `inplace`."""
    function = getattr(F, name.lower())

    def forward(self, input):
        return function(input, self.inplace)

    forward.__qualname__ = name + ".forward"
    return type(name, (_InPlace,), {"forward": forward, "__module__": __name__})


ReLU, ReLU6, SiLU, Mish, SELU = map(_of, ("ReLU", "ReLU6", "SiLU", "Mish", "SELU"))


class Hardtanh(_InPlace):
    _shown = ("min_val", "max_val")

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__(inplace)
        # The last two are older names of the first two.
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class LeakyReLU(_InPlace):
    _shown = ("negative_slope",)

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class ELU(_InPlace):
    _shown = ("alpha",)

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)


class GELU(WithArguments):
    _shown = ("approximate",)

    def __init__(self, approximate="none"):
        super().__init__(approximate=approximate)

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)


class Softplus(WithArguments):
    _shown = ("beta", "threshold")

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__(beta=beta, threshold=threshold)

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)


class Tanh(Module):
    def forward(self, input):
        return input.tanh()


class Sigmoid(Module):
    def forward(self, input):
        return input.sigmoid()


class LogSigmoid(Module):
    def forward(self, input):
        return F.logsigmoid(input)


class Softmax(WithArguments):
    _shown = ("dim",)

    def __init__(self, dim=None):
        super().__init__(dim=dim)

    def forward(self, input):
        return F.softmax(input, self.dim)


class LogSoftmax(WithArguments):
    _shown = ("dim",)

    def __init__(self, dim=None):
        super().__init__(dim=dim)

    def forward(self, input):
        return F.log_softmax(input, self.dim)
