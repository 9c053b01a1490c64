"""torch.nn.functional: layers and losses without parameters of their own.

Arguments and their defaults are PyTorch's; the operations are native (`_layers`).
"""

import builtins

import _layers
import _precision
import _warpup
from _layers import linear

from warpup import _names
from warpup._functions import _scalar, written


def relu(input, inplace=False):
    return input.relu_() if inplace else input.relu()


def relu6(input, inplace=False):
    return hardtanh(input, 0.0, 6.0, inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return _kept(input, _layers.activate("hardtanh", _saved(input, inplace), float(min_val), float(max_val)), inplace)


def gelu(input, *, approximate="none"):
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return _layers.activate("gelu" if approximate == "none" else "gelu_tanh", input)


def silu(input, inplace=False):
    return _kept(input, _layers.activate("silu", _saved(input, inplace)), inplace)


def mish(input, inplace=False):
    return _kept(input, _layers.activate("mish", _saved(input, inplace)), inplace)


def softplus(input, beta=1.0, threshold=20.0):
    return _layers.activate("softplus", input, float(beta), float(threshold))


def logsigmoid(input):
    return _layers.activate("logsigmoid", input)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return _kept(input, _layers.activate("leaky_relu", _saved(input, inplace), float(negative_slope)), inplace)


def elu(input, alpha=1.0, inplace=False):
    return _kept(input, _layers.activate("elu", _saved(input, inplace), float(alpha), 1.0), inplace)


def selu(input, inplace=False):
    made = _layers.activate("elu", _saved(input, inplace), 1.6732632423543772, 1.0507009873554805)
    return _kept(input, made, inplace)


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def relu_(input):
    return input.relu_()


def leaky_relu_(input, negative_slope=0.01):
    return leaky_relu(input, negative_slope, True)


def elu_(input, alpha=1.0):
    return elu(input, alpha, True)


def selu_(input):
    return selu(input, True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    return hardtanh(input, min_val, max_val, True)


def _saved(input, inplace):
    """What backward reads: the input, or a copy of it where a call in place writes over it."""
    return input.clone() if inplace and input.requires_grad and _warpup.is_grad_enabled() else input


def _kept(input, result, inplace):
    return written(input, result, _IN_PLACE) if inplace else result


# The nodes of functions that PyTorch has apart for calls in place.
_IN_PLACE = {
    "LeakyReluBackward0": "LeakyReluBackward1", "EluBackward0": "EluBackward1", "CeluBackward0": "CeluBackward1",
    "ThresholdBackward0": "ThresholdBackward1",
}


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return (input if dtype is None else input.to(dtype)).softmax(_dim(input, dim))


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return (input if dtype is None else input.to(dtype)).log_softmax(_dim(input, dim))


def _dim(input, dim):
    if dim is None:
        # The dimension that PyTorch chooses, with a warning, where `dim` is absent.
        return 0 if input.dim() in (0, 1, 3) else 1
    return dim


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    if p == 2.0:
        length = (input * input).sum(dim, keepdim=True).sqrt()
    else:
        length = (input.abs() ** p).sum(dim, keepdim=True) ** (1 / p)
    return _warpup.function("div")(input, length.clamp(eps).expand(input.shape), out=out)


def one_hot(tensor, num_classes=-1):
    if not tensor.type().endswith("LongTensor"):
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.numel() == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    # On a card the kernel checks the classes, so that only their number can make the host wait.
    is_checked = tensor.numel() > 0 and not tensor.is_cuda
    if is_checked and tensor.min().item() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = tensor.max().item() + 1
    elif is_checked and tensor.max().item() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    elif num_classes < 1:
        raise RuntimeError("num_classes should be positive")
    return tensor.new_zeros(*tensor.shape, num_classes).scatter(-1, tensor.unsqueeze(-1), 1)


def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    if scale_grad_by_freq or sparse:
        raise NotImplementedError("scale_grad_by_freq and sparse of embedding() are not part of warpup; PyTorch has them")
    if padding_idx is not None:
        rows = weight.shape[0]
        assert -rows <= padding_idx < rows, "Padding_idx must be within num_embeddings"
        padding_idx %= rows
    if max_norm is not None:
        from warpup.nn import _long_rows

        _long_rows.shorten(weight, input, max_norm, norm_type)
    return _layers.embedding(input, weight, padding_idx)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    if weight is None and bias is not None:
        import warpup

        weight = warpup.ones(normalized_shape, device=bias.device, dtype=bias.dtype)
    return _layers.norm("layer_norm", float(eps), input, normalized_shape, weight, bias)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    if eps is None:
        import warpup

        eps = warpup.finfo(input.dtype).eps
    made = _layers.norm("rms_norm", float(eps), input, normalized_shape, weight, None)
    return made if input.is_cuda else _warpup.named(made, "MulBackward0")


def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0:
        return input
    if p == 1.0 and not input.is_cuda:
        # Nothing is drawn.
        return _kept(input, input * 0.0, inplace)
    made = _layers.dropout(input, float(p), builtins.bool(inplace))
    if not input.is_cuda:
        # The CPU has no kernel for it, so PyTorch multiplies.
        _warpup.named(made, "MulBackward0")
    return _kept(input, made, inplace)


def _legacy_reduction(size_average, reduce, reduction):
    """The reduction that the arguments of PyTorch's first years mean, if one of them is given."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    return _layers.nll_loss(input, target, weight, ignore_index, reduction)


def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
    label_smoothing=0.0,
):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    _is_reduction(reduction)
    if label_smoothing < 0.0 or label_smoothing > 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    # As in PyTorch, a target of the shape of the scores holds probabilities, any other holds classes.
    if target.shape == input.shape and target.dim() > 0:
        if not target.is_floating_point():
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got " + _scalar(target)
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _of_probabilities(input, target, weight, reduction, label_smoothing)
    if input.dim() == 1 and target.dim() == 1 and target.shape[0] != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.shape[0]}")
    if input.dim() > 1 and target.dim() > 0 and input.shape[0] != target.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]})."
        )
    classes = 0 if input.dim() == 1 else 1
    scores = _log_softmax_of(input, classes)
    loss = _layers.nll_loss(scores, target, weight, ignore_index, reduction)
    if label_smoothing == 0.0:
        return loss
    return _smoothed(loss, scores, target, (weight, ignore_index, reduction), label_smoothing)


def _log_softmax_of(input, classes):
    """Under autocast on the CPU the whole loss runs in float32. On a card PyTorch gives `log_softmax` the dtype of the scores, so
    that autocast leaves it alone (`cross_entropy_loss`), and casts what it gives for the rest of the loss."""
    kind = "cuda" if input.is_cuda else "cpu"
    half = _precision.autocast(kind)
    if input.itemsize != 2 or half is None:
        return input.log_softmax(classes)
    if not input.is_cuda:
        return input.float().log_softmax(classes)
    _precision.set_autocast(kind, None)
    try:
        return input.log_softmax(classes)
    finally:
        _precision.set_autocast(kind, half)


def _smoothed(loss, scores, target, how, label_smoothing):
    """Label smoothing: distributes a part of each target over all classes."""
    weight, ignore_index, reduction = how
    classes = 0 if scores.dim() == 1 else 1
    spread = scores if weight is None else scores * _along(weight, scores, classes)
    smooth = -spread.sum(classes)
    counts = target != ignore_index
    smooth = smooth.masked_fill(~counts, 0.0)
    if reduction == "mean":
        if weight is None:
            total = counts.sum()
        else:
            total = weight.index_select(0, target.masked_fill(~counts, 0).flatten()).reshape(target.shape)
            total = total.masked_fill(~counts, 0.0).sum()
        smooth = smooth.sum() / total
    elif reduction == "sum":
        smooth = smooth.sum()
    share = label_smoothing / scores.shape[classes]
    return loss * (1 - label_smoothing) + smooth * share


def _of_probabilities(input, target, weight, reduction, label_smoothing):
    classes = 0 if input.dim() == 1 else 1
    count = input.shape[classes]
    if label_smoothing > 0.0:
        target = target * (1 - label_smoothing) + label_smoothing / count
    products = _log_softmax_of(input, classes) * target
    if weight is not None:
        products = products * _along(weight, input, classes)
    if reduction == "none":
        return -products.sum(classes)
    total = -products.sum()
    return total if reduction == "sum" else _warpup.named(total / (input.numel() // count), "DivBackward1")


def _along(weight, like, dim):
    shape = [1] * like.dim()
    shape[dim] = -1
    return weight.reshape(shape)


def _warn_of_sizes(input, target):
    """PyTorch's warning about a loss of two tensors that broadcasting makes fit, at the line that calls the loss."""
    if input.shape != target.shape:
        import warnings

        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
            "This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            stacklevel=3,
        )


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    _warn_of_sizes(input, target)
    reduction = _legacy_reduction(size_average, reduce, reduction)
    return _weighted("mse_loss", input, target, weight, reduction)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    _warn_of_sizes(input, target)
    reduction = _legacy_reduction(size_average, reduce, reduction)
    return _reduced((input - target).abs(), reduction, weight)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    _warn_of_sizes(input, target)
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return _reduced((input - target).abs(), reduction, None)
    return _layers.loss("smooth_l1_loss", input, target, reduction, float(beta))


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    _warn_of_sizes(input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return _weighted("huber_loss", input, target, weight, reduction, float(delta))


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    _is_reduction(reduction)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is "
            "deprecated. Please ensure they have the same size."
        )
    return _weighted("binary_cross_entropy", input, target, weight, reduction)


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    _is_reduction(reduction)
    if target.shape != input.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    if pos_weight is None:
        return _weighted("binary_cross_entropy_with_logits", input, target, weight, reduction)
    factor = (pos_weight - 1) * target + 1
    return _reduced((1 - target) * input - factor * logsigmoid(input), reduction, weight)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if log_target:
        losses = target.exp() * (target - input)
    else:
        positive = target > 0
        logs = target.masked_fill(~positive, 1.0).log()
        losses = target * logs - target * input
    if reduction == "batchmean":
        return losses.sum() / (input.shape[0] if input.dim() else 1)
    return _reduced(losses, reduction)


def _weighted(name, input, target, weight, reduction, *number):
    if weight is None:
        return _layers.loss(name, input, target, reduction, *number)
    return _reduced(_layers.loss(name, input, target, "none", *number), reduction, weight)


def _reduced(losses, reduction, weight=None):
    if weight is not None:
        losses = losses * weight
    if reduction == "none":
        return losses
    _is_reduction(reduction)
    return losses.mean() if reduction == "mean" else losses.sum()


def _is_reduction(reduction):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")


def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    lengths = [(it * it).sum(dim).sqrt().clamp(eps) for it in (x1, x2)]
    return _warpup.named((x1 * x2).sum(dim) / (lengths[0] * lengths[1]), "SumBackward1")


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if attn_mask is not None and is_causal:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
        )
    if dropout_p < 0.0 or dropout_p > 1.0:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {dropout_p:g}")
    if enable_gqa:
        key, value = (_for_each_query(query, it) for it in (key, value))
    scale = None if scale is None else float(scale)
    given = (query, key, value, attn_mask, float(dropout_p), builtins.bool(is_causal), scale)
    out = _layers.attention(*given)
    if out is None:
        from warpup.nn import _math_attention

        return _math_attention.attention(*given, dropout)
    return out


