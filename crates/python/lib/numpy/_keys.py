"""The keys between the brackets of `a[…]`, as tensors take them, and NumPy's words for wrong ones."""

from numpy import _dtypes, _scalars
from numpy._convert import tensor_of
from numpy._math import listed
from warpup import Tensor


def keys_of(tensor, key):
    """The key for the tensor, and the axes of the result to flip: a tensor has no negative steps."""
    if isinstance(key, int):
        return key, ()
    if not isinstance(key, tuple):
        if isinstance(key, slice):
            if key.step is None or key.step > 0:
                return key, ()
        elif hasattr(key, "_t") or isinstance(key, list):
            return _index(key), ()
        key = (key,)
    given = sum(getattr(it, "ndim", 1) if getattr(it, "dtype", None) is _dtypes.BOOL else 1
                for it in key if it is not None and it is not Ellipsis)
    keys, flips, at, axis = [], [], 0, 0
    for it in key:
        if it is Ellipsis:
            axis += tensor.ndim - given
            at += tensor.ndim - given
        elif it is None:
            axis += 1
        elif isinstance(it, slice):
            if it.step is not None and it.step < 0 and at < tensor.ndim:
                positions = range(*it.indices(tensor.shape[at]))
                it = slice(positions[-1], positions[0] + 1, -positions.step) if positions else slice(0, 0)
                flips.append(axis)
            at, axis = at + 1, axis + 1
        else:
            it = _index(it)
            at += 1
            axis += isinstance(it, Tensor)
        keys.append(it)
    return tuple(keys), flips


def _index(key):
    """A list, array or scalar between the brackets, as a tensor takes it."""
    if isinstance(key, _scalars.generic) and key._dtype.kind in "iub":
        return key._value
    if isinstance(key, list):
        found = tensor_of(key)
        if not key:
            return found.long()
    elif isinstance(key, Tensor):
        found = key
    elif hasattr(key, "_t") and not isinstance(key, _scalars.generic):
        found = key._t
    elif hasattr(key, "__index__"):
        return key.__index__()
    else:
        found = None
    if found is None or found.is_floating_point():
        if hasattr(key, "_t"):
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are "
            "valid indices"
        )
    # A tensor of bytes is a mask in PyTorch, but not an array of them.
    return found if found.dtype == _dtypes.BOOL.torch else found.long()


def has_dots(key):
    return key is Ellipsis or isinstance(key, tuple) and any(it is Ellipsis for it in key)


def index_error(error, tensor, key):
    """PyTorch's error in NumPy's words."""
    text = str(error)
    if text.startswith("too many indices") or text.startswith("invalid index of a 0-dim"):
        count = len([it for it in key if it is not None and it is not Ellipsis]) if isinstance(key, tuple) else 1
        text = f"too many indices for array: array is {tensor.ndim}-dimensional, but {count} were indexed"
    elif text.startswith("The shape of the mask"):
        masks = key if isinstance(key, tuple) else (key,)
        sizes = next((it.shape for it in masks if isinstance(it, Tensor)), ())
        for axis, (size, got) in enumerate(zip(tensor.shape, sizes)):
            if size != got:
                text = (
                    f"boolean index did not match indexed array along axis {axis}; size of axis is {size} but size of "
                    f"corresponding boolean axis is {got}"
                )
                break
    elif text.startswith("shape mismatch: indexing tensors"):
        text = text.replace("indexing tensors", "indexing arrays").replace("[", "(").replace("]", ")")
    return IndexError(text.replace("for dimension", "for axis"))


def write_error(error, tensor, keys, value):
    if not isinstance(value, Tensor):
        return error
    text = str(error)
    if text.startswith("shape mismatch"):
        into = listed(tensor[keys].shape)
        return ValueError(
            f"shape mismatch: value array of shape {listed(value.shape)} could not be broadcast to indexing result of "
            f"shape {into}"
        )
    into = listed(tensor[keys].shape)
    return ValueError(f"could not broadcast input array from shape {listed(value.shape)} into shape {into}")
