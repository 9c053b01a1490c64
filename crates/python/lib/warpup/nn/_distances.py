"""Losses and distances that are made of other operations, loaded on first use."""

import math

from warpup import where
from warpup.nn.functional import _is_reduction, _reduced, cosine_similarity, logsigmoid
from warpup.nn.functional import _legacy_reduction


def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    return (x1 - x2 + eps).norm(p, -1, keepdim)


def cosine_embedding_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    near = cosine_similarity(input1, input2, -1)
    zeros = near * 0
    same = where(target == 1, 1 - near, zeros)
    other = where(target == -1, (near - margin).clamp(min=0), zeros)
    return _reduced(same + other, reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    _is_reduction(reduction)
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return _reduced((-target * (input1 - input2) + margin).clamp(min=0), reduction)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    zeros = input * 0
    near = where(target == -1, zeros, input)
    far = where(target == 1, zeros, (margin - input).clamp(min=0))
    return _reduced(near + far, reduction)


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, size_average=None, reduce=None,
    reduction="mean",
):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return _reduced((near - far + margin).clamp(min=0), reduction)


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"
):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    _is_reduction(reduction)
    losses = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        losses = losses + stirling.masked_fill(target <= 1, 0)
    return _reduced(losses, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    import warpup

    if not isinstance(var, warpup.Tensor):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = warpup.full_like(input, var)
    if var.shape != input.shape:
        if input.shape[:-1] == var.shape:
            var = var.unsqueeze(-1)
        elif not (input.shape[:-1] == var.shape[:-1] and var.shape[-1] == 1):
            raise ValueError("var is of incorrect size")
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    with warpup.no_grad():
        floor = (eps - var).clamp(min=0)
    var = var + floor
    losses = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return _reduced(losses, reduction)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    return _reduced(((-target * input).exp() + 1).log(), reduction)


def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    import warpup

    rows = input if input.dim() > 1 else input.unsqueeze(0)
    classes = target.reshape(-1, 1)
    far = (margin - rows.gather(1, classes) + rows).clamp(min=0)
    if p == 2:
        far = far * far
    if weight is not None:
        far = far * weight.index_select(0, classes.flatten()).unsqueeze(1)
    own = warpup.arange(rows.shape[1], device=rows.device).unsqueeze(0) == classes
    losses = far.masked_fill(own, 0.0).sum(1) / rows.shape[1]
    return _reduced(losses if input.dim() > 1 else losses.squeeze(0), reduction)


def multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    return _reduced(losses.mean(-1), reduction)
