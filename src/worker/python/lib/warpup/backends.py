"""torch.backends: settings of the libraries below PyTorch. Here, only TF32 has an effect."""

import _cuda
import _precision

from warpup import _names


class _MatMul:
    @property
    def allow_tf32(self):
        return _precision.tf32()

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        _precision.set_tf32(bool(allowed))


class cuda:
    matmul = _MatMul()

    @staticmethod
    def is_built():
        return True


class cudnn:
    """There is no cuDNN here: settings are stored and have no effect."""

    enabled = True
    allow_tf32 = True
    benchmark = False
    deterministic = False

    @staticmethod
    def is_available():
        return _cuda.has_card()

    @staticmethod
    def version():
        return 92600 if _cuda.has_card() else None


__getattr__ = _names.getter("torch.backends", globals())
