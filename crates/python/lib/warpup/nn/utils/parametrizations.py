"""torch.nn.utils.parametrizations: weights by direction and length, by their largest stretch, and orthogonal ones. Loaded
on first use."""

import warpup
from warpup import Tensor, _names
from warpup.nn import Module
from warpup.nn import functional as F
from warpup.nn.utils import _norms, parametrize


def _weight_of(module, name):
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return _norms.with_length(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return _norms.length(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename(state_dict, prefix, *facts):
        old = [f"{prefix}{name}_{end}" for end in "gv"]
        if all(it in state_dict for it in old):
            for at, it in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{at}"] = state_dict.pop(it)

    module._register_load_state_dict_pre_hook(rename)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        rank = weight.dim()
        if dim >= rank or dim < -rank:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{rank}, {rank - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % rank
        self.eps = eps
        if rank > 1:
            self.n_power_iterations = n_power_iterations
            matrix = _norms.as_matrix(weight.detach(), self.dim)
            rows, columns = matrix.shape
            u, v = (matrix.new_empty(size).normal_(0, 1) for size in (rows, columns))
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _power_method(self, matrix, steps):
        with warpup.no_grad():
            for _ in range(steps):
                self._u.copy_(F.normalize(warpup.mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(warpup.mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = _norms.as_matrix(weight, self.dim)
        if self.training:
            self._power_method(matrix.detach(), self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / warpup.dot(u, warpup.mv(matrix, v))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = _weight_of(module, name)
    dim = _norms.default_dim(module) if dim is None else dim
    norm = _SpectralNorm(weight, n_power_iterations, dim, eps)
    return parametrize.register_parametrization(module, name, norm)


def _is_orthogonal(Q):
    rows, columns = Q.shape[-2:]
    one = warpup.eye(columns, dtype=Q.dtype, device=Q.device)
    return warpup.allclose(Q.mT @ Q, one, atol=10.0 * rows * warpup.finfo(Q.dtype).eps)


def _make_orthogonal(A):
    Q, R = warpup.linalg.qr(A)
    return Q * R.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)


def _reflections(A, tau, columns):
    """The first columns of the product of Householder reflections, whose vectors are below the diagonal of A."""
    rows = A.shape[-2]
    Q = warpup.eye(rows, columns, dtype=A.dtype, device=A.device).expand(*A.shape[:-2], rows, columns)
    for at in reversed(range(columns)):
        below = A[..., at + 1:, at]
        v = warpup.cat([A.new_zeros(*A.shape[:-2], at), A.new_ones(*A.shape[:-2], 1), below], -1).unsqueeze(-1)
        Q = Q - tau[..., at:at + 1].unsqueeze(-1) * v * (v.mT @ Q)
    return Q


class _Orthogonal(Module):
    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X):
        transposed = X.shape[-2] < X.shape[-1]
        X = X.mT if transposed else X
        rows, columns = X.shape[-2:]
        if self.orthogonal_map == "householder":
            A = X.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (A * A).sum(dim=-2))
            Q = _reflections(A, tau, columns)
            Q = Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            X = X.tril()
            if rows != columns:
                X = warpup.cat([X, X.new_zeros(*X.shape[:-1], rows - columns)], dim=-1)
            A = X - X.mT
            if self.orthogonal_map == "matrix_exp":
                Q = warpup.matrix_exp(A)
            else:
                one = warpup.eye(rows, dtype=A.dtype, device=A.device)
                Q = warpup.linalg.solve(one - 0.5 * A, one + 0.5 * A)
            if rows != columns:
                Q = Q[..., :columns]
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if transposed else Q

    def right_inverse(self, Q):
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        if not hasattr(self, "base"):
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                "use_trivialization=False."
            )
        first = Q
        with warpup.no_grad():
            Q = Q.mT if Q.shape[-2] < Q.shape[-1] else Q
            rows, columns = Q.shape[-2:]
            if rows == columns:
                Q = Q.clone() if _is_orthogonal(Q) else _make_orthogonal(Q)
            else:
                more = warpup.randn(*Q.shape[:-1], rows - columns, dtype=Q.dtype, device=Q.device)
                Q = _make_orthogonal(warpup.cat([Q, more], dim=-1))
            self.base = Q
            one = warpup.eye(*first.shape[-2:], dtype=Q.dtype, device=Q.device)
            return (-one).expand(first.shape).contiguous()


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    weight = _weight_of(module, name)
    if weight.dim() < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, made, unsafe=True)


__getattr__ = _names.getter("torch.nn.utils.parametrizations", globals())
