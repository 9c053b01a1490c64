"""torch.utils: what is beside the layers of a training program."""

from warpup import _names
from warpup.utils import data


__getattr__ = _names.getter(
    "torch.utils", globals(), {
        "warpup.utils.benchmark": "benchmark",
        "warpup.utils.checkpoint": "checkpoint",
        "warpup.utils.hooks": "hooks",
        "warpup.utils.model_zoo": "model_zoo",
        "warpup.utils._pytree": "_pytree",
        "warpup.utils._swap": "swap_tensors",
        "warpup.utils.tensorboard": "tensorboard",
    }
)
