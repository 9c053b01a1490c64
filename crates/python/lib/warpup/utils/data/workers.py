"""The iterator of a data loader with workers: which worker makes which batch, in which order, and when it is ready.

As in PyTorch, the indices of `prefetch_factor * num_workers` batches are sent ahead, to each worker in turn, and those of one
more when a batch was received. A batch is made when the program asks for it; the clock of its worker's lane says when
it was ready.
"""

import itertools
import warnings

import _host
import _loader
import warpup
from warpup.utils.data.collate import pinned
from warpup.utils.data.dataset import IterableDataset
from warpup.utils.data.fetch import END, Indexed, Iterated
from warpup.utils.data.worker import Failed, Worker, get_worker_info, tensors

# What its classes print as their module.
__name__ = "torch.utils.data.dataloader"


class _MultiProcessingDataLoaderIter:
    """Batches of a loader with workers."""

    def __init__(self, loader):
        if get_worker_info() is not None:
            raise AssertionError("daemonic processes are not allowed to have children")
        self._loader, self._lanes = loader, ()
        self._is_iterable = isinstance(loader.dataset, IterableDataset)
        # Without a card PyTorch does not pin memory either.
        self._pins = loader.pin_memory and warpup.cuda.is_available()
        sampler = iter(self._sampler())
        seed = warpup.empty((), dtype=warpup.int64).random_(generator=loader.generator).item()
        count = loader.num_workers
        self._lanes = _loader.start(count)
        fetcher = Iterated if self._is_iterable else Indexed
        lanes = self._lanes or range(count)
        self._workers = [Worker(loader, fetcher, at, seed, lane) for at, lane in enumerate(lanes)]
        if self._pins:
            _loader.first_use()
        self._begin(sampler)

    def __iter__(self):
        return self

    def __len__(self):
        return len(self._sampler())

    def _sampler(self):
        loader = self._loader
        return loader.sampler if loader.batch_sampler is None else loader.batch_sampler

    def restart(self):
        """Another epoch with the same workers. Batches that were asked for and not received are made, and lost."""
        sampler = iter(self._sampler())
        asked = [it for it in self._asked.values() if it[0].is_active]
        _loader.wait(max([worker.make(indices, sent_ns)[1] for worker, indices, sent_ns in asked], default=0))
        for worker in self._workers:
            worker.begin()
            _loader.message()
        self._begin(sampler)

    def _begin(self, sampler):
        self._indices, self._turns = sampler, itertools.cycle(self._workers)
        # By the number of a batch: its worker, its indices, and when they were sent.
        self._asked = {}
        self._next = self._sent = self._yielded = 0
        for _ in range(self._loader.prefetch_factor * len(self._workers)):
            self._ask()

    def _ask(self):
        """Sends the indices of one more batch to the next worker."""
        try:
            indices = next(self._indices)
        except StopIteration:
            return
        for worker in itertools.islice(self._turns, len(self._workers)):
            if worker.is_active:
                self._asked[self._sent] = worker, indices, _host.now()
                self._sent += 1
                return

    def __next__(self):
        while self._next < self._sent:
            worker, indices, sent_ns = self._asked.pop(self._next)
            self._next += 1
            if not worker.is_active:
                continue
            batch, ready_ns = worker.make(indices, sent_ns)
            if batch is END:
                worker.is_active = False
                self._ask()
                continue
            batch = self._received(batch, ready_ns)
            self._ask()
            if isinstance(batch, Failed):
                batch.reraise()
            self._yielded += 1
            _loader.deliver(len(self._workers), self._pins)
            self._warn_of_length()
            return batch
        if not self._loader.persistent_workers:
            self._close()
        raise StopIteration

    def _received(self, batch, ready_ns):
        """The batch in the program, which waits for it."""
        count = tensors(batch)
        if self._pins:
            _loader.enter_pinning(count, ready_ns)
            if not isinstance(batch, Failed):
                batch = pinned(batch)
            ready_ns = _loader.leave_pinning()
        timeout_ns = int(self._loader.timeout * 1e9)
        if timeout_ns and ready_ns > _host.now() + timeout_ns:
            _loader.wait(_host.now() + timeout_ns)
            raise RuntimeError(f"DataLoader timed out after {self._loader.timeout} seconds")
        _loader.wait(ready_ns)
        if self._pins:
            _loader.message()
        else:
            _loader.receive(count)
        return batch

    def _warn_of_length(self):
        """PyTorch's warning of an iterable dataset that each worker reads from its start to its end."""
        expected = self._loader._len_called
        if expected is not None and self._yielded > expected:
            warnings.warn(
                f"Length of IterableDataset {self._loader.dataset} was reported to be {expected}(when accessing "
                f"len(dataloader)), but {self._yielded} samples have been fetched. For multiprocessing data-loading, this "
                "could be caused by not properly configuring the IterableDataset replica at each worker. Please see "
                "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for examples.",
                stacklevel=2,
            )

    def _close(self):
        if self._workers:
            if self._lanes:
                _loader.end(self._lanes)
            for worker in self._workers:
                worker.close()
            self._workers = []

    def __del__(self):
        if getattr(self, "_workers", None):
            try:
                self._close()
            except Exception:
                pass  # The run is over.
