"""What all distributions have, and how their parameters become tensors of one shape."""

import _warpup
import warpup
from warpup import Size, Tensor
from warpup.distributions import constraints


def broadcast_all(*values):
    """Numbers and tensors as tensors of one shape."""
    for it in values:
        if not isinstance(it, (Tensor, int, float)):
            raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.")
    like = next((it for it in values if isinstance(it, Tensor)), None)
    if like is None:
        made = [warpup.tensor(it, dtype=warpup.get_default_dtype()) for it in values]
    else:
        dtype = like.dtype if like.is_floating_point() else warpup.get_default_dtype()
        made = [
            it if isinstance(it, Tensor) else warpup.tensor(it, dtype=dtype, device=like.device) for it in values
        ]
    return warpup.broadcast_tensors(*made)


def shape_of(first, *values):
    """The shape of a batch: none where all parameters are numbers."""
    return Size() if all(not isinstance(it, Tensor) for it in values) else first.shape


def clamp_probs(probs):
    eps = warpup.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    clamped = clamp_probs(probs)
    return warpup.log(clamped) - warpup.log1p(-clamped) if is_binary else warpup.log(clamped)


def logits_to_probs(logits, is_binary=False):
    return warpup.sigmoid(logits) if is_binary else warpup.softmax(logits, dim=-1)


class lazy_property:
    """A property that is computed once."""

    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __get__(self, instance, kind=None):
        if instance is None:
            return self
        with warpup.enable_grad():
            value = self.wrapped(instance)
        instance.__dict__[self.wrapped.__name__] = value
        return value


class Distribution:
    has_rsample = False
    has_enumerate_support = False
    _validate_args = True

    @staticmethod
    def set_default_validate_args(value):
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape=Size(), event_shape=Size(), validate_args=None):
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                if constraint.is_dependent or name not in self.__dict__:
                    continue
                value = getattr(self, name)
                if not _warpup.may_hold(constraint.check(value).all()):
                    raise ValueError(
                        f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                        f"{self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                    )

    arg_constraints = {}
    batch_shape = property(lambda self: self._batch_shape)
    event_shape = property(lambda self: self._event_shape)

    @property
    def support(self):
        raise NotImplementedError

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=Size()):
        with warpup.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        return self.sample(Size((n,)))

    def rsample(self, sample_shape=Size()):
        raise NotImplementedError

    def log_prob(self, value):
        raise NotImplementedError

    def cdf(self, value):
        raise NotImplementedError

    def icdf(self, value):
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return warpup.exp(self.entropy())

    # The parameters that `expand` changes, each with the dimensions of the event that it has.
    _expanded = {}

    def expand(self, batch_shape, _instance=None):
        batch_shape = Size(batch_shape)
        made = self.__new__(type(self)) if _instance is None else _instance
        made.__dict__.update(self.__dict__)
        for name, rank in self._expanded.items():
            if name in self.__dict__:
                value = self.__dict__[name]
                made.__dict__[name] = value.expand(batch_shape + tuple(value.shape[value.dim() - rank:] if rank else ()))
        made._batch_shape = batch_shape
        return made

    def _extended_shape(self, sample_shape=Size()):
        return Size(tuple(sample_shape) + tuple(self._batch_shape) + tuple(self._event_shape))

    def _validate_sample(self, value):
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        rank = len(self._event_shape)
        if value.shape[value.dim() - rank:] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.shape} vs {self._event_shape}."
            )
        wanted = Size(tuple(self._batch_shape) + tuple(self._event_shape))
        for a, b in zip(reversed(value.shape), reversed(wanted)):
            if a != 1 and b != 1 and a != b:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {value.shape} vs {wanted}."
                )
        try:
            support = self.support
        except NotImplementedError:
            return
        if not _warpup.may_hold(support.check(value).all()):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support "
                f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _checked(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return value

    def __repr__(self):
        own = [(name, self.__dict__[name]) for name in self.arg_constraints if name in self.__dict__]
        shown = ", ".join(f"{name}: {it if it.numel() == 1 else it.shape}" for name, it in own)
        return f"{type(self).__name__}({shown})"
