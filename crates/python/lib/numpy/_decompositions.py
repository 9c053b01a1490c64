"""`numpy.linalg`: inverses and decompositions, in the precision of the array. Loaded on first use."""

from collections import namedtuple

import warpup
from numpy._convert import asarray, wrapped

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
EigResult = namedtuple("EigResult", "eigenvalues eigenvectors")
QRResult = namedtuple("QRResult", "Q R")
SVDResult = namedtuple("SVDResult", "U S Vh")
SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")


class LinAlgError(ValueError):
    """A matrix that is singular, or not of the kind that a function needs."""

    __module__ = "numpy.linalg"


def _matrix(a, square=False):
    """The matrix as a tensor of floats."""
    tensor = asarray(a)._t
    if tensor.ndim < 2:
        raise LinAlgError(f"{tensor.ndim}-dimensional array given. Array must be at least two-dimensional")
    if square and tensor.shape[-1] != tensor.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return tensor if tensor.dtype in (warpup.float32, warpup.float64) else tensor.double()


def _solved(function, *tensors):
    try:
        return function(*tensors)
    except warpup.linalg.LinAlgError:
        raise LinAlgError("Singular matrix") from None


def inv(a):
    return wrapped(_solved(warpup.linalg.inv, _matrix(a, square=True)))


def det(a):
    return wrapped(warpup.linalg.det(_matrix(a, square=True)))


def slogdet(a):
    return SlogdetResult(*map(wrapped, warpup.linalg.slogdet(_matrix(a, square=True))))


def solve(a, b):
    a, b = _matrix(a, square=True), asarray(b)._t
    return wrapped(_solved(warpup.linalg.solve, a, b.to(a.dtype)))


def cholesky(a, /, *, upper=False):
    try:
        found = warpup.linalg.cholesky(_matrix(a, square=True))
    except warpup.linalg.LinAlgError:
        raise LinAlgError("Matrix is not positive definite") from None
    return wrapped(found.mT if upper else found)


def qr(a, mode="reduced"):
    if mode == "r":
        return wrapped(warpup.linalg.qr(_matrix(a))[1])
    return QRResult(*map(wrapped, warpup.linalg.qr(_matrix(a), mode)))


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    if not compute_uv:
        return svdvals(a)
    return SVDResult(*map(wrapped, warpup.linalg.svd(_matrix(a), full_matrices)))


def svdvals(x, /):
    return wrapped(warpup.linalg.svdvals(_matrix(x)))


def eigh(a, UPLO="L"):
    return EighResult(*map(wrapped, warpup.linalg.eigh(_matrix(a, square=True), UPLO)))


def eigvalsh(a, UPLO="L"):
    return wrapped(warpup.linalg.eigvalsh(_matrix(a, square=True), UPLO))


def pinv(a, rcond=None, hermitian=False):
    return wrapped(warpup.linalg.pinv(_matrix(a)))


def matrix_rank(A, tol=None, hermitian=False):
    values = warpup.linalg.svdvals(_matrix(A))
    if tol is None:
        tol = values.max() * max(asarray(A).shape[-2:]) * warpup.finfo(values.dtype).eps
    return wrapped((values > tol).sum(-1))


def lstsq(a, b, rcond=None):
    """The solution, the sums of squared residuals, the rank and the singular values."""
    matrix, right = _matrix(a), asarray(b)._t
    right = right.to(matrix.dtype)
    solution = warpup.linalg.pinv(matrix) @ right
    values = warpup.linalg.svdvals(matrix)
    rank = matrix_rank(a)
    rest = matrix @ solution - right
    full = int(rank) == matrix.shape[1] < matrix.shape[0]
    sums = (rest * rest).sum(0).reshape(-1) if full else matrix.new_zeros(0)
    return wrapped(solution), wrapped(sums), int(rank), wrapped(values)


def matrix_power(a, n):
    matrix = _matrix(a, square=True)
    if n < 0:
        matrix, n = _solved(warpup.linalg.inv, matrix), -n
    found = warpup.linalg.matrix_power(matrix, n)
    return wrapped(found.to(asarray(a)._t.dtype) if asarray(a).dtype.kind != "f" and n >= 0 else found)


def cond(x, p=None):
    if p not in (None, 2):
        raise NotImplementedError(f"linalg.cond(p={p!r}) is not part of warpup; NumPy has it")
    values = warpup.linalg.svdvals(_matrix(x))
    return wrapped(values[..., 0] / values[..., -1])
