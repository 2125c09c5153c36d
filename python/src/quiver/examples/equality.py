"""Compares two groups of measurements: confidence intervals, Welch's test, and a test of equivalence.

A difference test that finds nothing proves little; the equivalence test (two one-sided tests, TOST) turns the
burden round: a small p says that the means are closer than the margin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Summary:
    """A mean with its 95 % confidence interval (± half)."""

    count: int
    mean: float
    deviation: float
    half: float


@dataclass(frozen=True)
class Comparison:
    """The comparison of a group with another.

    :param difference: of the means, the first less the second
    :param half: of its 95 % confidence interval
    :param p_equal: Welch's t test, two-sided: small if the means differ
    :param p_equivalent: TOST: small if the means differ by less than the margin
    """

    difference: float
    half: float
    degrees: float
    p_equal: float
    p_equivalent: float
    margin: float


def summarize(values: Sequence[float]) -> Summary:
    """Return mean and confidence interval; with one value there is no interval (NaN).

    >>> round(summarize([90.0, 90.2, 90.4]).half, 3)
    0.497
    """
    count = len(values)
    mean = math.fsum(values) / count
    if count < 2:
        return Summary(count, mean, math.nan, math.nan)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1))
    return Summary(count, mean, deviation, quantile(0.975, count - 1) * deviation / math.sqrt(count))


def compare(first: Sequence[float], second: Sequence[float], margin: float) -> Comparison:
    """Compare the means of two groups of at least two values each, variances being what they may."""
    if min(len(first), len(second)) < 2:
        raise ValueError(f"{len(first)} and {len(second)} values; a comparison needs two of each")
    one, two = summarize(first), summarize(second)
    shares = [one.deviation**2 / one.count, two.deviation**2 / two.count]
    difference = one.mean - two.mean
    if sum(shares) == 0:
        same = float(difference == 0)
        return Comparison(difference, 0.0, math.inf, same, float(abs(difference) >= margin), margin)
    error = math.sqrt(sum(shares))
    degrees = sum(shares) ** 2 / (shares[0] ** 2 / (one.count - 1) + shares[1] ** 2 / (two.count - 1))
    p_equal = 2 * (1 - distribution(abs(difference) / error, degrees))
    above = 1 - distribution((difference + margin) / error, degrees)
    below = distribution((difference - margin) / error, degrees)
    half = quantile(0.975, degrees) * error
    return Comparison(difference, half, degrees, p_equal, max(above, below), margin)


def distribution(t: float, degrees: float) -> float:
    """Return the probability that Student's t is at most this.

    >>> round(distribution(2.776, 4), 4)
    0.975
    """
    tail = 0.5 * _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))
    return 1 - tail if t > 0 else tail


def quantile(probability: float, degrees: float) -> float:
    """Return the t that is not passed with this probability, by bisection.

    >>> round(quantile(0.975, 4), 3)
    2.776
    """
    low, high = -1e4, 1e4
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if distribution(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Compute the regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(logarithm) * _continued_fraction(a, b, x) / a


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Compute the incomplete beta function's continued fraction, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for term in (even, odd):
            d = 1 / ((1 + term * d) or tiny)
            c = (1 + term / c) or tiny
            change = c * d
            value *= change
        if abs(change - 1) < 1e-14:
            break
    return value
