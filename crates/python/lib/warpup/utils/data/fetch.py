"""How a batch is made of a dataset: of the indices that the sampler gave, or of the next examples of an iterable one."""

import _loader

# What an iterable dataset gives after its last batch.
END = object()


class Indexed:
    """Batches of a dataset that is indexed."""

    def __init__(self, dataset, loader):
        self._dataset, self._collate = dataset, loader.collate_fn
        self._in_batches = loader.batch_sampler is not None
        self._at_once = getattr(dataset, "__getitems__", None) if self._in_batches else None

    def fetch(self, indices):
        if not self._in_batches:
            made = self._dataset[indices]
        elif self._at_once:
            made = self._at_once(indices)
        else:
            made = [self._dataset[at] for at in indices]
        made = self._collate(made)
        _loader.make()
        return made


class Iterated:
    """Batches of a dataset that is iterated, and then `END`."""

    def __init__(self, dataset, loader):
        self._examples, self._collate = iter(dataset), loader.collate_fn
        self._in_batches, self._drop_last = loader.batch_sampler is not None, loader.drop_last

    def fetch(self, indices):
        if self._in_batches:
            # In this order, so that no example is taken beyond the batch.
            made = [example for _, example in zip(indices, self._examples)]
            if not made or (self._drop_last and len(made) < len(indices)):
                return END
        else:
            made = next(self._examples, END)
            if made is END:
                return END
        made = self._collate(made)
        _loader.make()
        return made
