"""The few names of `torch._C` that programs use. It has the workspaces of cuBLAS as they are in `torch.backends.cuda`."""

import _cuda

from warpup import backends

# PyTorch 2.15 keeps workspaces only with TORCH_CUBLAS_WORKSPACE_CACHE=1.
_cuda_clearCublasWorkspaces = _cuda.clear_workspaces

_cuda_getCublasWorkspaceSize = backends.cuda.cublas_workspace_size
_cuda_getCublasLtWorkspaceSize = backends.cuda.cublaslt_workspace_size
_cuda_setCublasWorkspaceSize = backends.cuda.cublas_workspace_size
_cuda_setCublasLtWorkspaceSize = backends.cuda.cublaslt_workspace_size
