"""torch.cuda.FloatTensor and the like. Loaded on first use."""

from warpup import _legacy

globals().update({name: _legacy.kind(name, is_cuda=True) for name in _legacy.KINDS})
