"""torch.nn: layers, losses, and modules that hold them."""

from warpup import _names
from warpup.nn import functional
from warpup.nn.activations import (
    ELU, GELU, SELU, Hardtanh, LeakyReLU, LogSigmoid, LogSoftmax, Mish, ReLU, ReLU6, Sigmoid, SiLU, Softmax,
    Softplus, Tanh,
)
from warpup.nn.containers import ModuleDict, ModuleList, Sequential
from warpup.nn.layers import Dropout, Embedding, Flatten, Identity, LayerNorm, Linear, RMSNorm, Unflatten
from warpup.nn.losses import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, KLDivLoss, L1Loss, MSELoss, NLLLoss, SmoothL1Loss,
)
from warpup.nn.module import Buffer, Module, Parameter

# PyTorch has `Parameter` in a module of its own.
parameter = __import__("sys").modules["warpup.nn.module"]

# Names that few labs use are loaded on first use, so that the other labs start sooner.
_LATER = {
    "warpup.nn._more": "_ntuple _pair _single _triple",
    "warpup.nn.init": "init",
    "warpup.nn.utils": "utils",
    "warpup.nn._states": "_IncompatibleKeys",
    "warpup.nn.attention": "attention MultiheadAttention",
    "warpup.nn.parallel": "DataParallel parallel",
    "warpup.nn.parameters": "ParameterDict ParameterList",
    "warpup.nn.transformer":
        "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer",
    "warpup.nn.convolution": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d",
    "warpup.nn.pooling":
        "MaxPool1d MaxPool2d MaxPool3d MaxUnpool2d AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d "
        "AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d LPPool2d Upsample UpsamplingNearest2d "
        "UpsamplingBilinear2d PixelShuffle PixelUnshuffle ChannelShuffle Unfold ZeroPad1d ZeroPad2d ZeroPad3d "
        "ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d "
        "ReplicationPad2d ReplicationPad3d CircularPad1d CircularPad2d CircularPad3d",
    "warpup.nn.normalization":
        "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d GroupNorm "
        "LocalResponseNorm Dropout1d Dropout2d Dropout3d",
    "warpup.nn.lazy":
        "LazyLinear LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d "
        "LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d "
        "UninitializedParameter UninitializedBuffer",
    "warpup.nn.rarer": "AlphaDropout Bilinear CTCLoss EmbeddingBag Fold MultiLabelMarginLoss",
    "warpup.nn.rnn": "RNN LSTM GRU RNNBase RNNCell LSTMCell GRUCell",
    "warpup.nn.curves":
        "PReLU Hardswish Hardsigmoid Softsign Softmin Softmax2d CELU GLU Threshold Tanhshrink Softshrink Hardshrink RReLU",
    "warpup.nn.distances":
        "CosineEmbeddingLoss CosineSimilarity MarginRankingLoss HingeEmbeddingLoss TripletMarginLoss PoissonNLLLoss "
        "GaussianNLLLoss SoftMarginLoss MultiMarginLoss MultiLabelSoftMarginLoss PairwiseDistance",
}
__getattr__ = _names.getter("torch.nn", globals(), _LATER)


def __dir__():
    return _names.public(globals(), _LATER)
