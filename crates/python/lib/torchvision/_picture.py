"""The stand-in for a PIL image: what a dataset gives without a transform."""


class Picture:
    """A picture of bytes, height x width x channels; a transform or numpy.array reads it."""

    def __init__(self, values):
        self.values = values

    @property
    def mode(self):
        return "L" if self.values.shape[-1] == 1 else "RGB"

    @property
    def size(self):
        """Width and height, as PIL has it."""
        return self.values.shape[1], self.values.shape[0]

    width = property(lambda self: self.size[0])
    height = property(lambda self: self.size[1])

    def getbands(self):
        return tuple(self.mode)

    def __array__(self, dtype=None, copy=None):
        values = self.values[:, :, 0] if self.mode == "L" else self.values
        array = values.clone().numpy()
        return array if dtype is None else array.astype(dtype)

    def __repr__(self):
        return f"<synthetic picture mode={self.mode} size={self.size[0]}x{self.size[1]}>"

    def show(self, *args, **kwargs):
        raise NotImplementedError("a lab shows no pictures: print numbers, or plot them with lab.plot(x, series)")

    save = show
