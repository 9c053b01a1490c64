"""torch.utils, of which warpup has `data`."""

from warpup import _names
from warpup.utils import data


def __getattr__(name):
    raise _names.missing("torch.utils", name, globals())
