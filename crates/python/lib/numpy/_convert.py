"""From Python's values to arrays and back: `array`, `asarray`, and what an operation takes and gives."""

import _numpy
import warpup
from numpy import _dtypes, _scalars
from numpy._array import ndarray
from warpup import Tensor


def tensor_of(given, dtype=None):
    """The tensor of anything that an array can be made of. It may share memory with `given`."""
    if isinstance(given, Tensor):
        given = given.numpy()
    if hasattr(given, "_t"):
        tensor = given._t
        if dtype is None or tensor.dtype == dtype.torch:
            return tensor
        return tensor.to(dtype.torch)
    if isinstance(given, _REFUSED):
        raise _refused(given)
    if not isinstance(given, (list, tuple, bool, int, float)):
        given = _listed(given)
    try:
        return _numpy.gathered(_without_ranges(given), dtype and dtype.torch)
    except (TypeError, RuntimeError, ValueError) as error:
        raise _refused(_first(given)) or _ragged(given) or error from None


_REFUSED = (str, bytes, dict, set, type(None))


def _refused(given):
    """The error for elements that no array has here; None for others."""
    if not isinstance(given, _REFUSED):
        return None
    known = ", ".join(_dtypes.BY_NAME)
    return TypeError(f"an array of {type(given).__name__} is not part of warpup's numpy, which has {known}")


def _first(given):
    while isinstance(given, (list, tuple)) and given:
        given = given[0]
    return given


def _listed(given):
    """The items of a range or another sequence."""
    if hasattr(given, "__array__"):
        return given.__array__()
    if hasattr(given, "__len__") and hasattr(given, "__getitem__"):
        return list(given)
    raise TypeError(f"an array of {type(given).__name__} is not part of warpup's numpy: make a list of it first")


def _without_ranges(given):
    """Lists of ranges as lists of lists."""
    if isinstance(given, (list, tuple)) and any(isinstance(it, range) for it in given):
        return [list(it) if isinstance(it, range) else it for it in given]
    return given


def _ragged(given):
    """The error of NumPy for lists of different lengths; None if they are not."""
    shape, level = [], [given]
    while all(isinstance(it, (list, tuple)) or getattr(it, "ndim", 0) for it in level):
        sizes = {len(it) for it in level}
        if len(sizes) > 1:
            break
        shape.append(sizes.pop())
        level = [item for it in level for item in it]
        if not level:
            return None
    if not any(isinstance(it, (list, tuple)) or getattr(it, "ndim", 0) for it in level):
        return None
    return ValueError(
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
        f"{len(shape)} dimensions. The detected shape was {tuple(shape)} + inhomogeneous part."
    )


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0):
    """A new array."""
    it = dtype if dtype is None else _dtypes.of(dtype)
    tensor = tensor_of(object, it)
    if copy and (hasattr(object, "_t") or isinstance(object, Tensor)) and tensor.data_ptr() == tensor_of(object).data_ptr():
        tensor = tensor.clone()
    while tensor.ndim < ndmin:
        tensor = tensor.unsqueeze(0)
    return ndarray._of(tensor)


def asarray(a, dtype=None, order=None, **device):
    """The array itself, or a new one of something else; that of a tensor shares its memory."""
    it = dtype if dtype is None else _dtypes.of(dtype)
    if type(a).__name__ == "ndarray" and (it is None or a.dtype is it):
        return a
    return array(a, it, copy=False)


asanyarray = asarray


def ascontiguousarray(a, dtype=None):
    return ndarray._of(asarray(a, dtype)._t.contiguous())


def copy(a, order="K", subok=False):
    return array(a)


def wrapped(tensor):
    """What an operation gives: an array, or a scalar if it has no dimensions."""
    return ndarray._of(tensor) if tensor.ndim else scalar_of(tensor)


def scalar_of(tensor):
    return _scalars.of_value(tensor.item(), _dtypes.of_tensor(tensor))


def operand(given):
    """An operand as its tensor or number, and its type; the type of Python's numbers is None."""
    if hasattr(given, "_t"):
        if isinstance(given, _scalars.generic):
            return given._value, given._dtype
        return given._t, _dtypes.of_tensor(given._t)
    if isinstance(given, (bool, int, float)):
        return given, None
    tensor = tensor_of(given)
    return tensor, _dtypes.of_tensor(tensor)


def cast(given, it):
    """A tensor with this type; a number stays as it is."""
    if not isinstance(given, Tensor) or given.dtype == it.torch:
        return given
    return given.to(it.torch)


def as_tensor(given, it):
    """A tensor of this type, also of a number."""
    return cast(given, it) if isinstance(given, Tensor) else warpup.full((), given, dtype=it.torch, device="cpu")


def into(out, result):
    """Writes a result to the array `out`, if one is given."""
    if out is None:
        return result
    out[...] = result
    return out
