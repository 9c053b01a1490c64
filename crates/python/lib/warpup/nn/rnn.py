"""Recurrent layers and cells. Loaded on first use.

A layer in one direction is one operation with all its steps, where cuDNN launches several kernels.
"""

import math

import _warpup
import _spatial

import warpup
from warpup import empty
from warpup.nn import functional as F
from warpup.nn import init
from warpup.nn.module import Module, Parameter
from warpup.nn.utils import rnn as packing

# PyTorch's names of the nodes that make the output of a layer and the states of a cell.
_OUTPUTS = {"LSTM": "MkldnnRnnLayerBackward0"}
_CELLS = {
    "LSTM": ("MulBackward0", "AddBackward0"), "GRU": ("AddBackward0",), "RNN_TANH": ("TanhBackward0",),
    "RNN_RELU": ("ReluBackward0",),
}
_CELLS_ON_CARDS = {"LSTM": "ThnnFusedLstmCellBackward0", "GRU": "ThnnFusedGruCellBackward0"}


class RNNBase(Module):
    def __init__(
        self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
        bidirectional=False, proj_size=0, device=None, dtype=None,
    ):
        super().__init__()
        if proj_size:
            raise NotImplementedError("proj_size of LSTM is not part of warpup; PyTorch has it")
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if not isinstance(hidden_size, int):
            raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        self._flat_weights_names = []
        self._all_weights = []
        rows = {"LSTM": 4, "GRU": 3}.get(mode, 1) * hidden_size
        directions = 2 if bidirectional else 1
        for layer in range(num_layers):
            width = input_size if layer == 0 else hidden_size * directions
            for suffix in ("", "_reverse")[:directions]:
                shapes = [("weight_ih", (rows, width)), ("weight_hh", (rows, hidden_size))]
                if bias:
                    shapes += [("bias_ih", (rows,)), ("bias_hh", (rows,))]
                names = [f"{name}_l{layer}{suffix}" for name, _ in shapes]
                for name, (_, shape) in zip(names, shapes):
                    setattr(self, name, Parameter(empty(*shape, device=device, dtype=dtype)))
                self._flat_weights_names += names
                self._all_weights.append(names)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self):
        """Without effect: PyTorch moves the weights next to each other for cuDNN."""

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def _directions(self):
        return 2 if self.bidirectional else 1

    def _check_sizes(self, input, batch, states):
        if input.dtype != self.weight_ih_l0.dtype and not warpup.is_autocast_enabled():
            own = self.weight_ih_l0.dtype
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({own}). Convert input: "
                f"input.to({own}), or convert model: model.to({input.dtype})"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        expected = (self.num_layers * self._directions(), batch, self.hidden_size)
        for at, state in enumerate(states):
            name = f"hidden[{at}]" if self.mode == "LSTM" else "hidden"
            if tuple(state.shape) != expected:
                raise RuntimeError(f"Expected {name} size {expected}, got {list(state.shape)}")
        for kind, it in (*(("hidden", it) for it in states), ("parameter", self.weight_ih_l0)):
            if it.device != input.device:
                raise RuntimeError(
                    f"Input and {kind} tensors are not at the same device, found input tensor at {input.device} and {kind} "
                    f"tensor at {it.device}"
                )

    def _states(self, hx, input, batch, is_batched, order):
        """The first states: one tensor, or two of an LSTM, each (layers times directions, batch, hidden)."""
        count = 2 if self.mode == "LSTM" else 1
        if hx is None:
            size = (self.num_layers * self._directions(), batch, self.hidden_size)
            zeros = warpup.zeros(size, dtype=input.dtype, device=input.device)
            return [zeros] * count
        given = [hx[0], hx[1]] if count == 2 else [hx]
        wanted = 3 if is_batched else 2
        if any(it.dim() != wanted for it in given):
            names, verb = ("hx and cx", "") if count == 2 else ("hx", "")
            ranks = ", ".join(f"{it.dim()}-D" for it in given)
            ranks = f"({ranks}) tensors" if count == 2 else f"{ranks} tensor"
            batches = "batched 3-D" if is_batched else "unbatched 2-D"
            raise RuntimeError(f"For {batches} input, {names} should also be {wanted}-D but got {ranks}")
        if not is_batched:
            given = [it.unsqueeze(1) for it in given]
        if order is not None:
            given = [it.index_select(1, order) for it in given]
        return given

    def _run(self, steps, states, lengths):
        """All layers over (steps, batch, width); the last states are in the order of the first ones."""
        last = [[] for _ in states]
        directions = self._directions()
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                at = layer * directions + direction
                weights = [getattr(self, name) for name in self._all_weights[at]]
                first = [it[at] for it in states]
                # In PyTorch all layers are one call of cuDNN.
                out = _spatial.recurrent(
                    self.mode, direction == 1, [steps, *first, *weights], lengths, self.num_layers * directions,
                    self.training,
                )
                count = steps.shape[0]
                made = "CudnnRnnBackward0" if out.is_cuda else _OUTPUTS.get(self.mode, "StackBackward0")
                outputs.append(_warpup.named(out.narrow(0, 0, count), made))
                for found, index in zip(last, range(count, count + len(states))):
                    found.append(out[index])
            steps = outputs[0] if directions == 1 else warpup.cat(outputs, -1)
            if self.dropout and self.training and layer + 1 < self.num_layers:
                steps = F.dropout(steps, self.dropout)
        return steps, [warpup.stack(it) for it in last]

    def forward(self, input, hx=None):
        if isinstance(input, packing.PackedSequence):
            return self._forward_packed(input, hx)
        if input.dim() not in (2, 3):
            raise ValueError(f"{self._family()}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        is_batched = input.dim() == 3
        at = 0 if self.batch_first else 1
        batched = input if is_batched else input.unsqueeze(at)
        states = self._states(hx, input, batched.shape[at], is_batched, None)
        self._check_sizes(input, batched.shape[at], states)
        out, last = self._run(batched.transpose(0, 1) if self.batch_first else batched, states, None)
        if self.batch_first:
            out = out.transpose(0, 1)
            if self.mode != "LSTM" and not out.is_cuda:
                _warpup.named(out, "TransposeBackward1")
        if not is_batched:
            out, last = out.squeeze(at), [it.squeeze(1) for it in last]
        return out, self._of(last)

    def _forward_packed(self, packed, hx):
        data, batch_sizes, order, back = packed
        lengths = packing.lengths_of(batch_sizes)
        states = self._states(hx, data, len(lengths), True, order)
        self._check_sizes(data, len(lengths), states)
        out, last = self._run(packing.padded(packed), states, lengths)
        if back is not None:
            last = [it.index_select(1, back) for it in last]
        out = _warpup.named(packing.without_padding(out, batch_sizes), "CatBackward0")
        return packing.PackedSequence(out, batch_sizes, order, back), self._of(last)

    def _of(self, states):
        return tuple(states) if self.mode == "LSTM" else states[0]

    def _family(self):
        return self.mode.partition("_")[0]

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            text += f", bidirectional={self.bidirectional}"
        return text


class RNN(RNNBase):
    def __init__(
        self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0,
        bidirectional=False, device=None, dtype=None,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.__dict__["nonlinearity"] = nonlinearity
        super().__init__(
            "RNN_" + nonlinearity.upper(), input_size, hidden_size, num_layers, bias, batch_first, dropout,
            bidirectional, 0, device, dtype,
        )


class LSTM(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)


class _Cell(Module):
    def __init__(self, input_size, hidden_size, bias, rows, device, dtype):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        make = {"device": device, "dtype": dtype}
        self.weight_ih = Parameter(empty(rows * hidden_size, input_size, **make))
        self.weight_hh = Parameter(empty(rows * hidden_size, hidden_size, **make))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(rows * hidden_size, **make)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _run(self, mode, input, hx):
        name = type(self).__name__
        count = 2 if mode == "LSTM" else 1
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        is_batched = input.dim() == 2
        rows = input if is_batched else input.unsqueeze(0)
        if hx is None:
            states = [warpup.zeros(rows.shape[0], self.hidden_size, dtype=rows.dtype, device=rows.device)] * count
        else:
            given = list(hx) if count == 2 else [hx]
            states = given if is_batched else [it.unsqueeze(0) for it in given]
        if rows.shape[1] != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {rows.shape[1]} expected {self.input_size}"
            )
        for at, state in enumerate(states):
            if state.shape[0] != rows.shape[0]:
                raise RuntimeError(
                    f"Input batch size {rows.shape[0]} doesn't match hidden{at} batch size {state.shape[0]}"
                )
            if state.shape[1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{at} has inconsistent hidden_size: got {state.shape[1]}, expected {self.hidden_size}"
                )
        weights = [self.weight_ih, self.weight_hh]
        if self.bias:
            weights += [self.bias_ih, self.bias_hh]
        out = _spatial.recurrent(mode, False, [rows.unsqueeze(0), *states, *weights], None)
        names = _CELLS[mode] if not out.is_cuda else [_CELLS_ON_CARDS.get(mode, _CELLS[mode][0])] * 2
        last = [_warpup.named(out[1 + at], names[at]) for at in range(count)]
        return last if is_batched else [it.squeeze(0) for it in last]

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text


class RNNCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._run("RNN_" + self.nonlinearity.upper(), input, hx)[0]


class LSTMCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        return tuple(self._run("LSTM", input, hx))


class GRUCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        return self._run("GRU", input, hx)[0]
