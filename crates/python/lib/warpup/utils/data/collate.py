"""How examples become a batch."""

import warpup
from warpup import Tensor


def default_collate(batch):
    """Joins examples to a batch: stacks tensors, makes numbers tensors, and joins tuples item by item."""
    first = batch[0]
    if isinstance(first, Tensor):
        return warpup.stack(batch)
    if type(first).__module__ == "numpy":
        return warpup.stack([warpup.as_tensor(it) for it in batch])
    if isinstance(first, float):
        return warpup.tensor(batch, dtype=warpup.float64)
    if isinstance(first, int):
        return warpup.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([it[key] for it in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(list(part)) for part in zip(*batch)))
    if isinstance(first, (tuple, list)):
        if not all(len(it) == len(first) for it in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(list(part)) for part in zip(*batch)]
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found " + str(type(first))
    )


def _each(example, change):
    """An example or batch with each of its items changed; tuples become lists."""
    if isinstance(example, dict):
        return {key: _each(it, change) for key, it in example.items()}
    if isinstance(example, tuple) and hasattr(example, "_fields"):
        return type(example)(*(_each(it, change) for it in example))
    if isinstance(example, (tuple, list)):
        return [_each(it, change) for it in example]
    return change(example)


def default_convert(example):
    """An example without a batch: its items as a list."""
    return _each(example, lambda it: it)


def pinned(batch):
    """A batch in pinned memory."""
    if hasattr(batch, "pin_memory") and not isinstance(batch, Tensor):
        return batch.pin_memory()
    return _each(batch, lambda it: it.pin_memory() if isinstance(it, Tensor) else it)
