"""torch.utils.model_zoo: where `torch.hub` was before."""

from warpup import _names
from warpup.hub import load_state_dict_from_url

load_url = load_state_dict_from_url

__getattr__ = _names.getter("torch.utils.model_zoo", globals())
