"""Samplers: in which order a data loader takes the examples."""

import warpup
from warpup import _names

# What its classes print as their module.
__name__ = "torch.utils.data.sampler"


class Sampler:
    """What gives indices into a dataset, one after another."""

    def __init__(self, data_source=None):
        """Takes a dataset, which it does not use."""

    def __class_getitem__(cls, item):
        return cls

    def __iter__(self):
        raise NotImplementedError


class SequentialSampler(Sampler):
    """The indices in their order."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


def _positive(name, count):
    if not isinstance(count, int) or isinstance(count, bool) or count <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={count}")


class RandomSampler(Sampler):
    """The indices in a random order, or drawn again and again."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        _positive("num_samples", self.num_samples)

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        count, left = len(self.data_source), self.num_samples
        generator = self.generator
        if generator is None:
            generator = warpup.Generator()
            generator.manual_seed(int(warpup.empty((), dtype=warpup.int64).random_().item()))
        if self.replacement:
            # As many at once as PyTorch draws.
            for size in [32] * (left // 32) + [left % 32]:
                yield from warpup.randint(count, (size,), generator=generator).tolist()
            return
        for _ in range(left // count):
            yield from warpup.randperm(count, generator=generator).tolist()
        # PyTorch draws an order for the rest even if there is none, and the next epoch has other numbers for it.
        yield from warpup.randperm(count, generator=generator).tolist()[:left % count]

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Given indices in a random order."""

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        for at in warpup.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[at]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Indices drawn with given weights."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        _positive("num_samples", num_samples)
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        weights = warpup.as_tensor(weights, dtype=warpup.double)
        if weights.dim() != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {tuple(weights.shape)}")
        self.weights = weights
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        yield from warpup.multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        ).tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of indices from another sampler."""

    def __init__(self, sampler, batch_size, drop_last):
        _positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        batch = []
        for at in self.sampler:
            batch.append(at)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


__getattr__ = _names.getter("torch.utils.data", globals())
