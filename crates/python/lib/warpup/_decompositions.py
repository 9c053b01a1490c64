"""Decompositions and solutions of small matrices, the inner loops of some of them in `_matrices`. Loaded on first use.

What PyTorch's LAPACK leaves open, such as the sign of an eigenvector, may differ.
"""

import math

import _matrices

import warpup
from warpup._registration import torch_function


class LinAlgError(RuntimeError):
    """A matrix is singular, or not what the function needs."""


def _square(A, name):
    if A.dim() < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"linalg.{name}: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} matrices"
        )


def _each(A, function):
    """A function of lists of rows, of each matrix of a batch; gives numbers or lists of rows."""
    batch, like = A.shape[:-2], A.detach()
    flat = like.double().reshape(-1, *A.shape[-2:]).tolist()
    found = warpup.tensor([function(rows) for rows in flat], dtype=warpup.double)
    return found.reshape([*batch, *found.shape[1:]]).to(device=A.device, dtype=A.dtype)


def _inverted(rows, name="inv"):
    _, solution, singular = _matrices.inverted(rows)
    if singular >= 0:
        raise LinAlgError(
            f"linalg.{name}: The diagonal element {singular + 1} is zero, the inversion could not be completed because "
            "the input matrix is singular."
        )
    return solution


def inv(A):
    _square(A, "inv")
    found = _each(A, _inverted)
    if not (A.requires_grad and warpup.is_grad_enabled()):
        return found
    # One step of Newton's method leaves the value as it is and has the gradient of the inverse.
    return found @ (2 * warpup.eye(A.shape[-1], dtype=A.dtype, device=A.device) - A @ found)


@torch_function
def det(A):
    _square(A, "det")
    value = _each(A, lambda rows: _matrices.inverted(rows)[0])
    if not (A.requires_grad and warpup.is_grad_enabled()):
        return value
    trace = (_each(A, _inverted) * A.transpose(-2, -1)).sum((-2, -1))
    return value + value * (trace - trace.detach())


@torch_function
def slogdet(A):
    value = det(A)
    return _Pair("linalg.slogdet", ("sign", "logabsdet"), value.sign().detach(), value.abs().log())


@torch_function
def logdet(A):
    return det(A).log()


class _Pair(tuple):
    """Results with names."""

    def __new__(cls, name, fields, *results):
        made = tuple.__new__(cls, results)
        made._name, made._fields = name, fields
        return made

    def __getattr__(self, name):
        if name in self._fields:
            return self[self._fields.index(name)]
        raise AttributeError(f"'{self._name}' object has no attribute '{name}'")

    def __repr__(self):
        fields = ",\n".join(f"{name}={it!r}" for name, it in zip(self._fields, self))
        return f"torch.return_types.{self._name.replace('.', '_')}(\n{fields})"


def solve(A, B, *, left=True):
    _square(A, "solve")
    if not left:
        return solve(A.transpose(-2, -1), B.transpose(-2, -1)).transpose(-2, -1)
    if B.dim() == 1 or (B.dim() == A.dim() - 1 and B.shape == A.shape[:-1]):
        return (inv(A) @ B.unsqueeze(-1)).squeeze(-1)
    return inv(A) @ B


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    A = A.triu() if upper else A.tril()
    if unitriangular:
        A = A - warpup.diag_embed(A.diagonal(0, -2, -1)) + warpup.eye(A.shape[-1], dtype=A.dtype, device=A.device)
    return solve(A, B, left=left)


@torch_function
def cholesky(A, *, upper=False):
    _square(A, "cholesky")
    columns, size = [], A.shape[-1]
    for at in range(size):
        column = A[..., at:, at]
        if columns:
            done = warpup.stack([it[..., at:] for it in columns], -1)
            column = column - (done * done[..., :1, :]).sum(-1)
        top = column[..., :1]
        if not bool((top > 0).all()):
            raise LinAlgError(
                "linalg.cholesky: The factorization could not be completed because the input is not positive-definite "
                f"(the leading minor of order {at + 1} is not positive-definite)."
            )
        column = column / top.sqrt()
        columns.append(warpup.cat([column.new_zeros(*column.shape[:-1], at), column], -1))
    lower = warpup.stack(columns, -1)
    return lower.transpose(-2, -1) if upper else lower


@torch_function
def cholesky_solve(input, input2, upper=False):
    lower = input2.transpose(-2, -1) if upper else input2
    return solve(lower @ lower.transpose(-2, -1), input)


