"""numpy.typing: what programs write in their signatures. Nothing checks it. Loaded on first use."""

from typing import Any

from numpy import ndarray

ArrayLike = DTypeLike = Any


class NDArray(ndarray):
    """`NDArray[numpy.float32]`: an array of that dtype."""

    def __class_getitem__(cls, dtype):
        return ndarray
