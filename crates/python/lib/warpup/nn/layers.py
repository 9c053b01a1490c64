"""Layers with parameters, normalization, dropout and reshaping."""

import _layers

from warpup import arange, empty, ones, zeros
from warpup.nn import functional as F
from warpup.nn import init
from warpup.nn.module import Module, Parameter, WithArguments


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty(out_features, in_features, device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = self.in_features**-0.5 if self.in_features > 0 else 0.0
        for parameter in (self.weight, self.bias):
            if parameter is not None:
                init.uniform_(parameter, -bound, bound)

    def forward(self, input):
        return _layers.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Embedding(Module):
    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
        scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None,
    ):
        super().__init__()
        if scale_grad_by_freq or sparse:
            raise NotImplementedError("scale_grad_by_freq and sparse of Embedding are not part of warpup; PyTorch has them")
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = self.sparse = False
        if padding_idx:
            assert -num_embeddings <= padding_idx < num_embeddings, "Padding_idx must be within num_embeddings"
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        if _weight is None:
            self.weight = Parameter(empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
            self.reset_parameters()
        else:
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def _clear_padding(self):
        if self.padding_idx is not None:
            padding = arange(self.num_embeddings, device=self.weight.device).unsqueeze(1) == self.padding_idx
            self.weight.data = self.weight.data.masked_fill(padding, 0.0)

    def reset_parameters(self):
        init.normal_(self.weight)
        self._clear_padding()

    @classmethod
    def from_pretrained(
        cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
    ):
        assert embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional"
        rows, columns = embeddings.shape
        return cls(
            rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, _weight=embeddings, _freeze=freeze
        )

    def forward(self, input):
        if self.max_norm is not None:
            return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type)
        return _layers.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self):
        shown = f"{self.num_embeddings}, {self.embedding_dim}"
        for name, default in (("padding_idx", None), ("max_norm", None), ("norm_type", 2.0)):
            if getattr(self, name) != default:
                shown += f", {name}={getattr(self, name)}"
        return shown


def _sizes(normalized_shape):
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


class LayerNorm(Module):
    def __init__(
        self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None
    ):
        super().__init__()
        self.normalized_shape = _sizes(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        make = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(ones(*self.normalized_shape, **make)) if elementwise_affine else None)
        bias = bias and elementwise_affine
        self.register_parameter("bias", Parameter(zeros(*self.normalized_shape, **make)) if bias else None)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = _sizes(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        weight = Parameter(ones(*self.normalized_shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", weight)

    def forward(self, input):
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class Dropout(WithArguments):
    _shown = ("p", "inplace")

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p=p, inplace=inplace)
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")

    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)


class Flatten(WithArguments):
    _shown = ("start_dim", "end_dim")

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__(start_dim=start_dim, end_dim=end_dim)

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(WithArguments):
    _shown = ("dim", "unflattened_size")

    def __init__(self, dim, unflattened_size):
        super().__init__(dim=dim, unflattened_size=unflattened_size)

    def forward(self, input):
        at = self.dim % input.dim()
        return input.reshape(*input.shape[:at], *self.unflattened_size, *input.shape[at + 1:])
