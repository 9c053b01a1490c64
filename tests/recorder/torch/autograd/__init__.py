from torch.autograd import profiler  # noqa: F401


def backward(loss):
    if loss is None:
        raise RuntimeError("no loss")
