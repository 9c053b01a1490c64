"""torch.sparse: products whose first factor may be sparse in PyTorch. Here, tensors are dense."""

import warpup
from warpup import _names


def mm(mat1, mat2, reduce=None):
    return warpup.mm(mat1, mat2)


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    return warpup.addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


__getattr__ = _names.getter("torch.sparse", globals())
