"""torch.frombuffer: the numbers in some bytes. Loaded on first use."""

import struct

import warpup
from warpup._registration import torch_function

_LETTERS = {
    "float64": "d", "float32": "f", "float16": "e", "int64": "q", "int32": "i", "int16": "h", "int8": "b", "uint8": "B", "bool": "?",
}


@torch_function(method=False)
def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """Copied, unlike in PyTorch: a write to the tensor does not change the buffer."""
    try:
        content = memoryview(buffer).tobytes()
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    size, length = dtype.itemsize, len(content)
    if not length or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % size:
        raise ValueError(
            f"buffer length ({length} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
        )
    if count * size > length - offset:
        raise ValueError(
            f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be greater than actual "
            f"buffer length ({length} bytes)"
        )
    name = str(dtype).removeprefix("torch.")
    # The first half of a number of 32 bits is a bfloat16.
    letter = _LETTERS.get(name, "H")
    numbers = struct.unpack_from(f"<{(length - offset) // size if count < 0 else count}{letter}", content, offset)
    if letter == "H":
        halves = struct.pack(f"<{2 * len(numbers)}H", *(it for number in numbers for it in (0, number)))
        numbers = struct.unpack(f"<{len(numbers)}f", halves)
    made = warpup.tensor(numbers, dtype=dtype)
    return made.requires_grad_(True) if requires_grad else made