@torch_function
def cholesky_inverse(input, upper=False):
    lower = input.transpose(-2, -1) if upper else input
    return inv(lower @ lower.transpose(-2, -1))


@torch_function
def qr(A, mode="reduced"):
    """By Householder's reflections, with the signs of LAPACK."""
    rows, columns = A.shape[-2:]
    R, Q = A, warpup.eye(rows, dtype=A.dtype, device=A.device).expand(*A.shape[:-2], rows, rows)
    for at in range(min(rows - 1, columns)):
        x = R[..., at:, at]
        top = x[..., :1]
        length = x.norm(dim=-1, keepdim=True)
        signed = warpup.where(top >= 0, -length, length)
        v = warpup.cat([top - signed, x[..., 1:]], -1)
        v = v / v.norm(dim=-1, keepdim=True).clamp(min=1e-30)
        v = warpup.cat([v.new_zeros(*v.shape[:-1], at), v], -1).unsqueeze(-1)
        R = R - 2 * v @ (v.transpose(-2, -1) @ R)
        Q = Q - 2 * (Q @ v) @ v.transpose(-2, -1)
    R = R.triu()
    if mode != "complete":
        least = min(rows, columns)
        Q, R = Q[..., :least], R[..., :least, :]
    if mode == "r":
        Q = A.new_empty(0)
    return _Pair("linalg.qr", ("Q", "R"), Q, R)


def _constant(A, name):
    if A.requires_grad and warpup.is_grad_enabled():
        raise NotImplementedError(f"the gradient of linalg.{name} is not part of warpup; PyTorch has it")


def svd(A, full_matrices=True):
    if A.requires_grad and warpup.is_grad_enabled():
        if full_matrices and A.shape[-2] != A.shape[-1]:
            _constant(A, "svd(full_matrices=True)")
        from warpup._decomposed import Svd

        return _Pair("linalg.svd", ("U", "S", "Vh"), *Svd.apply(A, svd))
    if A.shape[-2] < A.shape[-1]:
        U, S, Vh = svd(A.transpose(-2, -1), full_matrices)
        return _Pair("linalg.svd", ("U", "S", "Vh"), Vh.transpose(-2, -1), S, U.transpose(-2, -1))
    flat = A.detach().double().reshape(-1, *A.shape[-2:]).tolist()
    found = [_matrices.rotated(rows) for rows in flat]

    def made(part):
        it = warpup.tensor([[triple[part] for triple in matrix] for matrix in found], dtype=warpup.double)
        return it.reshape([*A.shape[:-2], *it.shape[1:]]).to(device=A.device, dtype=A.dtype)

    U = made(0).transpose(-2, -1)
    if full_matrices and A.shape[-2] > A.shape[-1]:
        U = warpup.cat([U, qr(U, "complete")[0][..., A.shape[-1]:]], -1)
    return _Pair("linalg.svd", ("U", "S", "Vh"), U, made(1), made(2))


def old_svd(input, some=True, compute_uv=True):
    U, S, Vh = svd(input, not some)
    return _Pair("svd", ("U", "S", "V"), U, S, Vh.transpose(-2, -1))


def svdvals(A):
    return svd(A, False)[1]


def eigh(A, UPLO="L"):
    _square(A, "eigh")
    if A.requires_grad and warpup.is_grad_enabled():
        from warpup._decomposed import Eigh

        return _Pair("linalg.eigh", ("eigenvalues", "eigenvectors"), *Eigh.apply(A, UPLO, eigh))
    # Shifted until it has no negative eigenvalue, so that its singular values are its eigenvalues.
    A = A.detach()
    A = A.tril() + A.tril(-1).transpose(-2, -1) if UPLO == "L" else A.triu() + A.triu(1).transpose(-2, -1)
    wide = A.double()
    shift = wide.abs().sum(-1).amax(-1, keepdim=True)
    eye = warpup.eye(A.shape[-1], dtype=warpup.double, device=A.device)
    _, S, Vh = svd(wide + shift.unsqueeze(-1) * eye)
    values, vectors = (S - shift).flip(-1), Vh.flip(-2).transpose(-2, -1)
    return _Pair("linalg.eigh", ("eigenvalues", "eigenvectors"), values.to(A.dtype), vectors.to(A.dtype))


def eigvalsh(A, UPLO="L"):
    return eigh(A, UPLO)[0]


