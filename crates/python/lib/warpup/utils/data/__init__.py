"""torch.utils.data: datasets, samplers and data loaders."""

from warpup import _names
from warpup.utils.data.collate import default_collate, default_convert
from warpup.utils.data.dataset import (
    ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset, TensorDataset, random_split,
)
from warpup.utils.data.sampler import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler,
)
from warpup.utils.data.dataloader import DataLoader, get_worker_info

__getattr__ = _names.getter(
    "torch.utils.data", globals(), {"warpup.utils.data.distributed": "distributed DistributedSampler"}
)
