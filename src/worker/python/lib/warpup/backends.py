"""torch.backends: what can be switched in the libraries beneath. Of all of it, TF32 changes something here."""

import _layers
import _warpup

from warpup import _names


class _MatMul:
    @property
    def allow_tf32(self):
        return _layers.tf32()

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        _layers.set_tf32(bool(allowed))


class cuda:
    matmul = _MatMul()

    @staticmethod
    def is_built():
        return True


class cudnn:
    """There is no cuDNN here; what is set is kept, and changes nothing."""

    enabled = True
    allow_tf32 = True
    benchmark = False
    deterministic = False

    @staticmethod
    def is_available():
        return _warpup.has_card()

    @staticmethod
    def version():
        return 92600 if _warpup.has_card() else None


def __getattr__(name):
    raise _names.missing("torch.backends", name, globals())
