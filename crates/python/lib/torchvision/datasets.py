"""torchvision.datasets: generated pictures in place of the real ones.

Each class has a pattern of its own; a picture is its pattern, moved by up to two pixels, with noise. They are the same in
every run. A network learns them, but what it reaches says nothing about the real data.
"""

import _host
import warpup
from torchvision import missing
from torchvision._picture import Picture
from warpup.utils.data import Dataset


class VisionDataset(Dataset):
    """Pictures and their classes, with transforms."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.root, self.transform, self.target_transform = root, transform, target_transform
        self.transforms = transforms

    def _given(self, picture, target):
        if self.transforms is not None:
            return self.transforms(picture, target)
        if self.transform is not None:
            picture = self.transform(picture)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return picture, target

    def extra_repr(self):
        return ""

    def __repr__(self):
        body = [f"Number of datapoints: {len(self)}"]
        if self.root is not None:
            body.append(f"Root location: {self.root}")
        body += self.extra_repr().splitlines()
        if self.transform is not None or self.target_transform is not None:
            body.append("StandardTransform")
            for word, it in (("Transform: ", self.transform), ("Target transform: ", self.target_transform)):
                if it is not None:
                    lines = repr(it).splitlines()
                    body[-1] += "\n" + "\n".join([word + lines[0]] + [" " * len(word) + line for line in lines[1:]])
        return "\n".join(["Dataset " + type(self).__name__] + ["    " + line for line in body])


def _patterns(channels, size, seed):
    """One picture for each of ten classes, moved by up to two pixels in nine ways: (90, channels, size, size)."""
    drawn = warpup.Generator().manual_seed(seed)
    coarse = size // 4
    shape = (10, channels, coarse, coarse)
    marks = (warpup.rand(shape, generator=drawn) < 0.35).float() * (warpup.rand(shape, generator=drawn) * 120 + 110)
    whole = marks.repeat_interleave(4, dim=2).repeat_interleave(4, dim=3)
    moved = [warpup.roll(whole, (down, right), dims=(2, 3)) for down in (-2, 0, 2) for right in (-2, 0, 2)]
    return warpup.stack(moved, 1).reshape(90, channels, size, size)


def _made(channels, size, count, seed, is_training):
    """The pictures as bytes, (count, channels, size, size), and their classes."""
    with warpup.no_grad(), warpup.device("cpu"):
        patterns = _patterns(channels, size, seed)
        drawn = warpup.Generator().manual_seed(seed * 2 + is_training)
        targets = warpup.randperm(count, generator=drawn) % 10
        places = targets * 9 + warpup.randint(0, 9, (count,), generator=drawn)
        parts = []
        for at in range(0, count, 250):
            part = patterns[places[at:at + 250]]
            noise = warpup.randn(part.shape, generator=drawn) * 30
            parts.append((part + noise).clamp(0, 255).to(warpup.uint8))
        return warpup.cat(parts), targets


def _note(name, count):
    _host.note(
        f"torchvision.datasets.{name} is SYNTHETIC: {count} generated pictures in 10 classes, not the real ones; "
        "a run has no disk and no network"
    )


class MNIST(VisionDataset):
    """Synthetic pictures in the shape of MNIST: 5,000 to train with and 1,000 to test."""

    classes = [
        "0 - zero", "1 - one", "2 - two", "3 - three", "4 - four", "5 - five", "6 - six", "7 - seven", "8 - eight",
        "9 - nine",
    ]
    _seed = 101

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        count = 5000 if train else 1000
        _note(type(self).__name__, count)
        pictures, self.targets = _made(1, 28, count, self._seed, train)
        self.data = pictures[:, 0]

    @property
    def class_to_idx(self):
        return {name: at for at, name in enumerate(self.classes)}

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self._given(Picture(self.data[index].unsqueeze(-1)), int(self.targets[index]))

    def extra_repr(self):
        return f"Split: {'Train' if self.train else 'Test'}"


class FashionMNIST(MNIST):
    """Synthetic pictures in the shape of FashionMNIST."""

    classes = [
        "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
    ]
    _seed = 202


class KMNIST(MNIST):
    """Synthetic pictures in the shape of KMNIST."""

    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]
    _seed = 303


class CIFAR10(VisionDataset):
    """Synthetic pictures in the shape of CIFAR-10: 1,250 to train with and 250 to test."""

    classes = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        count = 1250 if train else 250
        _note("CIFAR10", count)
        pictures, targets = _made(3, 32, count, 404, train)
        self._pictures = pictures.permute(0, 2, 3, 1).contiguous()
        self.targets = targets.tolist()
        self.class_to_idx = {name: at for at, name in enumerate(self.classes)}

    @property
    def data(self):
        return self._pictures.numpy()

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        return self._given(Picture(self._pictures[index]), self.targets[index])

    def extra_repr(self):
        return f"Split: {'Train' if self.train else 'Test'}"


class FakeData(VisionDataset):
    """Random pictures without a pattern, as in torchvision."""

    def __init__(
        self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0
    ):
        super().__init__(None, transform=transform, target_transform=target_transform)
        self.size, self.image_size, self.num_classes = size, tuple(image_size), num_classes
        self.random_offset = random_offset

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        drawn = warpup.Generator().manual_seed(index + self.random_offset)
        values = warpup.randint(0, 256, self.image_size, generator=drawn).to(warpup.uint8)
        target = warpup.randint(0, self.num_classes, (1,), generator=drawn)[0].item()
        return self._given(Picture(values.permute(1, 2, 0)), target)


def __getattr__(name):
    if name in ("ImageFolder", "DatasetFolder"):
        raise AttributeError(
            f"module 'torchvision.datasets' has no attribute '{name}': a run has no disk. Use FakeData, which makes "
            "pictures of any size"
        )
    raise missing("torchvision.datasets", name, [it for it in globals() if it[0].isupper()])
