"""Distributions of whole numbers and classes."""

import math

import warpup
from warpup import Size
from warpup.distributions import constraints
from warpup.distributions._gamma import sample_binomial
from warpup.distributions.distribution import (
    Distribution, broadcast_all, lazy_property, logits_to_probs, probs_to_logits, shape_of,
)
from warpup.nn import functional as F


def _check_one(probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class _ByProbability(Distribution):
    """With `probs` or `logits`; the other is computed when it is asked for."""

    _binary = True
    has_enumerate_support = True
    _expanded = {"probs": 0, "logits": 0}

    def _take(self, probs, logits):
        _check_one(probs, logits)
        if probs is not None:
            (self.probs,) = broadcast_all(probs)
        else:
            (self.logits,) = broadcast_all(logits)
        return shape_of(self._param, probs if logits is None else logits)

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=self._binary)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=self._binary)

    @property
    def _param(self):
        return self.__dict__["probs"] if "probs" in self.__dict__ else self.logits

    param_shape = property(lambda self: self._param.shape)


class Bernoulli(_ByProbability):
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.boolean

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits), validate_args=validate_args)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self):
        mode = (self.probs >= 0.5).to(self.probs)
        return mode.masked_fill(self.probs == 0.5, math.nan)

    def sample(self, sample_shape=Size()):
        with warpup.no_grad():
            return warpup.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        values = warpup.arange(2, dtype=self._param.dtype, device=self._param.device)
        values = values.reshape([-1] + [1] * len(self._batch_shape))
        return values.expand((-1,) + tuple(self._batch_shape)) if expand else values


class Geometric(_ByProbability):
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits), validate_args=validate_args)

    mean = property(lambda self: 1.0 / self.probs - 1.0)
    mode = property(lambda self: warpup.zeros_like(self.probs))
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape=Size()):
        with warpup.no_grad():
            tiny = warpup.finfo(self.probs.dtype).tiny
            u = self.probs.new_empty(self._extended_shape(sample_shape)).uniform_(tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        self._checked(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.masked_fill((probs == 1) & (value == 0), 0)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


class Categorical(_ByProbability):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    _binary = False
    _expanded = {"probs": 1, "logits": 1}

    def __init__(self, probs=None, logits=None, validate_args=None):
        _check_one(probs, logits)
        for name, it in (("probs", probs), ("logits", logits)):
            if it is not None and it.dim() < 1:
                raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = self._param.shape[-1]
        super().__init__(self._param.shape[:-1], validate_args=validate_args)

    support = property(lambda self: constraints.integer_interval(0, self._num_events - 1))
    mode = property(lambda self: self.probs.argmax(dim=-1))

    @property
    def mean(self):
        return warpup.full(self._extended_shape(), math.nan, dtype=self.probs.dtype, device=self.probs.device)

    variance = mean

    def sample(self, sample_shape=Size()):
        sample_shape = Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        drawn = warpup.multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        self._checked(value)
        value = value.long().unsqueeze(-1)
        value, logits = warpup.broadcast_tensors(value, self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = self.logits.clamp(min=warpup.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        values = warpup.arange(self._num_events, dtype=warpup.long, device=self._param.device)
        values = values.reshape([-1] + [1] * len(self._batch_shape))
        return values.expand((-1,) + tuple(self._batch_shape)) if expand else values


class OneHotCategorical(Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(self._categorical.batch_shape, shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        made._categorical = self._categorical.expand(batch_shape)
        return made

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    mean = property(lambda self: self._categorical.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))
    param_shape = property(lambda self: self._categorical.param_shape)

    @property
    def mode(self):
        return F.one_hot(self.probs.argmax(dim=-1), self.event_shape[-1]).to(self.probs.dtype)

    def sample(self, sample_shape=Size()):
        drawn = self._categorical.sample(sample_shape)
        return F.one_hot(drawn, self._categorical._num_events).to(self.probs)

    def log_prob(self, value):
        self._checked(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        count = self.event_shape[0]
        values = warpup.eye(count, dtype=self.probs.dtype, device=self.probs.device)
        values = values.reshape([count] + [1] * len(self.batch_shape) + [count])
        return values.expand((count,) + tuple(self.batch_shape) + (count,)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """Its samples have the gradient of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape=Size()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Poisson(Distribution):
    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    _expanded = {"rate": 0}

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_all(rate)
        super().__init__(shape_of(self.rate, rate), validate_args=validate_args)

    mean = property(lambda self: self.rate)
    mode = property(lambda self: self.rate.floor())
    variance = property(lambda self: self.rate)

    def sample(self, sample_shape=Size()):
        with warpup.no_grad():
            return warpup.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        self._checked(value)
        rate, value = broadcast_all(self.rate, value)
        return warpup.xlogy(value, rate) - rate - (value + 1).lgamma()


class Binomial(_ByProbability):
    arg_constraints = {
        "total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real,
    }
    _expanded = {"total_count": 0, "probs": 0, "logits": 0}

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        _check_one(probs, logits)
        if probs is not None:
            self.total_count, self.probs = broadcast_all(total_count, probs)
        else:
            self.total_count, self.logits = broadcast_all(total_count, logits)
        self.total_count = self.total_count.type_as(self._param)
        super().__init__(self._param.shape, validate_args=validate_args)

    support = property(lambda self: constraints.integer_interval(0, self.total_count))
    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        with warpup.no_grad():
            return sample_binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        self._checked(value)
        count, logits = self.total_count, self.logits
        above = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        normalizer = (
            count * above + count * warpup.log1p(warpup.exp(-warpup.abs(logits))) - warpup.lgamma(count + 1)
        )
        return value * logits - warpup.lgamma(value + 1) - warpup.lgamma(count - value + 1) - normalizer

    def entropy(self):
        log_prob = self.log_prob(self._values("entropy", False))
        return -(warpup.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        return self._values("enumerate_support", expand)

    def _values(self, name, expand):
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{name}`.")
        values = warpup.arange(1 + count, dtype=self._param.dtype, device=self._param.device)
        values = values.reshape([-1] + [1] * len(self._batch_shape))
        return values.expand((-1,) + tuple(self._batch_shape)) if expand else values


class Multinomial(Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        super().__init__(
            self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args
        )

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        made._categorical = self._categorical.expand(batch_shape)
        return made

    support = property(lambda self: constraints.multinomial(self.total_count))
    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=Size()):
        drawn = self._categorical.sample(Size((self.total_count,) + tuple(sample_shape)))
        drawn = drawn.movedim(0, -1)
        counts = drawn.new_zeros(self._extended_shape(sample_shape))
        return counts.scatter_add(-1, drawn, warpup.ones_like(drawn)).type_as(self.probs)

    def log_prob(self, value):
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -math.inf), 0)
        factorials = warpup.lgamma(value.sum(-1) + 1) - warpup.lgamma(value + 1).sum(-1)
        return factorials + (logits * value).sum(-1)

    def entropy(self):
        count = warpup.tensor(self.total_count, dtype=self.probs.dtype, device=self.probs.device)
        counts = Binomial(self.total_count, probs=self.probs)
        support = counts.enumerate_support(expand=False)[1:]
        weighted = (warpup.exp(counts.log_prob(support)) * warpup.lgamma(support + 1)).sum([0, -1])
        return count * self._categorical.entropy() - warpup.lgamma(count + 1) + weighted
