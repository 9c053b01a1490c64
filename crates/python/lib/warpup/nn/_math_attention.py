"""Attention as PyTorch computes it without a fused kernel: it stores the scores. Loaded on first use."""

import warpup


def attention(query, key, value, mask, dropout_p, is_causal, scale, dropout):
    half = warpup.get_autocast_dtype("cuda") if warpup.is_autocast_enabled("cuda") else None
    if half is not None and query.dtype == warpup.float32:
        query, key, value = query.to(half), key.to(half), value.to(half)
    with warpup.autocast("cuda", enabled=False):
        return _by_parts(query, key, value, _added(mask, is_causal, query, key), (dropout_p, dropout), scale)


def _added(mask, is_causal, query, key):
    """What is added to the scores, or None."""
    if is_causal:
        mask = warpup.ones(query.shape[-2], key.shape[-2], dtype=warpup.bool, device=query.device).tril()
    if mask is None or mask.dtype != warpup.bool:
        return mask
    return warpup.zeros(mask.shape, dtype=query.dtype, device=query.device).masked_fill(~mask, float("-inf"))


def _by_parts(query, key, value, mask, drops, scale):
    own = query.dtype
    if own in (warpup.float16, warpup.bfloat16):
        query, key, value = query.float(), key.float(), value.float()
    # Both factors are scaled, so that their products stay small.
    factor = (query.shape[-1] ** -0.5 if scale is None else scale) ** 0.5
    scores = (query * factor) @ (key.transpose(-2, -1) * factor)
    if mask is not None:
        scores += mask
    weights = scores.softmax(-1)
    # A row without any key has no weights (`_safe_softmax`).
    with warpup.no_grad():
        shut = (scores == float("-inf")).all(-1, keepdim=True)
        checked = warpup.where(shut, 0.0, weights)
    if mask is not None:
        weights = weights.masked_fill(shut, 0.0)
    del scores, checked
    dropout_p, dropout = drops
    if dropout_p > 0:
        weights = dropout(weights, dropout_p, True)
    out = (weights @ value).to(own)
    if own != value.dtype:
        # PyTorch gives the weights, too, though nobody asks for them.
        weights.to(own)
    return out
