"""What torch has for NumPy. Loaded on first use."""


def from_numpy(ndarray):
    """The tensor of an array, which shares its memory."""
    kind = type(ndarray)
    if kind.__module__ != "numpy" or kind.__name__ != "ndarray":
        name = f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__
        raise TypeError(f"expected np.ndarray (got {name})")
    return ndarray._t.detach()
