"""The few tests behind feedback: how surprising a mean, a share or a difference of shares is, and its interval."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import bdtrc, gammaln, stdtr, stdtrit

from assay.metrics.intervals import wilson_interval
from assay.metrics.pairs import Scores


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a statement: how many cases, how large the effect with its 95 % interval, and how surprising."""

    n: int
    effect: float
    low: float
    high: float
    p: float


def mean_beyond(values: Scores, margin: float) -> Evidence:
    """Whether a mean lies further from 0 than a margin that would not matter, to either side.

    t = (|mean| - margin) / standard error, doubled for the two sides; at least two values.

    >>> mean_beyond(np.array([0.05, 0.06, 0.05, 0.04]), margin=0.01).p < 0.01
    True
    """
    n = values.size
    mean, error = float(values.mean()), float(values.std(ddof=1)) / sqrt(n)
    reach = float(stdtrit(n - 1, 0.975)) * error
    if error < 1e-15:
        p = 0.0 if abs(mean) > margin else 1.0
    else:
        p = min(1.0, 2 * float(stdtr(n - 1, -(abs(mean) - margin) / error)))
    return Evidence(n, mean, mean - reach, mean + reach, p)


def share_above(count: int, n: int, usual: float) -> Evidence:
    """Whether a share is larger than the usual rate of slips: the exact binomial test.

    >>> round(share_above(3, 10, 0.02).p, 5)
    0.00086
    """
    p = float(bdtrc(count - 1, n, usual)) if count else 1.0
    low, high = wilson_interval(count / n, n)
    return Evidence(n, count / n, low, high, p)


def share_larger(first: tuple[int, int], second: tuple[int, int]) -> Evidence:
    """Whether the first share (count, n) is larger than the second: Fisher's exact test, one-sided.

    The effect is the difference, with Newcombe's (1998) interval from two Wilson intervals.

    >>> round(share_larger((8, 10), (1, 10)).p, 4)
    0.0027
    """
    (a, n), (b, m) = first, second
    p1, p2 = a / n, b / m
    low1, high1 = wilson_interval(p1, n)
    low2, high2 = wilson_interval(p2, m)
    low = p1 - p2 - sqrt((p1 - low1) ** 2 + (high2 - p2) ** 2)
    high = p1 - p2 + sqrt((high1 - p1) ** 2 + (p2 - low2) ** 2)
    return Evidence(n + m, p1 - p2, low, high, _fisher(a, n, b, m))


def _fisher(a: int, n: int, b: int, m: int) -> float:
    """Chance of a or more of the a + b cases among the first n, if they fell anywhere among n + m."""
    k = np.arange(a, min(n, a + b) + 1, dtype=float)
    logs: Scores = _choose(n, k) + _choose(m, a + b - k) - _choose(n + m, np.array([a + b], dtype=float))
    return float(min(1.0, np.exp(logs).sum()))


def _choose(n: int, k: Scores) -> Scores:
    with np.errstate(invalid="ignore"):
        ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.where((k >= 0) & (k <= n), ways, -np.inf)
