"""The gradients of decompositions, whose functions for the values they are given. Loaded on first use."""

import warpup
from warpup.autograd.function import Function, once_differentiable


def _gaps(values):
    """The differences of all pairs, with 1 on the diagonal, by which gradients of vectors are divided."""
    gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
    return gaps + warpup.eye(values.shape[-1], dtype=values.dtype, device=values.device)


class Eigh(Function):
    _node_name = "LinalgEighBackward0"

    @staticmethod
    def forward(ctx, A, uplo, eigh):
        values, vectors = eigh(A.detach(), uplo)
        ctx.save_for_backward(values, vectors)
        return values, vectors

    @staticmethod
    @once_differentiable
    def backward(ctx, of_values, of_vectors):
        values, vectors = ctx.saved_tensors
        turned = vectors.mT @ of_vectors
        turned = (turned - turned.mT) / (2 * _gaps(values))
        turned = turned - warpup.diag_embed(turned.diagonal(0, -2, -1)) + warpup.diag_embed(of_values)
        return vectors @ turned @ vectors.mT, None, None


class Svd(Function):
    _node_name = "LinalgSvdBackward0"

    @staticmethod
    def forward(ctx, A, svd):
        U, S, Vh = svd(A.detach(), False)
        ctx.save_for_backward(U, S, Vh)
        return U, S, Vh

    @staticmethod
    @once_differentiable
    def backward(ctx, of_U, of_S, of_Vh):
        U, S, Vh = ctx.saved_tensors
        V, of_V = Vh.mT, of_Vh.mT
        gaps = _gaps(S * S)

        def turned(own, grad):
            found = own.mT @ grad
            return (found - found.mT) / gaps

        middle = turned(U, of_U) * S.unsqueeze(-2) + S.unsqueeze(-1) * turned(V, of_V) + warpup.diag_embed(of_S)
        found = U @ middle @ Vh
        # What of the gradients is beside the space of a tall or wide matrix.
        if U.shape[-2] > U.shape[-1]:
            found = found + (of_U - U @ (U.mT @ of_U)) / S.unsqueeze(-2) @ Vh
        if V.shape[-2] > V.shape[-1]:
            found = found + U / S.unsqueeze(-2) @ (of_V - V @ (V.mT @ of_V)).mT
        return found, None
