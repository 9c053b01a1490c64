"""The Kullback-Leibler divergence of pairs of distributions."""

import math

import warpup
from warpup.distributions.continuous import Beta, Dirichlet, Exponential, Gamma, Laplace, Normal, Uniform
from warpup.distributions.discrete import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, Poisson
from warpup.distributions.joint import Independent, MultivariateNormal, TransformedDistribution
from warpup.distributions.transforms import sum_rightmost
from warpup.nn import functional as F

_registered = {}


def register_kl(type_p, type_q):
    def decorator(fun):
        _registered[type_p, type_q] = fun
        return fun

    return decorator


def _find(kind_p, kind_q):
    """The function of the nearest base classes."""
    for p in kind_p.__mro__:
        for q in kind_q.__mro__:
            if (p, q) in _registered:
                return _registered[p, q]
    return None


def kl_divergence(p, q):
    function = _find(type(p), type(q))
    if function is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return function(p, q)


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    far = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + far - 1 - ratio.log())


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    first = p.probs * (F.softplus(-q.logits) - F.softplus(-p.logits))
    first = first.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0)
    second = (1 - p.probs) * (F.softplus(q.logits) - F.softplus(p.logits))
    second = second.masked_fill(q.probs == 1, math.inf).masked_fill(p.probs == 1, 0)
    return first + second


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    found = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return found.masked_fill(p.total_count > q.total_count, math.inf)


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    found = p.probs * (p.logits - q.logits)
    return found.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@register_kl(Beta, Beta)
def _beta(p, q):
    total_p, total_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    logs = q.concentration1.lgamma() + q.concentration0.lgamma() + total_p.lgamma() - (
        p.concentration1.lgamma() + p.concentration0.lgamma() + total_q.lgamma()
    )
    return (
        logs + (p.concentration1 - q.concentration1) * warpup.digamma(p.concentration1)
        + (p.concentration0 - q.concentration0) * warpup.digamma(p.concentration0)
        + (total_q - total_p) * warpup.digamma(total_p)
    )


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    total_p, total_q = p.concentration.sum(-1), q.concentration.sum(-1)
    logs = total_p.lgamma() - total_q.lgamma() - (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    means = p.concentration.digamma() - total_p.digamma().unsqueeze(-1)
    return logs + ((p.concentration - q.concentration) * means).sum(-1)


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    return (
        q.concentration * (p.rate / q.rate).log() + warpup.lgamma(q.concentration) - warpup.lgamma(p.concentration)
        + (p.concentration - q.concentration) * warpup.digamma(p.concentration)
        + (q.rate - p.rate) * (p.concentration / p.rate)
    )


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - warpup.log1p(-q.probs) / p.probs - q.logits


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio, far = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + far / q.scale + ratio * warpup.exp(-far / p.scale) - 1


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return found.masked_fill((q.low > p.low) | (q.high < p.high), math.inf)


@register_kl(Uniform, Normal)
def _uniform_normal(p, q):
    common = p.high - p.low
    first = (math.sqrt(math.pi * 2) * q.scale / common).log()
    middle = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return first + 0.5 * (common.pow(2) / 12 + middle) / q.scale.pow(2)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event shapes cannot be computed"
        )
    half = (
        q._lower.diagonal(dim1=-2, dim2=-1).log().sum(-1) - p._lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)
    )
    shape = tuple(warpup.broadcast_shapes(q._lower.shape[:-2], p._lower.shape[:-2]))
    size = p.event_shape[0]
    lower_q, lower_p = q._lower.expand(shape + (size, size)), p._lower.expand(shape + (size, size))
    trace = warpup.linalg.solve_triangular(lower_q, lower_p, upper=False).pow(2).sum((-2, -1))
    far = (q.loc - p.loc).unsqueeze(-1)
    lower = q._lower.expand(tuple(far.shape[:-2]) + (size, size))
    term = warpup.linalg.solve_triangular(lower, far, upper=False).squeeze(-1).pow(2).sum(-1)
    return half + 0.5 * (trace + term - size)


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)
