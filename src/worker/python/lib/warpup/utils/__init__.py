"""torch.utils, of which warpup has `data`."""

from warpup import _names
from warpup.utils import data


__getattr__ = _names.getter("torch.utils", globals())
