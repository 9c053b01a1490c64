"""Distributions of real numbers."""

import math

import warpup
from warpup import Size
from warpup.distributions import constraints
from warpup.distributions._gamma import sample_dirichlet, sample_gamma
from warpup.distributions.distribution import Distribution, broadcast_all, shape_of


class _LocScale(Distribution):
    """With a location and a scale."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _expanded = {"loc": 0, "scale": 0}

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(shape_of(self.loc, loc, scale), validate_args=validate_args)

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)


class Normal(_LocScale):
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def sample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        with warpup.no_grad():
            return warpup.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        eps = warpup.randn(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + eps * self.scale

    def log_prob(self, value):
        self._checked(value)
        return -((value - self.loc) ** 2) / (2 * self.scale**2) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        self._checked(value)
        return 0.5 * (1 + warpup.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * warpup.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + warpup.log(self.scale)


class Laplace(_LocScale):
    variance = property(lambda self: 2 * self.scale.pow(2))
    stddev = property(lambda self: (2**0.5) * self.scale)

    def rsample(self, sample_shape=Size()):
        u = self.loc.new_empty(self._extended_shape(sample_shape))
        u = u.uniform_(warpup.finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * warpup.log1p(-u.abs())

    def log_prob(self, value):
        self._checked(value)
        return -warpup.log(2 * self.scale) - warpup.abs(value - self.loc) / self.scale

    def cdf(self, value):
        self._checked(value)
        far = value - self.loc
        return 0.5 - 0.5 * far.sign() * warpup.expm1(-far.abs() / self.scale)

    def icdf(self, value):
        term = value - 0.5
        return self.loc - self.scale * term.sign() * warpup.log1p(-2 * term.abs())

    def entropy(self):
        return 1 + warpup.log(2 * self.scale)


class Cauchy(_LocScale):
    @property
    def mean(self):
        return warpup.full_like(self.loc, math.nan)

    @property
    def variance(self):
        return warpup.full_like(self.loc, math.inf)

    def rsample(self, sample_shape=Size()):
        eps = self.loc.new_empty(self._extended_shape(sample_shape)).cauchy_()
        return self.loc + eps * self.scale

    def log_prob(self, value):
        self._checked(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def cdf(self, value):
        self._checked(value)
        return warpup.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return warpup.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class Uniform(Distribution):
    has_rsample = True
    _expanded = {"low": 0, "high": 0}

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(shape_of(self.low, low, high), validate_args=validate_args)

    @property
    def arg_constraints(self):
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    support = property(lambda self: constraints.interval(self.low, self.high))
    mean = property(lambda self: (self.high + self.low) / 2)
    stddev = property(lambda self: (self.high - self.low) / 12**0.5)
    variance = property(lambda self: (self.high - self.low).pow(2) / 12)

    def rsample(self, sample_shape=Size()):
        drawn = warpup.rand(self._extended_shape(sample_shape), dtype=self.low.dtype, device=self.low.device)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        self._checked(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return warpup.log(inside) - warpup.log(self.high - self.low)

    def cdf(self, value):
        self._checked(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return warpup.log(self.high - self.low)


class Exponential(Distribution):
    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _expanded = {"rate": 0}

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_all(rate)
        super().__init__(shape_of(self.rate, rate), validate_args=validate_args)

    mean = property(lambda self: self.rate.reciprocal())
    mode = property(lambda self: warpup.zeros_like(self.rate))
    stddev = property(lambda self: self.rate.reciprocal())
    variance = property(lambda self: self.rate.pow(-2))

    def rsample(self, sample_shape=Size()):
        return self.rate.new_empty(self._extended_shape(sample_shape)).exponential_() / self.rate

    def log_prob(self, value):
        self._checked(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        self._checked(value)
        return 1 - warpup.exp(-self.rate * value)

    def icdf(self, value):
        return -warpup.log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - warpup.log(self.rate)


class Gamma(Distribution):
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _expanded = {"concentration": 0, "rate": 0}

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(shape_of(self.rate, concentration, rate), validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: ((self.concentration - 1) / self.rate).clamp(min=0))
    variance = property(lambda self: self.concentration / self.rate.pow(2))

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        value = sample_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        return value.clamp(min=warpup.finfo(value.dtype).tiny)

    def log_prob(self, value):
        value = warpup.as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        self._checked(value)
        alpha = self.concentration
        return (
            warpup.xlogy(alpha, self.rate) + warpup.xlogy(alpha - 1, value) - self.rate * value - warpup.lgamma(alpha)
        )

    def entropy(self):
        alpha = self.concentration
        return alpha - warpup.log(self.rate) + warpup.lgamma(alpha) + (1.0 - alpha) * warpup.digamma(alpha)


class Chi2(Gamma):
    arg_constraints = {"df": constraints.positive}

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    df = property(lambda self: self.concentration * 2)


class StudentT(Distribution):
    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _expanded = {"df": 0, "loc": 0, "scale": 0}

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.shape, validate_args=validate_args)

    @property
    def mean(self):
        return warpup.where(self.df > 1, self.loc, math.nan)

    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        found = self.scale.pow(2) * self.df / (self.df - 2)
        return warpup.where(self.df > 2, found, warpup.where(self.df > 1, math.inf, math.nan).to(found.dtype))

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        drawn = warpup.randn(shape, dtype=self.df.dtype, device=self.df.device)
        spread = Chi2(self.df.expand(self._batch_shape)).rsample(sample_shape)
        return self.loc + self.scale * (drawn * warpup.rsqrt(spread / self.df))

    def log_prob(self, value):
        self._checked(value)
        y = (value - self.loc) / self.scale
        df = self.df
        Z = (
            self.scale.log() + 0.5 * df.log() + 0.5 * math.log(math.pi) + warpup.lgamma(0.5 * df)
            - warpup.lgamma(0.5 * (df + 1.0))
        )
        return -0.5 * (df + 1.0) * warpup.log1p(y**2.0 / df) - Z


class Dirichlet(Distribution):
    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True
    _expanded = {"concentration": 1}

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @property
    def mode(self):
        less = (self.concentration - 1).clamp(min=0.0)
        mode = less / less.sum(-1, True)
        is_edge = (self.concentration < 1).all(dim=-1)
        if bool(is_edge.any()):
            corner = warpup.nn.functional.one_hot(mode[is_edge].argmax(dim=-1), less.shape[-1]).to(mode)
            mode[is_edge] = corner
        return mode

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=Size()):
        return sample_dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        self._checked(value)
        alpha = self.concentration
        return (
            warpup.xlogy(alpha - 1.0, value).sum(-1) + warpup.lgamma(alpha.sum(-1)) - warpup.lgamma(alpha).sum(-1)
        )

    def entropy(self):
        alpha, size = self.concentration, self.concentration.shape[-1]
        total = alpha.sum(-1)
        return (
            warpup.lgamma(alpha).sum(-1) - warpup.lgamma(total) - (size - total) * warpup.digamma(total)
            - ((alpha - 1.0) * warpup.digamma(alpha)).sum(-1)
        )


class Beta(Distribution):
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        one, zero = broadcast_all(concentration1, concentration0)
        self._dirichlet = Dirichlet(warpup.stack([one, zero], -1), validate_args=validate_args)
        super().__init__(shape_of(one, concentration1, concentration0), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        made._dirichlet = self._dirichlet.expand(batch_shape)
        return made

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode = property(lambda self: self._dirichlet.mode[..., 0])

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value):
        self._checked(value)
        return self._dirichlet.log_prob(warpup.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()