def pinv(A, rcond=None, *, atol=None, rtol=None, hermitian=False):
    U, S, Vh = svd(A, False)
    least = (max(A.shape[-2:]) * warpup.finfo(A.dtype).eps if rcond is None else rcond) * S[..., :1]
    inverse = warpup.where(S > least, 1.0 / S, warpup.zeros_like(S))
    return (Vh.transpose(-2, -1) * inverse.unsqueeze(-2)) @ U.transpose(-2, -1)


def matrix_rank(A, tol=None, hermitian=False, *, atol=None, rtol=None):
    S = svdvals(A.detach())
    least = S[..., :1] * (max(A.shape[-2:]) * warpup.finfo(A.dtype).eps) if tol is None else tol
    return (S > least).sum(-1)


@torch_function
def lstsq(A, B, rcond=None, *, driver=None):
    solution = solve(A.transpose(-2, -1) @ A, A.transpose(-2, -1) @ B)
    left = ((A @ solution - B) ** 2).sum(-2) if A.shape[-2] > A.shape[-1] else A.new_empty(0)
    fields = ("solution", "residuals", "rank", "singular_values")
    return _Pair("linalg.lstsq", fields, solution, left, matrix_rank(A), A.new_empty(0))


@torch_function
def matrix_power(A, n):
    _square(A, "matrix_power")
    if n < 0:
        return matrix_power(inv(A), -n)
    made = warpup.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    for bit in bin(n)[2:]:
        made = made @ made
        if bit == "1":
            made = made @ A
    return made.clone() if n == 0 else made


@torch_function
def matrix_exp(A):
    _square(A, "matrix_exp")
    size = float(A.detach().abs().sum(-1).max()) if A.numel() else 0.0
    halvings = max(0, math.ceil(math.log2(size)) + 2) if size > 0 else 0
    small = A / 2.0 ** halvings
    term = made = warpup.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    for at in range(1, 14):
        term = term @ small / at
        made = made + term
    for _ in range(halvings):
        made = made @ made
    return made


def multi_dot(tensors):
    made = tensors[0]
    for it in tensors[1:]:
        made = made @ it
    return made


def vecdot(x, y, *, dim=-1):
    return (x * y).sum(dim)


def cond(A, p=None):
    if p in (None, 2):
        S = svdvals(A)
        return S[..., 0] / S[..., -1]
    return warpup.linalg.norm(A, p) * warpup.linalg.norm(inv(A), p)


def inv_ex(A, *, check_errors=False):
    return _Pair("linalg.inv_ex", ("inverse", "info"), inv(A), warpup.zeros(A.shape[:-2], dtype=warpup.int32))


def lu(A, *, pivot=True):
    """P, L and U, with pivots by columns."""
    batch, rows = A.shape[:-2], A.detach().double().reshape(-1, *A.shape[-2:]).tolist()
    found = [_split(it) for it in rows]
    made = [
        warpup.tensor([it[part] for it in found], dtype=A.dtype, device=A.device) for part in range(3)
    ]
    return _Pair("linalg.lu", ("P", "L", "U"), *(it.reshape([*batch, *it.shape[1:]]) for it in made))


def _split(rows):
    height, width = len(rows), len(rows[0])
    least, order = min(height, width), list(range(height))
    lower = [[0.0] * least for _ in rows]
    for at in range(least):
        pivot = max(range(at, height), key=lambda row: abs(rows[row][at]))
        for it in (rows, order, lower):
            it[at], it[pivot] = it[pivot], it[at]
        lower[at][at] = 1.0
        for row in range(at + 1, height):
            factor = rows[row][at] / rows[at][at] if rows[at][at] else 0.0
            lower[row][at] = factor
            rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at])]
    upper = [[it if column >= row else 0.0 for column, it in enumerate(line)] for row, line in enumerate(rows[:least])]
    return [[float(order[b] == a) for b in range(height)] for a in range(height)], lower, upper


def tensorinv(A, ind=2):
    sizes = A.shape[ind:] + A.shape[:ind]
    count = math.prod(A.shape[ind:])
    return inv(A.reshape(-1, count)).reshape(sizes)


def tensorsolve(A, B, dims=None):
    if dims is not None:
        A = A.movedim(dims, tuple(range(A.dim() - len(dims), A.dim())))
    sizes = A.shape[B.dim():]
    return solve(A.reshape(B.numel(), -1), B.reshape(-1)).reshape(sizes)
