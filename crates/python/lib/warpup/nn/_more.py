"""Functions of torch.nn.functional that few programs need, made of other operations. Loaded on first use."""

import math

import warpup
from warpup.nn import functional as F


def bilinear(input1, input2, weight, bias=None):
    for name, it, size in (("input1", input1, weight.shape[1]), ("input2", input2, weight.shape[2])):
        if it.shape[-1] != size:
            raise RuntimeError(
                f"bilinear(): {name} size does not match weight size: got {it.shape[-1]} but expected {size}"
            )
    made = warpup.einsum("...i,oij,...j->...o", input1, weight, input2)
    return made if bias is None else made + bias


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    drawn = -warpup.empty_like(logits).exponential_().log()
    soft = ((logits + drawn) / tau).softmax(dim)
    if not hard:
        return soft
    place = soft.max(dim, keepdim=True)[1]
    return warpup.zeros_like(logits).scatter(dim, place, 1.0) - soft.detach() + soft


def embedding_bag(
    input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False,
    per_sample_weights=None, include_last_offset=False, padding_idx=None,
):
    if input.dim() == 2:
        count = input.shape[1]
        offsets = warpup.arange(0, input.numel(), count, device=input.device)
        input = input.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    elif include_last_offset:
        offsets = offsets[:-1]
    ends = [*offsets.tolist()[1:], input.numel()]
    rows = F.embedding(input, weight, None, max_norm, norm_type)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    bags = []
    for start, end in zip(offsets.tolist(), ends):
        bag = rows[start:end]
        if padding_idx is not None:
            bag = bag[input[start:end] != padding_idx]
        if not bag.shape[0]:
            bags.append(rows.new_zeros(weight.shape[1]))
        else:
            bags.append(bag.sum(0) if mode == "sum" else bag.mean(0) if mode == "mean" else bag.amax(0))
    return warpup._warpup.named(warpup.stack(bags), "EmbeddingBagBackward0")


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Columns back to places of an image, where those that meet are added."""
    pair = lambda it: (it, it) if isinstance(it, int) else tuple(it)
    (high, wide), kernel, apart, around, step = (
        pair(it) for it in (output_size, kernel_size, dilation, padding, stride)
    )
    has_batch = input.dim() == 3
    columns = input if has_batch else input.unsqueeze(0)
    full = (high + 2 * around[0], wide + 2 * around[1])
    counts = [(full[at] - apart[at] * (kernel[at] - 1) - 1) // step[at] + 1 for at in (0, 1)]
    if columns.shape[-1] != counts[0] * counts[1]:
        raise RuntimeError(
            f"Given output_size=({high}, {wide}), kernel_size=({kernel[0]}, {kernel[1]}), dilation=({apart[0]}, "
            f"{apart[1]}), padding=({around[0]}, {around[1]}), stride=({step[0]}, {step[1]}), expected size of input's "
            f"dimension 2 to match the calculated number of sliding blocks {counts[0]} * {counts[1]} = "
            f"{counts[0] * counts[1]}, but got input.size(2)={columns.shape[-1]}."
        )
    channels = columns.shape[1] // (kernel[0] * kernel[1])

    def places(at):
        inside = warpup.arange(kernel[at], device=input.device) * apart[at]
        return inside.unsqueeze(1) + warpup.arange(counts[at], device=input.device) * step[at]

    rows, lines = places(0), places(1)
    spots = rows[:, None, :, None] * full[1] + lines[None, :, None, :]
    flat = columns.reshape(columns.shape[0], channels, -1)
    image = columns.new_zeros(columns.shape[0], channels, full[0] * full[1])
    image = image.index_add(2, spots.reshape(-1), flat).reshape(columns.shape[0], channels, *full)
    image = image[:, :, around[0]:around[0] + high, around[1]:around[1] + wide]
    return image if has_batch else image.squeeze(0)


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    reduction = F._legacy_reduction(size_average, reduce, reduction)
    rows, labels = (it if it.dim() == 2 else it.unsqueeze(0) for it in (input, target))
    losses = []
    for row, label in zip(rows, labels.tolist()):
        wanted = label[: label.index(-1)] if -1 in label else label
        others = warpup.tensor([at not in wanted for at in range(row.numel())], device=row.device)
        total = sum(((1 - (row[at] - row[others])).clamp(min=0)).sum() for at in wanted)
        losses.append(total / row.numel() if wanted else row.sum() * 0)
    made = warpup.stack(losses)
    made = made if input.dim() == 2 else made.squeeze(0)
    return F._reduced(made, reduction)


def pdist(input, p=2.0):
    rows, lines = warpup.triu_indices(input.shape[0], input.shape[0], 1, device=input.device)
    return (input[rows] - input[lines]).norm(p, -1)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    if not training or p == 0.0:
        return input
    low = -1.7580993408473766
    scale = 1.0 / math.sqrt((low * low * p + 1) * (1 - p))
    kept = warpup.empty_like(input).bernoulli_(1 - p)
    return (input * kept + (1 - kept) * low) * scale - low * p * scale


def _ntuple(n, name="parse"):
    """`torch.nn.modules.utils`: one number as several, and several as a tuple."""
    return lambda it: tuple(it) if hasattr(it, "__iter__") else (it,) * n


_single, _pair, _triple = _ntuple(1), _ntuple(2), _ntuple(3)
