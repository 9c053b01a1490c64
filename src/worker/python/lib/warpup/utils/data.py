"""torch.utils.data: datasets and data loaders. A lab has one process, which loads the data too."""

import warpup
from warpup import Tensor, _names


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
    """A dataset of tensors: an example is a row of each."""

    def __init__(self, *tensors):
        assert all(tensors[0].shape[0] == it.shape[0] for it in tensors), "Size mismatch between tensors"
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(it[index] for it in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, at):
        return self.dataset[self.indices[at]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    lengths = list(lengths)
    if abs(sum(lengths) - 1.0) < 1e-6 and sum(lengths) <= 1.000001 and any(isinstance(it, float) for it in lengths):
        parts = [int(len(dataset) * it) for it in lengths]
        for at in range(len(dataset) - sum(parts)):
            parts[at % len(parts)] += 1
        lengths = parts
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = _order(len(dataset), generator)
    subsets, start = [], 0
    for length in lengths:
        subsets.append(Subset(dataset, order[start:start + length]))
        start += length
    return subsets


def _order(count, generator):
    return warpup.randperm(count, generator=generator).tolist()


def default_collate(batch):
    """Joins examples to a batch: stacks tensors, makes numbers tensors, and joins tuples item by item."""
    first = batch[0]
    if isinstance(first, Tensor):
        return warpup.stack(batch)
    if isinstance(first, float):
        return warpup.tensor(batch, dtype=warpup.float64)
    if isinstance(first, int):
        return warpup.tensor(batch)
    if isinstance(first, dict):
        return {key: default_collate([it[key] for it in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        return [default_collate(list(part)) for part in zip(*batch)]
    if isinstance(first, str):
        return batch
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found " + str(type(first))
    )


def _each(example, change):
    """An example or batch with each of its items changed; tuples become lists."""
    if isinstance(example, dict):
        return {key: _each(it, change) for key, it in example.items()}
    if isinstance(example, (tuple, list)):
        return [_each(it, change) for it in example]
    return change(example)


def default_convert(example):
    """An example without a batch: its items as a list."""
    return _each(example, lambda it: it)


def _pinned(batch):
    return _each(batch, lambda it: it.pin_memory() if isinstance(it, Tensor) else it)


class DataLoader:
    """Batches of a dataset, in order or shuffled by the seed."""

    def __init__(
        self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, generator=None, **rest,
    ):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if num_workers > 0:
            raise NotImplementedError(
                "num_workers is not part of warpup: a lab is one process. Leave it at 0; PyTorch has it"
            )
        if batch_sampler is not None:
            raise NotImplementedError("batch_sampler is not part of warpup; PyTorch has it. Use batch_size")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_size is not None and batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = bool(shuffle)
        self.sampler = sampler
        self.num_workers = num_workers
        joined = default_convert if batch_size is None else default_collate
        self.collate_fn = joined if collate_fn is None else collate_fn
        self.pin_memory = pin_memory
        self.drop_last = drop_last
        self.generator = generator

    def __len__(self):
        count = len(self.dataset if self.sampler is None else self.sampler)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)

    def __iter__(self):
        if self.sampler is not None:
            order = list(self.sampler)
        elif self.shuffle:
            order = _order(len(self.dataset), self.generator)
        else:
            order = range(len(self.dataset))
        # Without a card PyTorch does not pin memory either.
        finish = _pinned if self.pin_memory and warpup.cuda.is_available() else lambda batch: batch
        if self.batch_size is None:
            for at in order:
                yield finish(self.collate_fn(self.dataset[at]))
            return
        for start in range(0, len(order), self.batch_size):
            part = order[start:start + self.batch_size]
            if len(part) < self.batch_size and self.drop_last:
                return
            yield finish(self.collate_fn([self.dataset[at] for at in part]))


__getattr__ = _names.getter("torch.utils.data", globals())
