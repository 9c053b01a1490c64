"""torch.linalg: norms, and the decompositions of `_decompositions`, which load on first use."""

import math


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return x._vector_norm(ord, dim, keepdim, dtype=dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    rows, columns = (it % A.dim() for it in dim)
    if ord == "fro":
        return A._vector_norm(2, (rows, columns), keepdim, dtype=dtype)
    if ord not in (1, -1, math.inf, -math.inf):
        if ord in (2, -2, "nuc"):
            from warpup._decompositions import svdvals

            sizes = svdvals(A.movedim((rows, columns), (-2, -1)))
            found = sizes.sum(-1) if ord == "nuc" else sizes.amax(-1) if ord == 2 else sizes.amin(-1)
            return found.reshape([1 if at in (rows, columns) else it for at, it in enumerate(A.shape)]) if keepdim else found
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


from warpup import _names  # noqa: E402

__getattr__ = _names.getter("torch.linalg", globals(), {
    "warpup._decompositions":
        "LinAlgError cholesky cond det eigh eigvalsh inv lstsq matrix_exp matrix_power matrix_rank multi_dot pinv qr "
        "inv_ex lu tensorinv tensorsolve slogdet solve solve_triangular svd svdvals vecdot",
    "warpup._measures": "cross",
    "warpup._choosing": "vander",
    "warpup._functions": "matmul",
    "warpup._shapes": "diagonal",
})
