"""`max_norm` of embeddings: rows that are too long. Loaded on first use."""

import warpup


def shorten(weight, used, max_norm, norm_type):
    """Scales the rows that are used and longer than `max_norm` to that length, in place."""
    weight = weight.detach()
    used = warpup.unique(used)
    rows = weight[used]
    norms = rows.norm(float(norm_type), 1, keepdim=True)
    weight[used] = warpup.where(norms > max_norm, rows * (max_norm / (norms + 1e-7)), rows)
