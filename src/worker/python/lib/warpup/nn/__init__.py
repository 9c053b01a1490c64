"""torch.nn: layers, losses, and modules that hold them."""

import builtins

from warpup import _names
from warpup.nn import functional
from warpup.nn.activations import (
    ELU, GELU, SELU, Hardtanh, LeakyReLU, LogSigmoid, LogSoftmax, Mish, ReLU, ReLU6, Sigmoid, SiLU, Softmax,
    Softplus, Tanh,
)
from warpup.nn.containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from warpup.nn.layers import Dropout, Embedding, Flatten, Identity, LayerNorm, Linear, RMSNorm, Unflatten
from warpup.nn.losses import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, KLDivLoss, L1Loss, MSELoss, NLLLoss, SmoothL1Loss,
)
from warpup.nn.module import Module, Parameter

# Names that few labs use are loaded on first use, so that the other labs start sooner.
_LATER = {
    "warpup.nn.init": "init",
    "warpup.nn.utils": "utils",
    "warpup.nn.attention": "MultiheadAttention TransformerEncoder TransformerEncoderLayer",
}
__getattr__ = _names.getter("torch.nn", globals(), _LATER)


def __dir__():
    return _names.public(globals(), _LATER)
