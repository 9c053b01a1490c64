"""Attention with its projections. Loaded on first use."""

import warpup
from warpup import _names, empty
from warpup.nn import functional as F
from warpup.nn import init
from warpup.nn.layers import Linear
from warpup.nn.module import Module, Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """The output projection of attention, a class of its own because PyTorch prints its name."""


def _widened(mask):
    """A mask with one more key, which every query sees."""
    return None if mask is None else F.pad(mask, (0, 1))


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
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.add_zero_attn = add_zero_attn
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == embed_dim, "embed_dim must be divisible by num_heads"
        make = {"device": device, "dtype": dtype}
        whole = self._qkv_same_embed_dim
        self.register_parameter("in_proj_weight", Parameter(empty(3 * embed_dim, embed_dim, **make)) if whole else None)
        for name, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            own = None if whole else Parameter(empty(embed_dim, size, **make))
            self.register_parameter(f"{name}_proj_weight", own)
        self.register_parameter("in_proj_bias", Parameter(empty(3 * embed_dim, **make)) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, **make)
        for name in ("bias_k", "bias_v"):
            setattr(self, name, Parameter(empty(1, 1, embed_dim, **make)) if add_bias_kv else None)
        if whole:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            for it in (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
                init.xavier_uniform_(it)
        if bias:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        if add_bias_kv:
            init.xavier_normal_(self.bias_k)
            init.xavier_normal_(self.bias_v)

    def _projected(self, query, key, value):
        """The projected query, key and value; one matrix product if they are the same tensor."""
        if query is key and key is value and self._qkv_same_embed_dim:
            return list(warpup.chunk(F.linear(query, self.in_proj_weight, self.in_proj_bias), 3, -1))
        if self._qkv_same_embed_dim:
            weights = warpup.chunk(self.in_proj_weight, 3)
        else:
            weights = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
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
                zeros = warpup.zeros(mask.shape, device=mask.device, dtype=query.dtype)
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
        projected = self._projected(query, key, value)
        if self.bias_k is not None:
            for at, own in ((1, self.bias_k), (2, self.bias_v)):
                projected[at] = warpup.cat([projected[at], own.expand(query.shape[0], 1, self.embed_dim)], 1)
            attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
        heads = [self._heads(it) for it in projected]
        if self.add_zero_attn:
            for at in (1, 2):
                none = warpup.zeros_like(heads[at][:, :, :1])
                heads[at] = warpup.cat([heads[at], none], 2)
            attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
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


__getattr__ = _names.getter("torch.nn.attention", globals(), {"warpup.nn._backends": "SDPBackend sdpa_kernel"})
