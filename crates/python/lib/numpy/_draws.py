"""Distributions of `numpy.random` that few programs draw from, by NumPy's own methods, so that a seed gives NumPy's numbers.
Loaded on first use.
"""

import math

from numpy._convert import asarray


def _many(state, draw, size, given, dtype):
    """Draws for each element of the broadcast parameters, or as many as the size says."""
    from numpy import broadcast_arrays

    if size is None and not any(hasattr(it, "__len__") for it in given):
        return draw(state, *given)
    shape = () if size is None else tuple(size) if hasattr(size, "__len__") else (size,)
    arrays = [asarray(it) for it in given]
    if size is None:
        arrays = broadcast_arrays(*arrays)
        shape = arrays[0].shape
    else:
        from numpy import broadcast_to

        arrays = [broadcast_to(it, shape) for it in arrays]
    columns = [it.reshape(-1).tolist() for it in arrays]
    return asarray([draw(state, *row) for row in zip(*columns)], dtype).reshape(shape)


def _uniform(state):
    return state._stream.uniform(1).item()


def _normal(state):
    return state._stream.normal(1).item()


def _exponential(state):
    return -math.log(1.0 - _uniform(state))


def _check(holds, message):
    if not holds:
        raise ValueError(message)


def gamma_of(state, shape):
    """By Marsaglia and Tsang, and by Ahrens and Dieter for shapes below 1."""
    _check(shape >= 0, "shape < 0")
    if shape == 1.0:
        return _exponential(state)
    if shape == 0.0:
        return 0.0
    if shape < 1.0:
        while True:
            u, v = _uniform(state), _exponential(state)
            if u <= 1.0 - shape:
                x = u ** (1.0 / shape)
                if x <= v:
                    return x
            else:
                y = -math.log((1.0 - u) / shape)
                x = (1.0 - shape + shape * y) ** (1.0 / shape)
                if x <= v + y:
                    return x
    b = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9 * b)
    while True:
        x, v = 0.0, 0.0
        while v <= 0.0:
            x = _normal(state)
            v = 1.0 + c * x
        v, u = v * v * v, _uniform(state)
        if u < 1.0 - 0.0331 * (x * x) * (x * x) or math.log(u) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
            return b * v


def beta_of(state, a, b):
    _check(a > 0, "a <= 0")
    _check(b > 0, "b <= 0")
    while a <= 1.0 and b <= 1.0:
        u, v = _uniform(state), _uniform(state)
        x, y = u ** (1.0 / a), v ** (1.0 / b)
        if x + y <= 1.0:
            if x + y > 0:
                return x / (x + y)
            log_x, log_y = math.log(u) / a, math.log(v) / b
            largest = max(log_x, log_y)
            log_x, log_y = log_x - largest, log_y - largest
            return math.exp(log_x - math.log(math.exp(log_x) + math.exp(log_y)))
    x = gamma_of(state, a)
    return x / (x + gamma_of(state, b))


def poisson_of(state, lam):
    _check(lam >= 0, "lam < 0 or lam is NaN")
    if lam >= 10:
        return _large_poisson(state, lam)
    count, product, least = 0, 1.0, math.exp(-lam)
    while lam > 0:
        product *= _uniform(state)
        if product <= least:
            break
        count += 1
    return count


def _large_poisson(state, lam):
    """By transformed rejection (Hörmann)."""
    b = 0.931 + 2.53 * math.sqrt(lam)
    a = -0.059 + 0.02483 * b
    log_alpha = math.log(1.1239 + 1.1328 / (b - 3.4))
    quick = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = _uniform(state) - 0.5, _uniform(state)
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + lam + 0.43)
        if us >= 0.07 and v <= quick:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        if math.log(v) + log_alpha - math.log(a / (us * us) + b) <= -lam + k * math.log(lam) - math.lgamma(k + 1):
            return k


def binomial_of(state, n, p):
    n = int(n)
    _check(n >= 0, "n < 0")
    _check(0 <= p <= 1, "p < 0, p > 1 or p is NaN")
    if n == 0 or p == 0:
        return 0
    return _by_inversion(state, n, p) if p <= 0.5 else n - _by_inversion(state, n, 1.0 - p)


def _by_inversion(state, n, p):
    if n * p > 30:
        raise NotImplementedError(
            "binomial with n * p above 30 is not part of warpup's numpy; NumPy has it. Draw (np.random.rand(n) < p).sum()"
        )
    q = 1.0 - p
    first = math.exp(n * math.log(q))
    bound = int(min(n, n * p + 10.0 * math.sqrt(n * p * q + 1)))
    count, chance, u = 0, first, _uniform(state)
    while u > chance:
        count += 1
        if count > bound:
            count, chance, u = 0, first, _uniform(state)
        else:
            u -= chance
            chance = ((n - count + 1) * p * chance) / (count * q)
    return count


def laplace_of(state, loc, scale):
    while True:
        u = _uniform(state)
        if u >= 0.5:
            return loc - scale * math.log(2.0 - u - u)
        if u > 0.0:
            return loc + scale * math.log(u + u)


def gumbel_of(state, loc, scale):
    while True:
        u = 1.0 - _uniform(state)
        if u < 1.0:
            return loc - scale * math.log(-math.log(u))


class Draws:
    """Methods of `RandomState`."""

    def beta(self, a, b, size=None):
        return _many(self, beta_of, size, (a, b), float)

    def standard_gamma(self, shape, size=None):
        return _many(self, gamma_of, size, (shape,), float)

    def gamma(self, shape, scale=1.0, size=None):
        return _many(self, lambda state, shape, scale: scale * gamma_of(state, shape), size, (shape, scale), float)

    def chisquare(self, df, size=None):
        return _many(self, lambda state, df: 2.0 * gamma_of(state, df / 2.0), size, (df,), float)

    def poisson(self, lam=1.0, size=None):
        return _many(self, poisson_of, size, (lam,), int)

    def binomial(self, n, p, size=None):
        return _many(self, binomial_of, size, (n, p), int)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return _many(self, laplace_of, size, (loc, scale), float)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return _many(self, gumbel_of, size, (loc, scale), float)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return _many(self, lambda state, mean, sigma: math.exp(mean + sigma * _normal(state)), size, (mean, sigma), float)

    def dirichlet(self, alpha, size=None):
        shape = () if size is None else tuple(size) if hasattr(size, "__len__") else (size,)
        rows = []
        for _ in range(math.prod(shape)):
            row = [gamma_of(self, it) for it in alpha]
            rows.append([it * (1.0 / sum(row)) for it in row])
        return asarray(rows, float).reshape((*shape, len(alpha)))

    def multinomial(self, n, pvals, size=None):
        shape = () if size is None else tuple(size) if hasattr(size, "__len__") else (size,)
        rows = []
        for _ in range(math.prod(shape)):
            row, left, chance = [0] * len(pvals), n, 1.0
            for at, p in enumerate(list(pvals)[:-1]):
                row[at] = binomial_of(self, left, float(p) / chance)
                left -= row[at]
                if left <= 0:
                    break
                chance -= float(p)
            row[-1] += max(left, 0)
            rows.append(row)
        return asarray(rows, int).reshape((*shape, len(pvals)))


NAMES = [it for it in vars(Draws) if not it.startswith("_")]
