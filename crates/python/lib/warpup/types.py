"""torch.types: the types that programs write in their signatures. Loaded on first use."""

import builtins

import warpup
from warpup import _names, device, dtype

_dtype, _device = dtype, device
_int, _float, _bool, _complex = builtins.int, builtins.float, builtins.bool, builtins.complex
_size = warpup.Size | builtins.list[_int] | builtins.tuple[_int, ...]
Number = _int | _float | _bool
Device = _device | builtins.str | _int | None

__getattr__ = _names.getter("torch.types", globals())
