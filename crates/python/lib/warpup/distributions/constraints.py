"""torch.distributions.constraints: what the values of a parameter or of a sample must be."""

import warpup
from warpup import _names


class Constraint:
    is_discrete = False
    event_dim = 0
    is_dependent = False

    def check(self, value):
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__[1:] + "()"


class _Dependent(Constraint):
    """Depends on other values, so that it is not checked."""

    is_dependent = True

    def check(self, x):
        raise ValueError("Cannot determine validity of dependent constraint")


class _Real(Constraint):
    def check(self, value):
        return value == value


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value):
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value):
        is_boolean = (value == 0) | (value == 1)
        return is_boolean.all(-1) & value.sum(-1).eq(1)


class _Bound(Constraint):
    """A limit, or two."""

    _names = ()

    def __init__(self, *limits):
        self.__dict__.update(zip(self._names, limits))

    def __repr__(self):
        return f"{type(self).__name__[1:]}({', '.join(f'{it}={self.__dict__[it]}' for it in self._names)})"


class _GreaterThan(_Bound):
    _names = ("lower_bound",)

    def check(self, value):
        return self.lower_bound < value


class _GreaterThanEq(_Bound):
    _names = ("lower_bound",)

    def check(self, value):
        return self.lower_bound <= value


class _LessThan(_Bound):
    _names = ("upper_bound",)

    def check(self, value):
        return value < self.upper_bound


class _Interval(_Bound):
    _names = ("lower_bound", "upper_bound")

    def check(self, value):
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Bound):
    _names = ("lower_bound", "upper_bound")

    def check(self, value):
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_Bound):
    is_discrete = True
    _names = ("lower_bound", "upper_bound")

    def check(self, value):
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Bound):
    is_discrete = True
    _names = ("lower_bound",)

    def check(self, value):
        return (value % 1 == 0) & (value >= self.lower_bound)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(_Bound):
    is_discrete = True
    event_dim = 1
    _names = ("upper_bound",)

    def check(self, x):
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


class _LowerCholesky(Constraint):
    event_dim = 2

    def check(self, value):
        is_lower = (value.tril() == value).reshape(value.shape[:-2] + (-1,)).all(-1)
        return is_lower & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _PositiveDefinite(Constraint):
    event_dim = 2

    def check(self, value):
        if value.shape[-1] != value.shape[-2]:
            return warpup.full(value.shape[:-2], False, dtype=warpup.bool)
        is_symmetric = (value - value.mT).abs().amax((-2, -1)) <= 1e-6 * value.abs().amax((-2, -1)) + 1e-6
        if not bool(is_symmetric.all()):
            return is_symmetric
        return warpup.linalg.eigvalsh(value.detach()).amin(-1) > 0


class _IndependentConstraint(Constraint):
    """A constraint whose last dimensions are one event."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete

    def check(self, value):
        found = self.base_constraint.check(value)
        if found.dim() < self.reinterpreted_batch_ndims:
            wanted = self.base_constraint.event_dim + self.reinterpreted_batch_ndims
            raise ValueError(f"Expected value.dim() >= {wanted} but got {value.dim()}")
        at = found.dim() - self.reinterpreted_batch_ndims
        return found.reshape(tuple(found.shape[:at]) + (-1,)).all(-1)

    def __repr__(self):
        return f"{type(self).__name__[1:]}({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


independent = _IndependentConstraint
dependent = _Dependent()
boolean = _Boolean()
one_hot = _OneHot()
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
unit_interval = _Interval(0.0, 1.0)
simplex = _Simplex()
lower_cholesky = _LowerCholesky()
positive_definite = _PositiveDefinite()
greater_than, greater_than_eq, less_than = _GreaterThan, _GreaterThanEq, _LessThan
interval, half_open_interval, integer_interval = _Interval, _HalfOpenInterval, _IntegerInterval
multinomial = _Multinomial


def is_dependent(constraint):
    return constraint.is_dependent


__getattr__ = _names.getter("torch.distributions.constraints", globals())
