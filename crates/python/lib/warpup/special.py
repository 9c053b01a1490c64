"""torch.special: functions that have other names elsewhere. Loaded on first use."""

import math

import warpup
from warpup import (
    _names, digamma, erf, erfc, erfinv, exp2, expm1, lgamma as gammaln, log1p, logit, logsumexp, round, sigmoid as expit, sinc,
    xlogy,
)
from warpup.nn.functional import log_softmax, softmax

psi = digamma


def entr(input):
    return -warpup.xlogy(input, input)


def ndtr(input):
    return 0.5 * (1.0 + (input / math.sqrt(2.0)).erf())


def ndtri(input):
    return math.sqrt(2.0) * (2.0 * input - 1.0).erfinv()


def log_ndtr(input):
    return ndtr(input).log()


def xlog1py(input, other):
    made = input * (1.0 + other).log() if not isinstance(other, warpup.Tensor) else input * other.log1p()
    return made


__getattr__ = _names.getter("torch.special", globals())
