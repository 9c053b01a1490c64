"""torch.distributions.transforms: functions with an inverse, and how they change volumes."""

import math

import warpup
from warpup import _names
from warpup.distributions import constraints
from warpup.nn import functional as F


def sum_rightmost(value, dim):
    if dim == 0:
        return value
    return value.reshape(tuple(value.shape[:value.dim() - dim]) + (-1,)).sum(-1)


class Transform:
    bijective = False
    domain = codomain = constraints.real

    def __init__(self, cache_size=0):
        self._cache_size = cache_size
        self._inv = None

    @property
    def inv(self):
        if self._inv is None:
            self._inv = _Inverse(self)
        return self._inv

    @property
    def sign(self):
        raise NotImplementedError

    def __call__(self, x):
        return self._call(x)

    def _inv_call(self, y):
        return self._inverse(y)

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return type(self).__name__ + "()"


class _Inverse(Transform):
    """The inverse of a transform."""

    def __init__(self, transform):
        super().__init__()
        self._inv = transform
        self.bijective = transform.bijective
        self.domain, self.codomain = transform.codomain, transform.domain

    sign = property(lambda self: self._inv.sign)

    def __call__(self, x):
        return self._inv._inv_call(x)

    def _inv_call(self, y):
        return self._inv(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def __repr__(self):
        return f"_InverseTransform({self._inv!r})"


class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = parts
        self.bijective = all(it.bijective for it in parts)
        if parts:
            self.domain, self.codomain = parts[0].domain, parts[-1].codomain

    @property
    def inv(self):
        if self._inv is None:
            self._inv = ComposeTransform([it.inv for it in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    @property
    def sign(self):
        return math.prod(it.sign for it in self.parts)

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inv_call(self, y):
        return self.inv(y)

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return warpup.zeros_like(x)
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        total, rank = 0, max(it.domain.event_dim for it in self.parts)
        for part, x, y in zip(self.parts, values[:-1], values[1:]):
            total = total + sum_rightmost(part.log_abs_det_jacobian(x, y), rank - part.domain.event_dim)
            rank += part.codomain.event_dim - part.domain.event_dim
        return total

    def __repr__(self):
        return "ComposeTransform(\n    " + ",\n    ".join(repr(it) for it in self.parts) + "\n)"


identity_transform = ComposeTransform([])


class ExpTransform(Transform):
    codomain = constraints.positive
    bijective, sign = True, 1

    def __eq__(self, other):
        return isinstance(other, ExpTransform)

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(Transform):
    domain = codomain = constraints.positive
    bijective = True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        (self.exponent,) = warpup.distributions.distribution.broadcast_all(exponent)

    sign = property(lambda self: self.exponent.sign())

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


def _inside(values):
    limits = warpup.finfo(values.dtype)
    return values.clamp(min=limits.tiny, max=1.0 - limits.eps)


class SigmoidTransform(Transform):
    codomain = constraints.unit_interval
    bijective, sign = True, 1

    def __eq__(self, other):
        return isinstance(other, SigmoidTransform)

    def _call(self, x):
        return _inside(warpup.sigmoid(x))

    def _inverse(self, y):
        y = _inside(y)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x) - F.softplus(x)


class SoftplusTransform(Transform):
    codomain = constraints.positive
    bijective, sign = True, 1

    def __eq__(self, other):
        return isinstance(other, SoftplusTransform)

    def _call(self, x):
        return F.softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x)


class TanhTransform(Transform):
    codomain = constraints.interval(-1.0, 1.0)
    bijective, sign = True, 1

    def __eq__(self, other):
        return isinstance(other, TanhTransform)

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return warpup.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class AbsTransform(Transform):
    codomain = constraints.positive

    def __eq__(self, other):
        return isinstance(other, AbsTransform)

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class AffineTransform(Transform):
    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim
        if event_dim:
            self.domain = self.codomain = constraints.independent(constraints.real, event_dim)

    event_dim = property(lambda self: self._event_dim)

    @property
    def sign(self):
        if isinstance(self.scale, (int, float)):
            return (self.scale > 0) - (self.scale < 0)
        return self.scale.sign()

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, (int, float)):
            found = warpup.full_like(x, math.log(abs(self.scale)))
        else:
            found = warpup.abs(self.scale).log()
        if self._event_dim:
            found = sum_rightmost(found.expand(x.shape), self._event_dim)
            return found
        return found.expand(x.shape)


class SoftmaxTransform(Transform):
    domain, codomain = constraints.real_vector, constraints.simplex

    def __eq__(self, other):
        return isinstance(other, SoftmaxTransform)

    def _call(self, x):
        found = (x - x.max(-1, True)[0]).exp()
        return found / found.sum(-1, True)

    def _inverse(self, y):
        return y.log()


__getattr__ = _names.getter("torch.distributions.transforms", globals())
