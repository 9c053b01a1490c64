"""Connectionist temporal classification: the probability of a text, whatever its alignment. Loaded on first use."""

import math

import warpup
from warpup import Tensor
from warpup.autograd.function import Function, once_differentiable

_NEVER = -math.inf


def _log_sum(*terms):
    """The logarithm of a sum, which is -inf where all terms are."""
    stacked = warpup.stack(terms)
    most = stacked.amax(0)
    most = most.masked_fill(most == _NEVER, 0.0)
    return (stacked - most).exp().sum(0).log() + most


def _shifted(values, by):
    """Moved along the labels to later ones, or to earlier ones if negative."""
    size = values.shape[1]
    gap = values.new_full((values.shape[0], min(abs(by), size)), _NEVER)
    if by > 0:
        return warpup.cat([gap, values[:, :size - by]], 1)
    return warpup.cat([values[:, -by:], gap], 1)


class _Paths:
    """The labels of each text with blanks between them, and which of them a path may skip."""

    def __init__(self, targets, target_lengths, blank):
        count, longest = targets.shape
        labels = targets.new_full((count, 2 * longest + 1), blank)
        if longest:
            labels[:, 1::2] = targets
        self.labels = labels
        self.last = 2 * target_lengths
        places = warpup.arange(2 * longest + 1, device=targets.device).unsqueeze(0)
        self.places = places
        self.inside = places <= self.last.unsqueeze(1)
        self.ends = (places == self.last.unsqueeze(1)) | (places == self.last.unsqueeze(1) - 1)
        # From the label before the last blank, where both differ.
        is_new = warpup.cat([labels[:, :2] != labels[:, :2], labels[:, 2:] != labels[:, :-2]], 1)
        self.skips = is_new & (labels != blank)


def _forwards(given, paths, lengths):
    """The probabilities of all beginnings (alpha), by step."""
    alpha = given[0].masked_fill((paths.places > 1) | ~paths.inside, _NEVER)
    steps = [alpha]
    for at in range(1, given.shape[0]):
        skipping = _shifted(alpha, 2).masked_fill(~paths.skips, _NEVER)
        alpha = (_log_sum(alpha, _shifted(alpha, 1), skipping) + given[at]).masked_fill(~paths.inside, _NEVER)
        steps.append(alpha)
    return warpup.stack(steps)


def _backwards(given, paths, lengths):
    """The probabilities of all endings (beta), by step."""
    skips = warpup.cat([paths.skips[:, 2:], paths.skips[:, :2] & False], 1)
    beta = given.new_full(given.shape[1:], _NEVER)
    steps = []
    for at in range(given.shape[0] - 1, -1, -1):
        skipping = _shifted(beta, -2).masked_fill(~skips, _NEVER)
        later = _log_sum(beta, _shifted(beta, -1), skipping) + given[at]
        is_last = (lengths == at + 1).unsqueeze(1)
        beta = warpup.where(is_last, given[at].masked_fill(~paths.ends, _NEVER), later)
        beta = beta.masked_fill((lengths <= at).unsqueeze(1) | ~paths.inside, _NEVER)
        steps.append(beta)
    return warpup.stack(steps[::-1])


class _Ctc(Function):
    """The loss of each text; its gradient is that of the network before the log-softmax, as in PyTorch."""

    _node_name = "CtcLossBackward0"

    @staticmethod
    def forward(ctx, log_probs, targets, lengths, target_lengths, facts):
        blank, zero_infinity = facts
        paths = _Paths(targets, target_lengths, blank)
        at_labels = paths.labels.unsqueeze(0).expand(log_probs.shape[0], -1, -1)
        given = log_probs.gather(2, at_labels)
        alpha = _forwards(given, paths, lengths)
        final = alpha[(lengths - 1).clamp(min=0), warpup.arange(lengths.numel(), device=lengths.device)]
        loss = -_log_sum(*final.masked_fill(~paths.ends, _NEVER).unbind(1))
        # Without steps, only the empty text is possible.
        empty = warpup.where(target_lengths == 0, 0.0, math.inf).to(loss.dtype)
        loss = warpup.where(lengths == 0, empty, loss)
        ctx.save_for_backward(log_probs, lengths, alpha, loss)
        ctx.paths, ctx.zero_infinity = paths, zero_infinity
        return loss.masked_fill(loss == math.inf, 0.0) if zero_infinity else loss

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        log_probs, lengths, alpha, loss = ctx.saved_tensors
        paths = ctx.paths
        at_labels = paths.labels.unsqueeze(0).expand(log_probs.shape[0], -1, -1)
        given = log_probs.gather(2, at_labels)
        both = alpha + _backwards(given, paths, lengths)
        share = (both + loss.reshape(1, -1, 1) - given).exp().masked_fill(both == _NEVER, 0.0)
        by_class = warpup.zeros_like(log_probs).scatter_add(2, at_labels, share)
        found = (log_probs.exp() - by_class) * grad.reshape(1, -1, 1)
        steps = warpup.arange(log_probs.shape[0], device=lengths.device).reshape(-1, 1, 1)
        found = found.masked_fill(steps >= lengths.reshape(1, -1, 1), 0.0)
        if ctx.zero_infinity:
            found = found.masked_fill((loss == math.inf).reshape(1, -1, 1), 0.0)
        return found, None, None, None, None


def _lengths(given, device):
    return (given if isinstance(given, Tensor) else warpup.tensor(list(given))).long().reshape(-1).to(device)


def _padded(targets, lengths, blank):
    """Texts that follow one another as rows."""
    sizes = lengths.tolist()
    rows = targets.new_full((len(sizes), max([*sizes, 0])), blank)
    start = 0
    for at, size in enumerate(sizes):
        rows[at, :size] = targets[start:start + size]
        start += size
    return rows


def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False
):
    if not log_probs.is_floating_point():
        raise RuntimeError(f"\"ctc_loss_cpu\" not implemented for '{warpup._functions._scalar(log_probs)}'")
    is_batch = log_probs.dim() == 3
    rows = log_probs if is_batch else log_probs.unsqueeze(1)
    steps, count, classes = rows.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    lengths, sizes = _lengths(input_lengths, rows.device), _lengths(target_lengths, rows.device)
    if lengths.numel() != count:
        raise RuntimeError("input_lengths must be of size batch_size")
    if sizes.numel() != count:
        raise RuntimeError("target_lengths must be of size batch_size")
    targets = targets.to(rows.device).long()
    if is_batch and targets.dim() == 1:
        targets = _padded(targets, sizes, blank)
    elif targets.dim() == 1:
        targets = targets.unsqueeze(0)
    for at, it in enumerate(lengths.tolist()):
        if it < 0:
            raise RuntimeError(f"Expected input_lengths to have value at least 0, but got value {it}")
        if it > steps:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {steps}, but got value {it} (while checking arguments for "
                "ctc_loss_cpu)"
            )
    targets = targets[:, :max([*sizes.tolist(), 0])].clamp(min=0)
    loss = _Ctc.apply(rows, targets, lengths, sizes, (blank, zero_infinity))
    if reduction == "mean":
        return (loss / sizes.clamp(min=1).to(loss.dtype)).mean()
    if reduction == "sum":
        return loss.sum()
    return loss if is_batch else loss.squeeze(0)
