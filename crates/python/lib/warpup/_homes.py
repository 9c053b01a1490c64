"""The files in which PyTorch keeps its classes: types print them, and programs import from them.

warpup's own files are cut another way. The public classes are those of PyTorch 2.15, whether warpup has them or not.
"""

import sys

# The files in `torch.nn.modules`.
_LAYERS = {
    "activation":
        "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish "
        "MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign "
        "Tanh Tanhshrink Threshold",
    "adaptive": "AdaptiveLogSoftmaxWithLoss",
    "batchnorm":
        "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm _BatchNorm "
        "_NormBase",
    "channelshuffle": "ChannelShuffle",
    "container": "ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "conv":
        "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d "
        "LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d _ConvNd",
    "distance": "CosineSimilarity PairwiseDistance",
    "dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "flatten": "Flatten Unflatten",
    "fold": "Fold Unfold",
    "instancenorm":
        "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d _InstanceNorm",
    "linear": "Bilinear Identity LazyLinear Linear NonDynamicallyQuantizableLinear",
    "loss":
        "BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HingeEmbeddingLoss HuberLoss "
        "KLDivLoss L1Loss MSELoss MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss "
        "PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss _Loss _WeightedLoss",
    "module": "Module",
    "normalization": "GroupNorm LayerNorm LocalResponseNorm RMSNorm",
    "padding":
        "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d "
        "ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
    "pixelshuffle": "PixelShuffle PixelUnshuffle",
    "pooling":
        "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
        "AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d "
        "MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "rnn": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
    "sparse": "Embedding EmbeddingBag",
    "transformer":
        "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer",
    "upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    "utils": "_single _pair _triple _ntuple",
}
_OPTIMIZERS = "adadelta adagrad adam adamax adamw asgd lbfgs nadam optimizer radam rmsprop rprop sgd sparse_adam"
# Files whose names are those of the module around them. Some are folders of such files.
_FILES = {
    "torch.amp": "autocast_mode grad_scaler",
    "torch.autograd": "variable",
    "torch.cuda": "memory",
    "torch.cuda.amp": "autocast_mode common grad_scaler",
    "torch.distributions":
        "bernoulli beta binomial categorical cauchy chi2 dirichlet exponential gamma geometric gumbel half_normal independent "
        "laplace log_normal mixture_same_family multinomial multivariate_normal normal one_hot_categorical poisson studentT "
        "transformed_distribution uniform",
    "torch.nn": "modules parameter",
    "torch.nn.modules": " ".join(_LAYERS),
    "torch.nn.parallel": "data_parallel distributed",
    "torch.nn.utils": "clip_grad convert_parameters stateless",
    "torch.optim": _OPTIMIZERS,
    "torch.profiler": "profiler",
    "torch.utils.data": "_utils",
    "torch.utils.data._utils": "collate worker",
}
# Names that are in a file only, most with a `_`, and that programs nevertheless build on, and where warpup has them.
_PRIVATE = {
    "_BatchNorm": "warpup.nn.normalization", "_ConvNd": "warpup.nn.convolution", "_InstanceNorm": "warpup.nn.normalization",
    "_Loss": "warpup.nn.losses", "_NormBase": "warpup.nn.normalization", "_WeightedLoss": "warpup.nn.losses",
    "_get_activation_fn": "warpup.nn.transformer", "_get_clones": "warpup.nn.transformer",
    "consume_prefix_in_state_dict_if_present": "warpup.nn._states", "functional_call": "warpup.func",
    "ParamsT": "warpup.optim._types",
    **dict.fromkeys(("_dump_snapshot", "_record_memory_history", "_snapshot"), "warpup.cuda._snapshot"),
    **dict.fromkeys(
        (
            "register_module_backward_hook", "register_module_forward_hook", "register_module_forward_pre_hook",
            "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
        ),
        "warpup.nn._hooks_of_all",
    ),
}


