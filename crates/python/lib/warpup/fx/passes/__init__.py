"""torch.fx.passes: what programs do with graphs. Here is the propagation of shapes."""

from warpup import _names

__getattr__ = _names.getter("torch.fx.passes", globals(), {"warpup.fx.passes.shape_prop": "shape_prop"})
