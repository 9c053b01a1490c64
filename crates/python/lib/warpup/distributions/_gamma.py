"""Samples of a gamma distribution, of Dirichlet's and of a binomial one, drawn one by one on the host in PyTorch's order."""

import math

import warpup


def _refuse_gradient(alpha, name):
    if alpha.requires_grad and warpup.is_grad_enabled():
        raise NotImplementedError(
            f"the gradient of a sample of {name} is not part of warpup; PyTorch has it. Use sample() instead of rsample()"
        )


def _uniform():
    return float(warpup.rand((), dtype=warpup.double, device="cpu"))


def _normal():
    return float(warpup.randn((), dtype=warpup.double, device="cpu"))


def _one(alpha):
    """Marsaglia and Tsang's method."""
    scale = 1.0
    if alpha < 1.0:
        if alpha == 0.0:
            return 0.0
        scale *= (1 - _uniform()) ** (1.0 / alpha)
        alpha += 1.0
    d = alpha - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        y = 0.0
        while y <= 0:
            x = _normal()
            y = 1.0 + c * x
        v = y * y * y
        u = 1 - _uniform()
        if u < 1.0 - 0.0331 * x * x * x * x or math.log(u) < 0.5 * x * x + d * (1.0 - v + math.log(v)):
            return scale * d * v


def _each(alpha):
    return [_one(it) for it in alpha.detach().double().reshape(-1).tolist()]


def sample_gamma(alpha):
    _refuse_gradient(alpha, "a gamma distribution")
    made = warpup.tensor(_each(alpha), dtype=alpha.dtype, device=alpha.device).reshape(alpha.shape)
    return made.clamp(min=warpup.finfo(alpha.dtype).tiny)


def sample_dirichlet(alpha):
    _refuse_gradient(alpha, "a Dirichlet distribution")
    parts = warpup.tensor(_each(alpha), dtype=warpup.double, device="cpu").reshape(alpha.shape)
    made = (parts / parts.sum(-1, keepdim=True)).to(device=alpha.device, dtype=alpha.dtype)
    limits = warpup.finfo(alpha.dtype)
    return made.clamp(min=limits.tiny, max=1 - limits.eps / 2)


def _tail(k):
    """What Stirling's formula lacks."""
    known = (
        0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
        0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
    )
    if k <= 9:
        return known[int(k)]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


def _inverted(count, prob):
    total, found = 0.0, 0
    log = math.log1p(-prob)
    while True:
        drawn = _uniform()
        total += math.ceil(math.log(drawn) / log)
        if total > count:
            return found
        found += 1


def _transformed(count, prob):
    """Hörmann's transformed rejection (BTRS)."""
    spread = math.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    v_r, r = 0.92 - 4.2 / b, prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * spread
    m = math.floor((count + 1) * prob)
    while True:
        u, v = _uniform() - 0.5, _uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + c)
        if us >= 0.07 and v <= v_r:
            return k
        if k < 0 or k > count:
            continue
        v = math.log(v * alpha / (a / (us * us) + b))
        bound = (
            (m + 0.5) * math.log((m + 1) / (r * (count - m + 1)))
            + (count + 1) * math.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * math.log(r * (count - k + 1) / (k + 1))
            + _tail(m) + _tail(count - m) - _tail(k) - _tail(count - k)
        )
        if v <= bound:
            return k


def _of_binomial(count, prob):
    if count <= 0 or prob <= 0:
        return 0
    if prob >= 1:
        return count
    if prob > 0.5:
        return count - _of_binomial_below(count, 1 - prob)
    return _of_binomial_below(count, prob)


def _of_binomial_below(count, prob):
    return (_transformed if count * prob >= 10 else _inverted)(count, prob)


def sample_binomial(counts, probs):
    pairs = zip(counts.double().reshape(-1).tolist(), probs.detach().double().reshape(-1).tolist())
    drawn = [float(_of_binomial(count, prob)) for count, prob in pairs]
    return warpup.tensor(drawn, dtype=probs.dtype, device=probs.device).reshape(probs.shape)
