"""torch.nn.utils.fusion: a batch norm becomes part of the layer before it. Loaded on first use."""

from copy import deepcopy

import warpup
import warpup._copies  # noqa: F401
from warpup import _names
from warpup.nn import Parameter


def _check(layer, bn):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")


def fuse_conv_bn_eval(conv, bn, transpose=False):
    _check(conv, bn)
    fused = deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    bias_dtype = conv_w.dtype if conv_b is None else conv_b.dtype
    conv_b = warpup.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = warpup.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = warpup.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = warpup.rsqrt(bn_rv + bn_eps)
    shape = ([1, -1] if transpose else [-1, 1]) + [1] * (conv_w.dim() - 2)
    weight = (conv_w * (bn_w * scale).reshape(shape)).to(conv_w.dtype)
    bias = ((conv_b - bn_rm) * scale * bn_w + bn_b).to(bias_dtype)
    return Parameter(weight.detach(), conv_w.requires_grad), Parameter(bias.detach(), conv_b.requires_grad)


def fuse_linear_bn_eval(linear, bn):
    _check(linear, bn)
    fused = deepcopy(linear)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    bias_dtype = linear_w.dtype if linear_b is None else linear_b.dtype
    linear_b = warpup.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * warpup.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(linear_w.dtype)
    bias = ((linear_b - bn_rm) * scale + bn_b).to(bias_dtype)
    return Parameter(weight.detach(), linear_w.requires_grad), Parameter(bias.detach(), linear_b.requires_grad)


__getattr__ = _names.getter("torch.nn.utils.fusion", globals())
