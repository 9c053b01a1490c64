"""torch.linalg: norms. Decompositions are not part of warpup."""

import math


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return x._vector_norm(ord, dim, keepdim, dtype=dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    rows, columns = (it % A.dim() for it in dim)
    if ord == "fro":
        return A._vector_norm(2, (rows, columns), keepdim, dtype=dtype)
    if ord not in (1, -1, math.inf, -math.inf):
        if ord in (2, -2, "nuc"):
            raise NotImplementedError(
                f"linalg.matrix_norm of order {ord} needs singular values, which are not part of warpup; PyTorch has it"
            )
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    summed, best = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sizes = A.abs().sum(summed, keepdim=True, dtype=dtype)
    found = sizes.amax(best, keepdim=True) if ord > 0 else sizes.amin(best, keepdim=True)
    return found if keepdim else found.squeeze((rows, columns))


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    is_matrix = A.dim() == 2 if dim is None else isinstance(dim, (tuple, list)) and len(dim) == 2
    if is_matrix:
        return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)


def __getattr__(name):
    raise AttributeError(
        f"module 'torch.linalg' has no attribute '{name}' in warpup. If PyTorch has it, it is torch.linalg.{name} there"
    )