def _for_each_query(query, it):
    """Repeats keys or values for each query head of their group (grouped-query attention)."""
    groups, heads = it.shape[-3], query.shape[-3]
    if heads % groups:
        raise RuntimeError("Number of heads in key and value must divide the number of heads in query")
    outer, inner = it.shape[:-3], it.shape[-2:]
    spread = it.unsqueeze(-3).expand(*outer, groups, heads // groups, *inner)
    return spread.reshape(*outer, heads, *inner)


# Names that few labs use are loaded on first use, so that the other labs start sooner.
_LATER = {
    "warpup.nn._convolve": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d pad unfold",
    "warpup.nn._pooling":
        "max_pool1d max_pool2d max_pool3d max_unpool1d max_unpool2d avg_pool1d avg_pool2d avg_pool3d "
        "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
        "adaptive_max_pool3d interpolate upsample upsample_nearest upsample_bilinear pixel_shuffle pixel_unshuffle channel_shuffle lp_pool2d",
    "warpup.nn._ctc": "ctc_loss",
    "warpup.nn._grids": "affine_grid grid_sample",
    "warpup.nn._more": "bilinear embedding_bag fold gumbel_softmax multilabel_margin_loss pdist alpha_dropout",
    "warpup.nn._normalize":
        "batch_norm group_norm instance_norm local_response_norm dropout1d dropout2d dropout3d",
    "warpup.nn._curves":
        "prelu hardswish hardsigmoid softsign softmin celu glu threshold tanhshrink softshrink hardshrink "
        "rrelu",
    "warpup.nn._distances":
        "cosine_embedding_loss margin_ranking_loss hinge_embedding_loss triplet_margin_loss poisson_nll_loss "
        "gaussian_nll_loss soft_margin_loss multi_margin_loss multilabel_soft_margin_loss pairwise_distance",
}
__getattr__ = _names.getter("torch.nn.functional", globals(), _LATER)


def __dir__():
    return _names.public(globals(), _LATER)
