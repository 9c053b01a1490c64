"""torch.backends: settings of the libraries below PyTorch. TF32 and the choice of attention have an effect on cards, and what
cuBLAS and cuDNN work in on the memory of modelled ones; the others are stored."""

import sys

import _cuda
import _precision

from warpup import _names


class _MatMul:
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    allow_fp16_accumulation = False

    @property
    def allow_tf32(self):
        return _precision.tf32()

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        _precision.set_tf32(bool(allowed))

    @property
    def fp32_precision(self):
        return "tf32" if _precision.tf32() else "none"

    @fp32_precision.setter
    def fp32_precision(self, precision):
        _precision.set_tf32(precision == "tf32")


def _enable_attention(backend):
    """Allows an implementation of attention, by its number in `SDPBackend`, or does not."""

    def enable(enabled):
        others = _precision.attention_backends() & ~(1 << backend)
        _precision.set_attention_backends(others | bool(enabled) << backend)

    return staticmethod(enable)


def _attention_enabled(backend):
    return staticmethod(lambda: bool(_precision.attention_backends() >> backend & 1))


def _workspace_size(is_lt, size):
    if size is not None:
        if size < 0:
            raise RuntimeError("workspace size must be non-negative")
        _cuda.set_blas_workspace(is_lt, size)
    return _cuda.blas_workspace(is_lt)


class cuda:
    matmul = _MatMul()

    @staticmethod
    def cublas_workspace_size(size=None):
        return _workspace_size(False, size)

    @staticmethod
    def cublaslt_workspace_size(size=None):
        return _workspace_size(True, size)

    @staticmethod
    def is_built():
        return True

    enable_math_sdp, enable_flash_sdp, enable_mem_efficient_sdp, enable_cudnn_sdp = map(_enable_attention, range(4))
    math_sdp_enabled, flash_sdp_enabled, mem_efficient_sdp_enabled, cudnn_sdp_enabled = map(_attention_enabled, range(4))


class _CuDNN(type(sys)):
    """There is no cuDNN here: of its settings, `allow_tf32` changes times, `enabled` and `benchmark` change memory, and the
    others are stored."""

    _enabled, _benchmark = True, False
    benchmark_limit = 10
    deterministic = False

    @staticmethod
    def is_available():
        return _cuda.has_card()

    @staticmethod
    def version():
        return 92600 if _cuda.has_card() else None

    @property
    def enabled(self):
        return self._enabled

    @enabled.setter
    def enabled(self, enabled):
        self._enabled = enabled
        _cuda.set_cudnn(bool(enabled), bool(self._benchmark))

    @property
    def benchmark(self):
        return self._benchmark

    @benchmark.setter
    def benchmark(self, benchmark):
        self._benchmark = benchmark
        _cuda.set_cudnn(bool(self._enabled), bool(benchmark))

    @property
    def allow_tf32(self):
        return _precision.cudnn_tf32()

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        _precision.set_cudnn_tf32(bool(allowed))

    def flags(self, enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True):
        return _Flags(self, dict(
            enabled=enabled, benchmark=benchmark, benchmark_limit=benchmark_limit, deterministic=deterministic,
            allow_tf32=allow_tf32,
        ))


class _Flags:
    """Settings for a block."""

    def __init__(self, of, flags):
        self.of, self.flags = of, flags

    def __enter__(self):
        self.before = {name: getattr(self.of, name) for name in self.flags}
        for name, value in self.flags.items():
            setattr(self.of, name, value)

    def __exit__(self, *args):
        for name, value in self.before.items():
            setattr(self.of, name, value)


cudnn = _CuDNN("torch.backends.cudnn")


class mps:
    """Apple's cards, never available."""

    @staticmethod
    def is_available():
        return False

    @staticmethod
    def is_built():
        return False

    @staticmethod
    def is_macos_or_newer(major, minor):
        return False


class mkl:
    """Intel's library, which computes nothing here."""

    @staticmethod
    def is_available():
        return False


mkldnn = openmp = mkl

__getattr__ = _names.getter("torch.backends", globals())
