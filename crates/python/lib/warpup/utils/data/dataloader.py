"""The data loader. A run is one process, which loads the data too; `workers` has what workers make."""

import warnings

import _host
import _loader
import warpup
from warpup import _names
from warpup.utils.data.collate import default_collate, default_convert, pinned
from warpup.utils.data.dataset import IterableDataset
from warpup.utils.data.fetch import END, Indexed, Iterated
from warpup.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler
from warpup.utils.data.worker import get_worker_info
from warpup.utils.data.workers import _MultiProcessingDataLoaderIter

# What its classes print as their module.
__name__ = "torch.utils.data.dataloader"


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
        _say_what_workers_are(num_workers)


def _say_what_workers_are(num_workers):
    cores = _loader.cores()
    if cores is None:
        _host.note(
            "a run is one process: workers of a DataLoader take turns with the loop, so their work is part of its host time"
        )
    elif num_workers > cores:
        warnings.warn(
            f"This DataLoader will create {num_workers} worker processes in total. Our suggested max number of worker in "
            f"current system is {cores}, which is smaller than what this DataLoader is going to create. Please be aware that "
            "excessive worker creation might get DataLoader running slow or even freeze, lower the worker number to avoid "
            "potential slowness/freeze if necessary.",
            stacklevel=4,
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
        self._iterator = self._len_called = None
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
            count = self._len_called = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self):
        if self.num_workers > 0:
            if not self.persistent_workers:
                return _MultiProcessingDataLoaderIter(self)
            if self._iterator is None:
                self._iterator = _MultiProcessingDataLoaderIter(self)
            else:
                self._iterator.restart()
            return self._iterator
        # The seed of workers, which PyTorch draws without workers, too.
        warpup.empty((), dtype=warpup.int64).random_(generator=self.generator)
        return self._batches()

    def _batches(self):
        # Without a card PyTorch does not pin memory either.
        finish = pinned if self.pin_memory and warpup.cuda.is_available() else None
        fetcher = (Iterated if isinstance(self.dataset, IterableDataset) else Indexed)(self.dataset, self)
        for indices in self.sampler if self.batch_sampler is None else self.batch_sampler:
            begun = _loader.begin_batch()
            batch = fetcher.fetch(indices)
            if batch is not END and finish is not None:
                batch = finish(batch)
            _loader.end_batch(*begun)
            if batch is END:
                return
            _loader.deliver(0, finish is not None)
            yield batch


__getattr__ = _names.getter("torch.utils.data", globals())
