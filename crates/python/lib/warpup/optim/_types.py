"""The type that PyTorch has for the parameters of an optimizer. Loaded on first use."""

from collections.abc import Iterable
from typing import Any

from warpup import Tensor

ParamsT = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
