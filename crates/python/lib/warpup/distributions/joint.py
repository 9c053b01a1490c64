"""Distributions that are made of others, and the normal one of several dimensions."""

import math

import warpup
from warpup import Size
from warpup.distributions import constraints
from warpup.distributions.continuous import Normal, Uniform
from warpup.distributions.discrete import Categorical
from warpup.distributions.distribution import Distribution, broadcast_all, lazy_property, shape_of
from warpup.distributions.transforms import (
    AbsTransform, AffineTransform, ComposeTransform, ExpTransform, Transform, sum_rightmost,
)


class Independent(Distribution):
    """Makes dimensions of the batch dimensions of the event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = base_distribution.batch_shape
        if reinterpreted_batch_ndims > len(shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(shape)}"
            )
        at = len(shape) - reinterpreted_batch_ndims
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        event_shape = tuple(shape[at:]) + tuple(base_distribution.event_shape)
        super().__init__(shape[:at], event_shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        inner = tuple(self.event_shape[:self.reinterpreted_batch_ndims])
        made.base_dist = self.base_dist.expand(tuple(batch_shape) + inner)
        return made

    has_rsample = property(lambda self: self.base_dist.has_rsample)
    has_enumerate_support = property(lambda self: self.base_dist.has_enumerate_support)
    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    @property
    def support(self):
        count = self.reinterpreted_batch_ndims
        return constraints.independent(self.base_dist.support, count) if count else self.base_dist.support

    def sample(self, sample_shape=Size()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=Size()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        if isinstance(transforms, Transform):
            self.transforms = [transforms]
        elif isinstance(transforms, list):
            if not all(isinstance(it, Transform) for it in transforms):
                raise ValueError("transforms must be a Transform or a list of Transforms")
            self.transforms = transforms
        else:
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        whole = ComposeTransform(self.transforms)
        shape = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        rank = len(base_distribution.event_shape)
        if whole.domain.event_dim > rank:
            base_distribution = Independent(base_distribution, whole.domain.event_dim - rank)
        self.base_dist = base_distribution
        at = len(shape) - max(whole.codomain.event_dim, rank)
        super().__init__(shape[:at], shape[at:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        made.base_dist = self.base_dist.expand(batch_shape)
        return made

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @property
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        extra = len(self.event_shape) - found.event_dim
        return constraints.independent(found, extra) if extra > 0 else found

    def sample(self, sample_shape=Size()):
        with warpup.no_grad():
            return self._sent(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=Size()):
        return self._sent(self.base_dist.rsample(sample_shape))

    def _sent(self, value):
        for it in self.transforms:
            value = it(value)
        return value

    def log_prob(self, value):
        self._checked(value)
        rank, total, y = len(self.event_shape), 0.0, value
        for it in reversed(self.transforms):
            x = it.inv(y)
            rank += it.domain.event_dim - it.codomain.event_dim
            total = total - sum_rightmost(it.log_abs_det_jacobian(x, y), rank - it.domain.event_dim)
            y = x
        return total + sum_rightmost(self.base_dist.log_prob(y), rank - len(self.base_dist.event_shape))

    def _ordered(self, value):
        sign = 1
        for it in self.transforms:
            sign = sign * it.sign
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for it in reversed(self.transforms):
            value = it.inv(value)
        return self._ordered(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._sent(self.base_dist.icdf(self._ordered(value)))


class LogNormal(TransformedDistribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: (self.loc + self.scale.pow(2) / 2).exp())
    mode = property(lambda self: (self.loc - self.scale.square()).exp())

    @property
    def variance(self):
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class HalfNormal(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative

    def __init__(self, scale, validate_args=None):
        super().__init__(Normal(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    mode = property(lambda self: warpup.zeros_like(self.scale))
    variance = property(lambda self: self.scale.pow(2) * (1 - 2 / math.pi))

    def log_prob(self, value):
        self._checked(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return warpup.where(value >= 0, found, -math.inf)

    def cdf(self, value):
        self._checked(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob):
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class Gumbel(TransformedDistribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    _expanded = {"loc": 0, "scale": 0}

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = warpup.finfo(self.loc.dtype)
        low, high = limits.tiny, 1 - limits.eps
        if shape_of(self.loc, loc, scale) or self.loc.dim():
            low, high = warpup.full_like(self.loc, low), warpup.full_like(self.loc, high)
        steps = [
            ExpTransform().inv, AffineTransform(loc=0, scale=-warpup.ones_like(self.scale)), ExpTransform().inv,
            AffineTransform(loc=loc, scale=-self.scale),
        ]
        super().__init__(Uniform(low, high, validate_args=validate_args), steps, validate_args=validate_args)

    mean = property(lambda self: self.loc + self.scale * 0.57721566490153286060)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: math.pi / math.sqrt(6) * self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def log_prob(self, value):
        self._checked(value)
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    def entropy(self):
        return self.scale.log() + (1 + 0.57721566490153286060)


_FORMS = ("covariance_matrix", "scale_tril", "precision_matrix")


class MultivariateNormal(Distribution):
    arg_constraints = {
        "loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True
    _expanded = {"loc": 1, "covariance_matrix": 2, "precision_matrix": 2, "scale_tril": 2}

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = dict(zip(_FORMS, (covariance_matrix, scale_tril, precision_matrix)))
        given = {name: it for name, it in given.items() if it is not None}
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        (name, matrix), = given.items()
        if matrix.dim() < 2:
            what = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(f"{what} must be at least two-dimensional, with optional leading batch dimensions")
        batch_shape = warpup.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self.__dict__[name] = matrix.expand(tuple(batch_shape) + (-1, -1))
        self.loc = loc.expand(tuple(batch_shape) + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "scale_tril":
            self._lower = matrix
        elif name == "covariance_matrix":
            self._lower = warpup.linalg.cholesky(matrix)
        else:
            flipped = warpup.linalg.cholesky(matrix.flip(-2, -1)).flip(-2, -1).mT
            one = warpup.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
            self._lower = warpup.linalg.solve_triangular(flipped, one, upper=False)

    def _whole(self, matrix):
        return matrix.expand(tuple(self._batch_shape) + tuple(self._event_shape) * 2)

    @lazy_property
    def scale_tril(self):
        return self._whole(self._lower)

    @lazy_property
    def covariance_matrix(self):
        return self._whole(self._lower @ self._lower.mT)

    @lazy_property
    def precision_matrix(self):
        return self._whole(warpup.linalg.inv(self._lower @ self._lower.mT))

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        return self._lower.pow(2).sum(-1).expand(tuple(self._batch_shape) + tuple(self._event_shape))

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        eps = warpup.randn(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + (self._lower @ eps.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        self._checked(value)
        far = (value - self.loc).unsqueeze(-1)
        lower = self._lower.expand(tuple(far.shape[:-2]) + tuple(self._lower.shape[-2:]))
        M = warpup.linalg.solve_triangular(lower, far, upper=False).squeeze(-1).pow(2).sum(-1)
        half_log_det = self._lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + M) - half_log_det

    def entropy(self):
        half_log_det = self._lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        found = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half_log_det
        return found.expand(self._batch_shape) if self._batch_shape else found


class MixtureSameFamily(Distribution):
    has_rsample = False

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of torch.distributions.Distribution"
            )
        count, own = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if count != own:
            raise ValueError(
                f"`mixture_distribution component` ({count}) does not equal `component_distribution.batch_shape[-1]` ({own})"
            )
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        self._num_component = count
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(
            component_distribution.batch_shape[:-1], component_distribution.event_shape, validate_args=validate_args
        )

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)
    support = property(lambda self: self._component_distribution.support)

    def _probs(self):
        probs = self._mixture_distribution.probs
        return probs.reshape(tuple(probs.shape) + (1,) * self._event_ndims)

    @property
    def mean(self):
        return (self._probs() * self._component_distribution.mean).sum(-1 - self._event_ndims)

    @property
    def variance(self):
        at, probs, parts = -1 - self._event_ndims, self._probs(), self._component_distribution
        spread = (probs * (parts.mean - self.mean.unsqueeze(at)).pow(2.0)).sum(at)
        return (probs * parts.variance).sum(at) + spread

    def log_prob(self, x):
        self._checked(x)
        found = self._component_distribution.log_prob(x.unsqueeze(-1 - self._event_ndims))
        return warpup.logsumexp(found + warpup.log_softmax(self._mixture_distribution.logits, dim=-1), dim=-1)

    def sample(self, sample_shape=Size()):
        with warpup.no_grad():
            at = len(tuple(sample_shape)) + len(self.batch_shape)
            chosen = self._mixture_distribution.sample(sample_shape)
            drawn = self._component_distribution.sample(sample_shape)
            index = chosen.reshape(tuple(chosen.shape) + (1,) * (self._event_ndims + 1))
            index = index.expand(tuple(chosen.shape) + (1,) + tuple(self._event_shape))
            return drawn.gather(at, index).squeeze(at)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self._mixture_distribution}, {self._component_distribution})"
