"""The part of the standard module `statistics` that labs use; the real one imports `fractions` and `decimal`."""

from math import fsum, sqrt


class StatisticsError(ValueError):
    """Too few values were given."""


def _given(data, name, least=1):
    data = list(data)
    if len(data) < least:
        many = "one data point" if least == 1 else "two data points"
        raise StatisticsError(f"{name} requires at least {many}")
    return data


def mean(data):
    data = _given(data, "mean")
    total = sum(data) if all(isinstance(it, int) for it in data) else fsum(data)
    result = total / len(data)
    whole = all(isinstance(it, int) for it in data) and result == int(result)
    return int(result) if whole else result


def fmean(data):
    data = _given(data, "fmean")
    return fsum(data) / len(data)


def median(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    middle = len(data) // 2
    return data[middle] if len(data) % 2 else (data[middle - 1] + data[middle]) / 2


def _squares(data):
    centre = fsum(data) / len(data)
    return fsum((it - centre) ** 2 for it in data)


def variance(data):
    data = _given(data, "variance", 2)
    return _squares(data) / (len(data) - 1)


def pvariance(data):
    data = _given(data, "pvariance")
    return _squares(data) / len(data)


def stdev(data):
    data = _given(data, "stdev", 2)
    return sqrt(_squares(data) / (len(data) - 1))


def pstdev(data):
    return sqrt(pvariance(data))


def median_low(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[len(data) // 2]


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    if len(data) < 2:
        raise StatisticsError("must have at least two data points")
    if method not in ("exclusive", "inclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    is_inclusive = method == "inclusive"
    parts = len(data) - 1 if is_inclusive else len(data) + 1
    cuts = []
    for at in range(1, n):
        low, part = divmod(at * parts, n)
        if not is_inclusive:
            low = min(max(low, 1), len(data) - 1)
            part = at * parts - low * n
            low -= 1
        cuts.append((data[low] * (n - part) + data[low + 1] * part) / n)
    return cuts
