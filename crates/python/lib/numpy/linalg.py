"""`numpy.linalg` and the products: `dot`, `matmul`, `outer`, `norm` and the like."""

import warpup
from numpy import _dtypes, _math, _reductions
from numpy._convert import asarray, cast, tensor_of, wrapped
from warpup import einsum as _einsum


def _typed(a, b):
    a, b = tensor_of(a), tensor_of(b)
    it = _dtypes.promoted(_dtypes.of_tensor(a), _dtypes.of_tensor(b))
    return cast(a, it), cast(b, it)


def _product(a, b):
    """A product of matrices. Those of whole numbers are sums of products, as a matrix product has floats only."""
    if a.is_floating_point():
        return a.matmul(b) if hasattr(a, "matmul") else warpup.matmul(a, b)
    own = a.dtype
    a, b = (it.long() if own == warpup.bool else it for it in (a, b))
    left = a.unsqueeze(0) if a.ndim == 1 else a
    right = b.unsqueeze(1) if b.ndim == 1 else b
    result = (left.unsqueeze(-1) * right.unsqueeze(-3)).sum(-2)
    if b.ndim == 1:
        result = result.squeeze(-1)
    if a.ndim == 1:
        result = result.squeeze(-2 if b.ndim > 1 else 0)
    return (result > 0) if own == warpup.bool else result.to(own)


def matmul(x1, x2, out=None):
    a, b = _typed(x1, x2)
    for at, it in enumerate((a, b)):
        if it.ndim == 0:
            raise ValueError(
                f"matmul: Input operand {at} does not have enough dimensions (has 0, gufunc core with signature "
                "(n?,k),(k,m?)->(n?,m?) requires 1)"
            )
    left, right = a.shape[-1], b.shape[0 if b.ndim == 1 else -2]
    if left != right:
        raise ValueError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(n?,k),(k,m?)->(n?,m?) (size {right} is different from {left})"
        )
    return wrapped(_product(a, b))


def dot(a, b, out=None):
    a, b = _typed(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return wrapped(a * b)
    at = 0 if b.ndim == 1 else b.ndim - 2
    if a.shape[-1] != b.shape[at]:
        raise ValueError(
            f"shapes {_math.listed(a.shape)} and {_math.listed(b.shape)} not aligned: {a.shape[-1]} "
            f"(dim {a.ndim - 1}) != {b.shape[at]} (dim {at})"
        )
    if b.ndim <= 2:
        return wrapped(_product(a, b))
    flat = b.transpose(0, -2) if b.ndim > 2 else b
    rest = [size for place, size in enumerate(b.shape) if place != at]
    moved = b.permute(at, *(place for place in range(b.ndim) if place != at)).reshape(flat.shape[0], -1)
    return wrapped(_product(a, moved).reshape([*a.shape[:-1], *rest]))


def vdot(a, b):
    return dot(asarray(a).ravel(), asarray(b).ravel())


def inner(a, b):
    b = asarray(b)
    return dot(a, b if b.ndim < 2 else b.swapaxes(-1, -2))


def outer(a, b):
    a, b = _typed(a, b)
    return wrapped(a.reshape(-1, 1) * b.reshape(1, -1))


def tensordot(a, b, axes=2):
    a, b = _typed(a, b)
    if hasattr(axes, "__len__"):
        first, second = (list(it) if hasattr(it, "__len__") else [it] for it in axes)
    else:
        first, second = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    first, second = _dtypes.axes_of(first, a.ndim), _dtypes.axes_of(second, b.ndim)
    rows = [at for at in range(a.ndim) if at not in first]
    columns = [at for at in range(b.ndim) if at not in second]
    shape = [a.shape[at] for at in rows] + [b.shape[at] for at in columns]
    count = 1
    for at in first:
        count *= a.shape[at]
    left = a.permute(*rows, *first).reshape(-1, count)
    return wrapped(_product(left, b.permute(*second, *columns).reshape(count, -1)).reshape(shape))


def einsum(subscripts, *operands):
    tensors = [tensor_of(it) for it in operands]
    it = _dtypes.result_type(*(_dtypes.of_tensor(tensor) for tensor in tensors))
    wide = it if it.kind == "f" else _dtypes.FLOAT
    return wrapped(cast(_einsum(subscripts, *(cast(tensor, wide) for tensor in tensors)), it))


def norm(x, ord=None, axis=None, keepdims=False):
    array = asarray(x)
    if array.dtype.kind != "f":
        array = array.astype(float)
    if ord is None or ord == 2 and (array.ndim == 1 or isinstance(axis, int)) or ord == "fro":
        if axis is None and not keepdims:
            flat = array.ravel()
            return _math.sqrt(dot(flat, flat))
        return _math.sqrt(_reductions.sum(array * array, axis, keepdims=keepdims))
    size = _math.absolute(array)
    if ord == float("inf"):
        return _reductions.max(size, axis, keepdims=keepdims)
    if ord == -float("inf"):
        return _reductions.min(size, axis, keepdims=keepdims)
    if array.ndim > 1 and (axis is None or isinstance(axis, tuple)):
        raise NotImplementedError(f"linalg.norm(ord={ord!r}) of a matrix is not part of warpup; NumPy has it")
    if ord == 0:
        return _reductions.sum((array != 0).astype(array.dtype), axis, keepdims=keepdims)
    if ord == 1:
        return _reductions.sum(size, axis, keepdims=keepdims)
    return _reductions.sum(size ** ord, axis, keepdims=keepdims) ** (1 / ord)


def cov(m, rowvar=True, bias=False, ddof=None):
    rows = asarray(m).astype(float)
    rows = rows.reshape(1, -1) if rows.ndim == 1 else rows if rowvar else rows.T
    ddof = (0 if bias else 1) if ddof is None else ddof
    distance = rows - _reductions.mean(rows, 1, keepdims=True)
    return asarray(dot(distance, distance.T) / (rows.shape[1] - ddof)).squeeze()


def corrcoef(x, y=None, rowvar=True):
    if y is not None:
        from numpy._joins import vstack

        x = vstack([x, y])
    parts = cov(x, rowvar)
    spread = _math.sqrt(parts.diagonal())
    return parts / spread[:, None] / spread[None]


def multi_dot(arrays, *, out=None):
    made = arrays[0]
    for it in arrays[1:]:
        made = dot(made, it)
    return made


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return norm(x, ord, (-2, -1), keepdims)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    return norm(asarray(x).ravel() if axis is None else x, ord, axis, keepdims)


_LATER = "LinAlgError cholesky cond det eigh eigvalsh inv lstsq matrix_power matrix_rank pinv qr slogdet solve svd svdvals"


def __getattr__(name):
    if name in _LATER.split():
        from numpy import _decompositions

        return getattr(_decompositions, name)
    if name in ("trace", "diagonal", "cross"):
        import numpy

        return getattr(numpy, name)
    from numpy._names import missing

    raise missing("numpy.linalg", name, globals(), {"numpy._decompositions": _LATER})