class _File(type(sys)):
    """A file of PyTorch: gives what the module around it has."""

    def __init__(self, name, around):
        super().__init__(name)
        self.__dict__["_around"] = around

    def __getattr__(self, name):
        found = file(self.__name__, name, self._around)
        if found is None and name in _PRIVATE:
            __import__(_PRIVATE[name])
            found = getattr(sys.modules[_PRIVATE[name]], name)
        if found is None:
            try:
                found = getattr(self._around, name)
            except AttributeError:
                error = f"module '{self.__name__}' has no attribute '{name}'"
                if not name.startswith("__"):
                    from warpup import _advice

                    error += ": " + _advice.advice(self.__name__, name, _advice.public(vars(self._around)))
                raise AttributeError(error) from None
        setattr(self, name, found)
        return found


def file(where, name, around):
    """The file `where.name` of PyTorch, if it has one."""
    if name in _FILES.get(where, "").split():
        return _File(f"{where}.{name}", around)
    return None


def importable():
    """Puts PyTorch's modules and files among the loaded modules, where `pickle` looks for the module of a class."""
    import warpup

    for name, module in list(sys.modules.items()):
        if name.startswith("warpup.") and "._" not in name:
            sys.modules.setdefault("torch" + name.removeprefix("warpup"), module)
    for where, names in _FILES.items():
        around = warpup
        for part in where.split(".")[1:]:
            around = getattr(around, part)
        for name in names.split():
            sys.modules.setdefault(f"{where}.{name}", _File(f"{where}.{name}", around))


_of_layer = {name: "torch.nn.modules." + file for file, names in _LAYERS.items() for name in names.split()}
_of_layer["DataParallel"] = "torch.nn.parallel.data_parallel"
_of_layer["DistributedDataParallel"] = "torch.nn.parallel.distributed"


# Where PyTorch has the classes of a file of warpup, where that is not the same place: by name, or all of them.
_PLACES = {
    "warpup._decompositions": {"LinAlgError": "torch._C"},
    "warpup._legacy": {"Variable": "torch.autograd.variable"},
    "warpup.autograd._anomaly": "torch.autograd.anomaly_mode",
    "warpup.nn.lazy": "torch.nn.parameter",
    "warpup.utils.benchmark": {
        "Measurement": "torch.utils.benchmark.utils.common", "TaskSpec": "torch.utils.benchmark.utils.common",
        "Timer": "torch.utils.benchmark.utils.timer",
    },
}
# A file of `torch.distributions` has the name of its class in small letters; these have none between their words.
_ONE_WORD = {"Chi2": "chi2", "StudentT": "studentT", "OneHotCategoricalStraightThrough": "one_hot_categorical"}
_OF_DISTRIBUTIONS = ("warpup.distributions.continuous", "warpup.distributions.discrete", "warpup.distributions.joint")


def _home(place, name):
    """The module that PyTorch gives the class `name` of warpup's file `place`."""
    if place in _OF_DISTRIBUTIONS:
        words = "".join(f"_{it.lower()}" if it.isupper() else it for it in name).lstrip("_")
        return "torch.distributions." + _ONE_WORD.get(name, words)
    known = _PLACES.get(place)
    if isinstance(known, dict):
        known = known.get(name)
    return known or "torch" + place.removeprefix("warpup")


def settle(module):
    """Gives the classes of a file of warpup the modules that they have in PyTorch: objects without a text of their own
    print them."""
    place = module.__name__
    if not place.startswith("warpup"):
        return
    for name, it in list(vars(module).items()):
        if isinstance(it, type) and it.__module__ == place and it.__name__ == name:
            it.__module__ = _home(place, name)


def rename(cls):
    """Gives a layer or an optimizer of warpup the module that it has in PyTorch; others keep theirs."""
    own = cls.__module__
    if own == "warpup.optim.swa_utils":
        cls.__module__ = "torch.optim.swa_utils"
    elif own.startswith("warpup.nn"):
        cls.__module__ = _of_layer.get(cls.__name__, own)
    elif own.startswith("warpup.optim"):
        name = cls.__name__.lower()
        # PyTorch calls the classes of two files those of the folder.
        here = name in ("adafactor", "muon")
        cls.__module__ = "torch.optim" + ("" if here else ".sparse_adam" if name == "sparseadam" else f".{name}")
