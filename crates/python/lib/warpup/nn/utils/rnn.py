"""torch.nn.utils.rnn: sequences of different lengths."""

import _warpup
import warpup
from warpup import Tensor, _names

# What its classes print as their module.
__name__ = "torch.nn.utils.rnn"


class PackedSequence(tuple):
    """The steps of all sequences, without padding: all first steps, then all second steps, and so on."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = invert_permutation(sorted_indices)
        return tuple.__new__(cls, (data, batch_sizes, sorted_indices, unsorted_indices))

    data = property(lambda self: self[0])
    batch_sizes = property(lambda self: self[1])
    sorted_indices = property(lambda self: self[2])
    unsorted_indices = property(lambda self: self[3])

    def to(self, *args, **kwargs):
        data = self.data.to(*args, **kwargs)
        moved = [None if it is None else it.to(data.device) for it in self[2:]]
        return type(self)(data, self.batch_sizes, *moved)

    def cuda(self, *args, **kwargs):
        return self.to("cuda")

    def cpu(self):
        return self.to("cpu")

    @property
    def is_cuda(self):
        return self.data.is_cuda

    def __repr__(self):
        names = ("data", "batch_sizes", "sorted_indices", "unsorted_indices")
        return "PackedSequence(" + ", ".join(f"{name}={it!r}" for name, it in zip(names, self)) + ")"


PackedSequence.__module__ = "torch.nn.utils.rnn"


def invert_permutation(permutation):
    if permutation is None:
        return None
    places = warpup.arange(permutation.numel(), device=permutation.device)
    return warpup.empty_like(permutation).copy_(places.scatter(0, permutation, places))


def lengths_of(batch_sizes):
    """How many steps each sequence has, from how many sequences each step has."""
    sizes = [int(it) for it in batch_sizes]
    return [sum(1 for size in sizes if size > at) for at in range(sizes[0])]


def padded(packed):
    """The steps with padding between them: (steps, batch, …). What is in the padding does not matter."""
    sizes = packed.batch_sizes.tolist()
    rows, start = [], 0
    for size in sizes:
        # A sequence that has ended repeats a row of another.
        rows += [start + min(at, size - 1) for at in range(sizes[0])]
        start += size
    picked = packed.data.index_select(0, warpup.tensor(rows, device=packed.data.device))
    return picked.reshape(len(sizes), sizes[0], *packed.data.shape[1:])


def without_padding(steps, batch_sizes):
    """The rows of (steps, batch, …) that sequences have, as a packed sequence keeps them."""
    sizes = batch_sizes.tolist()
    width = steps.shape[1]
    rows = [at * width + sequence for at, size in enumerate(sizes) for sequence in range(size)]
    flat = steps.reshape(-1, *steps.shape[2:])
    return flat.index_select(0, warpup.tensor(rows, device=flat.device))


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = lengths if isinstance(lengths, Tensor) else warpup.tensor(lengths, device="cpu")
    if lengths.is_cuda:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got 1D {lengths.device} Long tensor"
        )
    order = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    steps = input.transpose(0, 1) if batch_first else input
    known = lengths.tolist()
    if len(known) != steps.shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(known)} (batch_size={steps.shape[1]})"
        )
    if min(known) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if known != sorted(known, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do "
            "not need ONNX exportability."
        )
    if known[0] > steps.shape[0]:
        raise RuntimeError(
            f"Expected sequence length to be larger than or equal to {known[0]}, but got {steps.shape[0]}"
        )
    batch_sizes = warpup.tensor([sum(1 for it in known if it > at) for at in range(known[0])], device="cpu")
    data = _warpup.named(without_padding(steps[: known[0]], batch_sizes), "PackPaddedSequenceBackward0")
    return PackedSequence(data, batch_sizes, order)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    steps = padded(sequence)
    lengths = lengths_of(sequence.batch_sizes)
    longest = steps.shape[0]
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    ended = warpup.tensor([[at >= length for length in lengths] for at in range(longest)], device=steps.device)
    ended = ended.reshape(longest, len(lengths), *[1] * (steps.dim() - 2))
    steps = steps.masked_fill(ended, padding_value)
    if total_length is not None and total_length > longest:
        rest = steps.new_full((total_length - longest, *steps.shape[1:]), padding_value)
        steps = warpup.cat([steps, rest])
    lengths = warpup.tensor(lengths, device="cpu")
    steps = steps.transpose(0, 1) if batch_first else _warpup.named(steps, "CopySlices")
    if sequence.unsorted_indices is not None:
        steps = steps.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths.index_select(0, sequence.unsorted_indices.cpu())
    return steps, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    from warpup.nn.functional import pad

    sequences = list(sequences)
    longest = max(it.shape[0] for it in sequences)

    def filled(it):
        missing = longest - it.shape[0]
        ends = (missing, 0) if padding_side == "left" else (0, missing)
        return pad(it, [0, 0] * (it.dim() - 1) + list(ends), value=padding_value) if missing else it

    return _warpup.named(warpup.stack([filled(it) for it in sequences], 0 if batch_first else 1), "CopySlices")


def pack_sequence(sequences, enforce_sorted=True):
    lengths = warpup.tensor([it.shape[0] for it in sequences], device="cpu")
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [it[: int(length)] for it, length in zip(padded_sequences, lengths)]


def unpack_sequence(packed_sequences):
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)


__getattr__ = _names.getter("torch.nn.utils.rnn", globals())
