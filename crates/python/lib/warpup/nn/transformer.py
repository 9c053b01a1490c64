"""Encoder and decoder of a transformer. Loaded on first use."""

import warpup
from warpup.nn import functional as F
from warpup.nn import init
from warpup.nn.attention import MultiheadAttention
from warpup.nn.containers import ModuleList
from warpup.nn.layers import Dropout, LayerNorm, Linear
from warpup.nn.module import Module, Parameter


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
        self.activation = _get_activation_fn(activation)

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
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(
                src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=bool(is_causal)
            )
        return src if self.norm is None else self.norm(src)


class TransformerDecoderLayer(Module):
    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-05,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):
        super().__init__()
        make = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **make)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **make)
        self.linear1 = Linear(d_model, dim_feedforward, **make)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **make)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **make)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **make)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, **make)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _get_activation_fn(activation)

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
        tgt_is_causal=False, memory_is_causal=False,
    ):
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            it = self.norm1(tgt)
            tgt = tgt + self.dropout1(self._attended(self.self_attn, it, it, own))
            tgt = tgt + self.dropout2(self._attended(self.multihead_attn, self.norm2(tgt), memory, other))
            return tgt + self._fed(self.norm3(tgt))
        tgt = self.norm1(tgt + self.dropout1(self._attended(self.self_attn, tgt, tgt, own)))
        tgt = self.norm2(tgt + self.dropout2(self._attended(self.multihead_attn, tgt, memory, other)))
        return self.norm3(tgt + self._fed(tgt))

    def _attended(self, attention, it, to, masks):
        mask, padding, is_causal = masks
        out = attention(
            it, to, to, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal
        )
        return out[0]

    def _fed(self, it):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(it)))))


class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
        tgt_is_causal=None, memory_is_causal=False,
    ):
        for layer in self.layers:
            tgt = layer(
                tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask,
                bool(tgt_is_causal), memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
        activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-05, batch_first=False,
        norm_first=False, bias=True, device=None, dtype=None,
    ):
        super().__init__()
        make = {"bias": bias, "device": device, "dtype": dtype}
        rest = (dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            layer = TransformerEncoderLayer(d_model, nhead, *rest, **make)
            norm = LayerNorm(d_model, eps=layer_norm_eps, **make)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            layer = TransformerDecoderLayer(d_model, nhead, *rest, **make)
            norm = LayerNorm(d_model, eps=layer_norm_eps, **make)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
        memory_is_causal=False,
    ):
        is_batched = src.dim() == 3
        at = 0 if self.batch_first else 1
        if is_batched and src.shape[at] != tgt.shape[at]:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(
            tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask, tgt_is_causal,
            memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return warpup.full((sz, sz), float("-inf"), device=device, dtype=dtype).triu(1)


def _get_activation_fn(activation):
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return getattr(F, activation)


def _get_clones(module, N):
    return ModuleList([_copied(module) for _ in range(N)])


def _copied(module):
    """A copy of a module, with tensors of its own."""
    copy = module.__class__.__new__(module.__class__)
    Module.__init__(copy)
    for name, value in module.__dict__.items():
        kind = module._kind(name)
        if kind is None:
            if name not in ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "_hooks_of_module"):
                copy.__dict__[name] = value
        elif kind == "_parameters":
            copy.register_parameter(name, None if value is None else Parameter(value.detach().clone()))
        elif kind == "_buffers":
            copy.register_buffer(name, None if value is None else value.clone(), name not in module._non_persistent_buffers_set)
        else:
            copy.add_module(name, None if value is None else _copied(value))
    return copy
