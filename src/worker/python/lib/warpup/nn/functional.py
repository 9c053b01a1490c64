"""torch.nn.functional: layers without parameters of their own."""

import _warpup
from _warpup import gelu as _gelu, linear, rand_like


def relu(input):
    return input.relu()


def gelu(input, approximate="none"):
    if approximate != "none":
        raise NotImplementedError("gelu(approximate='tanh') is not part of warpup; PyTorch has it")
    return _gelu(input)


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def silu(input):
    return input * input.sigmoid()


def softmax(input, dim):
    return input.softmax(dim)


def log_softmax(input, dim):
    return input.log_softmax(dim)


def embedding(input, weight):
    picked = weight.index_select(0, input.flatten())
    return picked.reshape(*input.shape, weight.shape[1])


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    dims = [-1 - at for at in range(len(normalized_shape))]
    centred = input - input.mean(dims, keepdim=True)
    spread = (centred * centred).mean(dims, keepdim=True)
    out = centred * (spread + eps).rsqrt()
    if weight is not None:
        out = out * weight
    if bias is not None:
        out = out + bias
    return out


def dropout(input, p=0.5, training=True):
    if not training or p == 0:
        return input
    keep = (rand_like(input) >= p).to(input.dtype)
    return input * keep / (1 - p)


def nll_loss(input, target, reduction="mean"):
    _warpup.same_device(input, target, "target", "nll_loss_forward")
    try:
        picked = input.gather(1, target.unsqueeze(1)).squeeze(1)
    except RuntimeError as error:
        words = str(error).split()
        if words[:1] == ["index"]:
            raise IndexError(f"Target {words[1]} is out of bounds.") from None
        raise
    return _reduced(-picked, reduction)


def cross_entropy(input, target, reduction="mean"):
    if input.dim() == 1:
        input, target = input.unsqueeze(0), target.unsqueeze(0)
    if input.shape[0] != target.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]})."
        )
    if target.is_floating_point():
        if target.shape != input.shape:
            raise RuntimeError("expected target dtype to be Long or Byte, but got Float")
        return _reduced(-(input.log_softmax(1) * target).sum(1), reduction)
    return nll_loss(input.log_softmax(1), target, reduction)


def mse_loss(input, target, reduction="mean"):
    difference = input - target
    return _reduced(difference * difference, reduction)


def _reduced(losses, reduction):
    if reduction == "mean":
        return losses.mean()
    if reduction == "sum":
        return losses.sum()
    if reduction == "none":
        return losses
    raise ValueError(f"{reduction} is not a valid value for reduction")


def scaled_dot_product_attention(query, key, value, attn_mask=None, is_causal=False):
    scores = query @ key.transpose(-2, -1) * query.shape[-1] ** -0.5
    if is_causal:
        ones = _warpup.ones(query.shape[-2], key.shape[-2], device=query.device)
        scores = scores.masked_fill(ones.tril() == 0, float("-inf"))
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    return scores.softmax(-1) @ value


def __getattr__(name):
    raise AttributeError(
        f"module 'torch.nn.functional' has no attribute '{name}' in warpup. "
        f"If PyTorch has it, it is torch.nn.functional.{name} there"
    )
