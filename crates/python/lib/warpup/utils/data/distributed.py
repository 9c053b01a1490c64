"""torch.utils.data.distributed: the part of a dataset that one of several processes takes."""

import math

import warpup
from warpup import _names
from warpup.utils.data.sampler import Sampler


class DistributedSampler(Sampler):
    """Gives each of `num_replicas` processes every n-th index, in an order that `set_epoch` changes."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if num_replicas is None:
            num_replicas = warpup.distributed.get_world_size()
        if rank is None:
            rank = warpup.distributed.get_rank()
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas, self.rank = num_replicas, rank
        self.epoch = 0
        self.drop_last, self.shuffle, self.seed = drop_last, shuffle, seed
        count = len(dataset)
        if drop_last and count % num_replicas != 0:
            self.num_samples = math.ceil((count - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(count / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self):
        count = len(self.dataset)
        if self.shuffle:
            generator = warpup.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = warpup.randperm(count, generator=generator).tolist()
        else:
            indices = list(range(count))
        if self.drop_last:
            indices = indices[:self.total_size]
        else:
            # The first ones once more, so that each process has as many.
            missing = self.total_size - count
            if missing <= count:
                indices += indices[:missing]
            else:
                indices += (indices * math.ceil(missing / count))[:missing]
        if len(indices) != self.total_size:
            raise AssertionError(f"Number of indices ({len(indices)}) does not match total_size ({self.total_size})")
        return iter(indices[self.rank:self.total_size:self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch


__getattr__ = _names.getter("torch.utils.data.distributed", globals())
