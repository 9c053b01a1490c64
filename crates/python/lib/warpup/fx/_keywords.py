"""How PyTorch records functions of torch.nn.functional that are written in Python: all but the tensors by keyword."""

_ACTIVATIONS = ("hardsigmoid", "hardswish", "mish", "relu", "relu6", "selu", "silu")
_POOLED = {"stride": None, "padding": 0, "dilation": 1, "ceil_mode": False, "return_indices": False}
_LOSS = {"size_average": None, "reduce": None, "reduction": "mean"}
_SOFTMAX = {"dim": None, "_stacklevel": 3, "dtype": None}
# The number of arguments that stay by position, and the defaults of the others.
_RECORDED = {
    **{name: (1, {"inplace": False}) for name in _ACTIVATIONS},
    **{f"max_pool{rank}d": (2, _POOLED) for rank in (1, 2, 3)},
    **{f"adaptive_avg_pool{rank}d": (2, {}) for rank in (2, 3)},
    **{name: (1, _SOFTMAX) for name in ("softmax", "log_softmax", "softmin")},
    **{name: (1, {"p": 0.5, "training": True, "inplace": False}) for name in ("dropout", "dropout1d", "dropout2d", "dropout3d")},
    "alpha_dropout": (1, {"p": 0.5, "training": False, "inplace": False}),
    "celu": (1, {"alpha": 1.0, "inplace": False}),
    "elu": (1, {"alpha": 1.0, "inplace": False}),
    "glu": (1, {"dim": -1}),
    "hardtanh": (1, {"min_val": -1.0, "max_val": 1.0, "inplace": False}),
    "leaky_relu": (1, {"negative_slope": 0.01, "inplace": False}),
    "threshold": (3, {"inplace": False}),
    "embedding": (
        2, {"padding_idx": None, "max_norm": None, "norm_type": 2.0, "scale_grad_by_freq": False, "sparse": False}
    ),
    "batch_norm": (3, {"weight": None, "bias": None, "training": False, "momentum": 0.1, "eps": 1e-05}),
    "group_norm": (2, {"weight": None, "bias": None, "eps": 1e-05}),
    "layer_norm": (2, {"weight": None, "bias": None, "eps": 1e-05}),
    "interpolate": (
        1, {"size": None, "scale_factor": None, "mode": "nearest", "align_corners": None, "recompute_scale_factor": None,
            "antialias": False}
    ),
    "normalize": (1, {"p": 2.0, "dim": 1, "eps": 1e-12, "out": None}),
    "pad": (2, {"mode": "constant", "value": None}),
    "cross_entropy": (
        2, {"weight": None, "size_average": None, "ignore_index": -100, "reduce": None, "reduction": "mean",
            "label_smoothing": 0.0}
    ),
    "nll_loss": (2, {"weight": None, "size_average": None, "ignore_index": -100, "reduce": None, "reduction": "mean"}),
    "mse_loss": (2, {**_LOSS, "weight": None}),
    "l1_loss": (2, {**_LOSS, "weight": None}),
    "binary_cross_entropy": (2, {"weight": None, **_LOSS}),
    "binary_cross_entropy_with_logits": (2, {"weight": None, **_LOSS, "pos_weight": None}),
}


def recorded(qualified_name, args, kwargs):
    """The arguments of a call as PyTorch's node has them."""
    place, _, name = qualified_name.rpartition(".")
    if place != "torch.nn.functional" or name not in _RECORDED:
        return args, kwargs
    count, defaults = _RECORDED[name]
    by_name = dict(zip(defaults, args[count:]))
    rest = {key: it for key, it in kwargs.items() if key not in defaults}
    return (*args[:count], *rest.values()), {key: by_name.get(key, kwargs.get(key, it)) for key, it in defaults.items()}
