"""A worker of a data loader: its copy of the dataset, its random numbers, and its lane of the host.

A run has one process and one interpreter, so a worker is not a process: it makes its batches when the program asks for
them. On a modelled card the time of that goes to a lane of its own.
"""

import sys

import _lab
import _loader
import _warpup
from warpup import Tensor, _generator
from warpup.utils.data.dataset import Dataset
from warpup.utils.data.fetch import END

# What its classes print as their module.
__name__ = "torch.utils.data._utils.worker"

_info = None
# Generators that workers have used, of the CPU and of the card, for the next workers.
_spare = []


class WorkerInfo:
    """What a worker knows of itself."""

    def __init__(self, id, num_workers, seed, dataset):
        self.id, self.num_workers, self.seed, self.dataset = id, num_workers, seed, dataset

    def __repr__(self):
        return f"WorkerInfo(id={self.id}, num_workers={self.num_workers}, seed={self.seed}, dataset={self.dataset})"


def get_worker_info():
    """What the current worker knows of itself; `None` in the program."""
    return _info


class Failed:
    """An exception that ended a batch."""

    def __init__(self, error, worker):
        self._error, self._worker = error, worker

    def reraise(self):
        """Raises it again, in PyTorch's words and with the lines of the worker."""
        error = self._error
        kind = type(error)
        text = f"Caught {kind.__name__} in DataLoader worker process {self._worker}.\nOriginal {_described(error)}"
        if kind is KeyError:
            text = _Message(text)
        try:
            raised = kind(text)
        except Exception:
            raised = RuntimeError(text)
        raise raised.with_traceback(error.__traceback__) from None


class _Message(str):
    """The text of a `KeyError`, which prints the `repr` of it."""

    def __repr__(self):
        return str(self)


def _described(error):
    """The traceback of an exception, without the frames of this library, as Python prints it."""
    source = _lab.source().splitlines()
    lines = ["Traceback (most recent call last):"]
    at = error.__traceback__
    while at is not None:
        frame, number = at.tb_frame, at.tb_lineno
        module = frame.f_globals.get("__name__", "")
        if not module.startswith(("torch", "warpup", "numpy")):
            lines.append(f'  File "{frame.f_code.co_filename}", line {number}, in {frame.f_code.co_name}')
            if module == "__main__" and number <= len(source):
                lines.append("    " + source[number - 1].strip())
        at = at.tb_next
    text = str(error)
    return "\n".join([*lines, f"{type(error).__name__}: {text}" if text else type(error).__name__]) + "\n"


def _forked(value):
    """What a worker has of a value: changes of a dataset, and of what it keeps in containers, are the worker's own."""
    if isinstance(value, Dataset) and hasattr(value, "__dict__"):
        copied = object.__new__(type(value))
        copied.__dict__.update({name: _forked(it) for name, it in value.__dict__.items()})
        return copied
    if type(value) in (dict, list, set):
        return value.copy()
    return value


class _Random:
    """Random numbers: of torch, of the module `random`, and of numpy."""

    def __init__(self, base_seed, worker):
        self._seed = base_seed + worker
        self._numbers = _spare.pop() if _spare else (_warpup.open_generator(0, False), _warpup.open_generator(0, True))
        for number in self._numbers:
            _warpup.seed(self._seed, number)
        self._python = self._numpy = None
        random = sys.modules.get("random")
        if random is not None:
            self._python = random.Random(self._seed).getstate()
        if "numpy" in sys.modules:
            self._numpy = _numpy_stream(base_seed, worker)

    def swap(self):
        """Exchanges them with those of the program."""
        for number, program in zip(self._numbers, (0, 1)):
            _warpup.swap_generators(number, program)
        default = _generator.default_generator
        default._seed, self._seed = self._seed, default._seed
        if self._python is not None:
            random = sys.modules["random"]
            before = random.getstate()
            random.setstate(self._python)
            self._python = before
        if self._numpy is not None:
            import numpy

            stream = numpy.random._global
            stream._stream, self._numpy = self._numpy, stream._stream

    def close(self):
        _spare.append(self._numbers)


def _numpy_stream(base_seed, worker):
    """A stream of numpy with the seed that PyTorch gives a worker."""
    import _numpy
    from _random import Random

    words = _mixed(base_seed, worker)
    # Python seeds its generator with the words of a number as numpy does with those of a list.
    state = Random(sum(word << 32 * at for at, word in enumerate(words))).getstate()
    stream = _numpy.mersenne(0)
    stream.set_state(list(state[:-1]), state[-1], None)
    return stream


def _mixed(base_seed, worker):
    """Four words from a seed and the number of a worker: numpy's `SeedSequence`, as `_generate_state` of PyTorch has it."""
    mask = 0xFFFFFFFF
    constant = 0x43B0D7E5

    def hashed(value):
        nonlocal constant
        value ^= constant
        constant = constant * 0x931E8875 & mask
        value = value * constant & mask
        return value ^ value >> 16

    pool = [hashed(it) for it in (worker, base_seed & mask, base_seed >> 32, 0)]
    for source in range(4):
        for at in range(4):
            if at != source:
                mixed = 0xCA01F9DD * pool[at] - 0x4973F715 * hashed(pool[source]) & mask
                pool[at] = mixed ^ mixed >> 16
    constant, words = 0x8B51F9DD, []
    for value in pool:
        value ^= constant
        constant = constant * 0x58F38DED & mask
        value = value * constant & mask
        words.append(value ^ value >> 16)
    return words


class Worker:
    """A worker of a loader."""

    def __init__(self, loader, make_fetcher, id, base_seed, lane):
        self.id, self.lane = id, lane
        self.is_active = True
        self._dataset = _forked(loader.dataset)
        self._make_fetcher = lambda: make_fetcher(self._dataset, loader)
        self._info = WorkerInfo(id, loader.num_workers, base_seed + id, self._dataset)
        self._random = _Random(base_seed, id)
        self._fetcher = self._failed = None
        init = loader.worker_init_fn
        if init is not None:
            try:
                made = self._in_lane(0, lambda: init(id))
                self._failed = made if isinstance(made, Failed) else None
            finally:
                _loader.leave_init()

    def begin(self):
        """An epoch begins."""
        self.is_active, self._fetcher = True, None

    def make(self, indices, sent_ns):
        """The batch of these indices, or a `Failed`, or `END`; and when the worker has sent it."""
        made = END
        try:
            made = self._in_lane(sent_ns, lambda: self._fetch(indices))
        finally:
            ready_ns = _loader.leave_worker(tensors(made))
        return made, ready_ns

    def _fetch(self, indices):
        if self._failed is not None:
            failed, self._failed = self._failed, None
            return failed
        if self._fetcher is None:
            self._fetcher = self._make_fetcher()
        return self._fetcher.fetch(indices)

    def _in_lane(self, sent_ns, work):
        """Does something as this worker. The caller leaves the lane."""
        global _info
        before = _info
        _loader.enter_worker(self.lane, sent_ns)
        self._random.swap()
        _info = self._info
        try:
            return work()
        except Exception as error:
            return Failed(error, self.id)
        finally:
            _info = before
            self._random.swap()

    def close(self):
        self._random.close()


def tensors(batch):
    """The number of tensors in a batch."""
    if isinstance(batch, Tensor):
        return 1
    if isinstance(batch, dict):
        return sum(map(tensors, batch.values()))
    if isinstance(batch, (tuple, list)):
        return sum(map(tensors, batch))
    return 0
