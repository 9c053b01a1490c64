"""torch.utils.swap_tensors. Loaded on first use."""


def swap_tensors(t1, t2):
    """Exchanges what two tensors are: values, gradients, classes and attributes."""
    if (t1.grad_fn is not None) or (t2.grad_fn is not None):
        raise RuntimeError("Expected tensors that are leaves: warpup cannot swap tensors with a history")
    wants, grads = (t1.requires_grad, t2.requires_grad), (t1.grad, t2.grad)
    t1.grad = t2.grad = None
    values = t1.data
    t1.data = t2.data
    t2.data = values
    t1.requires_grad, t2.requires_grad = reversed(wants)
    t2.grad, t1.grad = grads
    if type(t1) is not type(t2):
        t1.__class__, t2.__class__ = type(t2), type(t1)
    if hasattr(t1, "__dict__") and hasattr(t2, "__dict__"):
        own, other = dict(t1.__dict__), dict(t2.__dict__)
        t1.__dict__.clear(), t2.__dict__.clear()
        t1.__dict__.update(other)
        t2.__dict__.update(own)
