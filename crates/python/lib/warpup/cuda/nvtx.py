"""torch.cuda.nvtx: marks for NVIDIA's profilers, of which there is none here. They are taken and do nothing."""

from warpup import _names


def range_push(msg):
    range_push.depth = getattr(range_push, "depth", 0) + 1
    return range_push.depth - 1


def range_pop():
    range_push.depth = max(getattr(range_push, "depth", 0) - 1, 0)
    return range_push.depth


def range_start(msg):
    return 0


def range_end(range_id):
    pass


def mark(msg):
    pass


class range:
    """Marks a block."""

    def __init__(self, msg, *args, **kwargs):
        self.msg = msg.format(*args, **kwargs)

    def __enter__(self):
        range_push(self.msg)

    def __exit__(self, *args):
        range_pop()
        return False


__getattr__ = _names.getter("torch.cuda.nvtx", globals())
