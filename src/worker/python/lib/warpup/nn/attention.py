"""Attention with its projections, and the encoder of a transformer. Loaded on first use."""

import warpup
from warpup import empty
from warpup.nn import functional as F
from warpup.nn import init
from warpup.nn.containers import ModuleList
from warpup.nn.layers import Dropout, LayerNorm, Linear
from warpup.nn.module import Module, Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """The output projection of attention, a class of its own because PyTorch prints its name."""


class MultiheadAttention(Module):
    def __init__(
        self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
        vdim=None, batch_first=False, device=None, dtype=None,
    ):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        super().__init__()
        if add_bias_kv or add_zero_attn or kdim not in (None, embed_dim) or vdim not in (None, embed_dim):
            raise NotImplementedError(
                "add_bias_kv, add_zero_attn, kdim and vdim of MultiheadAttention are not part of warpup; "
                "PyTorch has them"
            )
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == embed_dim, "embed_dim must be divisible by num_heads"
        make = {"device": device, "dtype": dtype}
        self.in_proj_weight = Parameter(empty(3 * embed_dim, embed_dim, **make))
        self.register_parameter("in_proj_bias", Parameter(empty(3 * embed_dim, **make)) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, **make)
        init.xavier_uniform_(self.in_proj_weight)
        if bias:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def _projected(self, query, key, value):
        """The projected query, key and value; one matrix product if they are the same tensor."""
        if query is key and key is value:
            return warpup.chunk(F.linear(query, self.in_proj_weight, self.in_proj_bias), 3, -1)
        weights = warpup.chunk(self.in_proj_weight, 3)
        biases = (None,) * 3 if self.in_proj_bias is None else warpup.chunk(self.in_proj_bias, 3)
        return [F.linear(*it) for it in zip((query, key, value), weights, biases)]

    def _heads(self, it):
        """(batch, length, width) to (batch, heads, length, width of a head)."""
        batch, length = it.shape[0], it.shape[1]
        return it.reshape(batch, length, self.num_heads, self.head_dim).transpose(1, 2)

    def _mask(self, query, key_padding_mask, attn_mask):
        """An optional mask of floats or bools, in the form that attention takes."""
        masks = []
        if attn_mask is not None:
            if attn_mask.dim() == 3:
                attn_mask = attn_mask.reshape(-1, self.num_heads, *attn_mask.shape[1:])
            masks.append(attn_mask)
        if key_padding_mask is not None:
            masks.append(key_padding_mask.unsqueeze(1).unsqueeze(1))
        added = None
        for mask in masks:
            if mask.dtype == warpup.bool:
                zeros = warpup.zeros(*mask.shape, device=mask.device, dtype=query.dtype)
                mask = zeros.masked_fill(mask, float("-inf"))
            added = mask if added is None else added + mask
        return added

    def forward(
        self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
        average_attn_weights=True, is_causal=False,
    ):
        if query.dim() not in (2, 3):
            raise AssertionError(
                f"query should be unbatched 2D or batched 3D tensor but received {query.dim()}-D query tensor"
            )
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        batched = query.dim() == 3
        same = query is key and key is value

        def first(it):
            if not batched:
                return it.unsqueeze(0)
            return it if self.batch_first else it.transpose(0, 1)

        if same:
            query = key = value = first(query)
        else:
            query, key, value = first(query), first(key), first(value)
        if key_padding_mask is not None and not batched:
            key_padding_mask = key_padding_mask.unsqueeze(0)
        if query.shape[-1] != self.embed_dim:
            raise AssertionError(
                f"was expecting embedding dimension of {self.embed_dim}, but got {query.shape[-1]}"
            )
        heads = [self._heads(it) for it in self._projected(query, key, value)]
        mask = self._mask(query, key_padding_mask, attn_mask)
        dropout = self.dropout if self.training else 0.0
        weights = None
        if need_weights:
            scores = heads[0] @ heads[1].transpose(-2, -1) * self.head_dim**-0.5
            weights = (scores if mask is None else scores + mask).softmax(-1)
            weights = F.dropout(weights, dropout, dropout > 0)
            out = weights @ heads[2]
            weights = weights.mean(1) if average_attn_weights else weights
        elif is_causal and key_padding_mask is None:
            out = F.scaled_dot_product_attention(*heads, dropout_p=dropout, is_causal=True)
        else:
            out = F.scaled_dot_product_attention(*heads, attn_mask=mask, dropout_p=dropout)
        batch, length = out.shape[0], out.shape[2]
        out = self.out_proj(out.transpose(1, 2).reshape(batch, length, self.embed_dim))
        if not batched:
            return out.squeeze(0), None if weights is None else weights.squeeze(0)
        return out if self.batch_first else out.transpose(0, 1), weights


class TransformerEncoderLayer(Module):
    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-05,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):
        super().__init__()
        make = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **make)
        self.linear1 = Linear(d_model, dim_feedforward, **make)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **make)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **make)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **make)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        if isinstance(activation, str):
            if activation not in ("relu", "gelu"):
                raise RuntimeError(f"activation should be relu/gelu, not {activation}")
            activation = getattr(F, activation)
        self.activation = activation

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        masks = (src_mask, src_key_padding_mask, is_causal)
        if self.norm_first:
            src = src + self._attended(self.norm1(src), masks)
            return src + self._fed(self.norm2(src))
        src = self.norm1(src + self._attended(src, masks))
        return self.norm2(src + self._fed(src))

    def _attended(self, it, masks):
        mask, padding, is_causal = masks
        out = self.self_attn(
            it, it, it, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal
        )
        return self.dropout1(out[0])

    def _fed(self, it):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(it)))))


class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = ModuleList([encoder_layer] + [_copied(encoder_layer) for _ in range(num_layers - 1)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(
                src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=bool(is_causal)
            )
        return src if self.norm is None else self.norm(src)


def _copied(module):
    """A copy of a module, with tensors of its own."""
    copy = module.__class__.__new__(module.__class__)
    Module.__init__(copy)
    for name, value in module.__dict__.items():
        kind = module._kind(name)
        if kind is None:
            if name not in ("_parameters", "_buffers", "_modules", "_transient", "_before", "_after"):
                copy.__dict__[name] = value
        elif kind == "_parameters":
            copy.register_parameter(name, None if value is None else Parameter(value.detach().clone()))
        elif kind == "_buffers":
            copy.register_buffer(name, None if value is None else value.clone(), name not in module._transient)
        else:
            copy.add_module(name, None if value is None else _copied(value))
    return copy
