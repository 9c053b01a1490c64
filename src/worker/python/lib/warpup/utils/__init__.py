"""torch.utils: of its parts, `data` is here."""

from warpup import _names
from warpup.utils import data


def __getattr__(name):
    raise _names.missing("torch.utils", name, globals())
