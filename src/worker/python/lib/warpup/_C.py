"""The few names of `torch._C` that programs use. It has the workspaces of cuBLAS as they are in `torch.backends.cuda`."""

from warpup import backends


def _cuda_clearCublasWorkspaces():
    """Frees the workspaces that are kept. PyTorch keeps none since 2.15: each product allocates its own."""


_cuda_getCublasWorkspaceSize = backends.cuda.cublas_workspace_size
_cuda_getCublasLtWorkspaceSize = backends.cuda.cublaslt_workspace_size
_cuda_setCublasWorkspaceSize = backends.cuda.cublas_workspace_size
_cuda_setCublasLtWorkspaceSize = backends.cuda.cublaslt_workspace_size
