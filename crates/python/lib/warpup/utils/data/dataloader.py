"""The data loader. A run is one process, which loads the data too."""

import _host
import _warpup
import warpup
from warpup import _names
from warpup.utils.data.collate import default_collate, default_convert, pinned
from warpup.utils.data.dataset import IterableDataset
from warpup.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler

# What its classes print as their module.
__name__ = "torch.utils.data.dataloader"


def get_worker_info():
    """`None`, as in the main process: there are no others."""
    return None


def _check_workers(num_workers, timeout, prefetch_factor, persistent_workers):
    if num_workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing."
            "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")
    if num_workers > 0:
        _host.note(
            "a run is one process: num_workers is taken as 0, so the loader's work is part of the loop's host time"
        )


def _check_order(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last):
    if isinstance(dataset, IterableDataset):
        for name, given in (("shuffle", shuffle or None), ("sampler", sampler), ("batch_sampler", batch_sampler)):
            if given is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={given}"
                )
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
        raise ValueError(
            "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
        )
    if batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )


class _Endless:
    """The sampler of an iterable dataset: as many times nothing as are asked for."""

    def __iter__(self):
        while True:
            yield None


class DataLoader:
    """Batches of a dataset, in order, shuffled by the seed, or as a sampler says."""

    def __init__(
        self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None,
        *, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True,
    ):
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        _check_order(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.persistent_workers = persistent_workers
        self._has_workers = False
        self.in_order = in_order
        self.generator = generator
        self.batch_size = None if batch_sampler is not None else batch_size
        self.drop_last = drop_last
        if sampler is None:
            if isinstance(dataset, IterableDataset):
                sampler = _Endless()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_sampler is None and batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, bool(drop_last))
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        joined = default_convert if batch_sampler is None else default_collate
        self.collate_fn = joined if collate_fn is None else collate_fn

    def __class_getitem__(cls, item):
        return cls

    def __len__(self):
        if isinstance(self.dataset, IterableDataset):
            count = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self):
        # The seed of the workers, of which there are none. PyTorch draws it when they start: in each epoch, or once if
        # they stay.
        if not (self.persistent_workers and self._has_workers):
            warpup.empty((), dtype=warpup.int64).random_(generator=self.generator)
        self._has_workers = True
        return self._batches()

    def _batches(self):
        # Without a card PyTorch does not pin memory either.
        finish = pinned if self.pin_memory and warpup.cuda.is_available() else None
        batches = self._of_iterable() if isinstance(self.dataset, IterableDataset) else self._of_indices()
        for batch in batches:
            _warpup.batch_taken()
            yield batch if finish is None else finish(batch)

    def _of_indices(self):
        dataset, collate = self.dataset, self.collate_fn
        if self.batch_sampler is None:
            for at in self.sampler:
                yield collate(dataset[at])
            return
        at_once = getattr(dataset, "__getitems__", None)
        for indices in self.batch_sampler:
            yield collate(at_once(indices) if at_once else [dataset[at] for at in indices])

    def _of_iterable(self):
        examples = iter(self.dataset)
        if self.batch_size is None:
            for example in examples:
                yield self.collate_fn(example)
            return
        while batch := [example for _, example in zip(range(self.batch_size), examples)]:
            if len(batch) < self.batch_size and self.drop_last:
                return
            yield self.collate_fn(batch)


__getattr__ = _names.getter("torch.utils.data", globals())
