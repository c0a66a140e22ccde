"""Intervals that hold for several figures together, and estimates shrunken as far as chance explains their spread.

Of twenty intervals that hold 95 times in 100 each, one or more misses in some 60 samples of 100. The joint level widens
all of them just so far that they hold together 95 times in 100: the largest of the correlated t statistics stays below
its limit (max-t). The correlations are those of the replicates, of the jackknife or of the bootstrap alike.
Sources: Westfall & Young (1993), Resampling-Based Multiple Testing; Šidák (1967) for the bound; Genz (1992) for the
lattice; DerSimonian & Laird (1986) and Efron & Morris (1975) for the shrinkage. Decision 0486 has measured error rates.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from assay.metrics.bins import Scores
from assay.metrics.distributions import normal_cdf, normal_quantile
from assay.metrics.intervals import Estimate, Resampling

LEAST_POINTS, MOST_POINTS, COORDINATES = 8192, 32_768, 2**17
"""Of the lattice on which the probability is worked out: no chance is in it, the same figures give the same level.

Limits are then within 0.02 of the exact ones, on the scale of standard errors.
"""
MOST_CORRELATED = 500
"""More figures than this are taken as independent, which makes their intervals a little too wide, never too narrow."""


def joint_level(replicates: Scores, *, level: float = 0.95) -> float:
    """The level at which single intervals are made so that all of them hold at `level`.

    `replicates` has a row per figure; rows that do not vary bear on nothing. Never below Šidák's level for as many
    independent figures, nor above it for one.

    >>> apart = np.array([[1.0, -1, 0, 0], [0, 0, 1, -1]])
    >>> round(joint_level(apart), 3), round(joint_level(apart[:1]), 3)
    (0.975, 0.95)
    """
    varying = replicates[np.ptp(replicates, axis=1) > 0] if replicates.size else replicates
    figures = len(varying)
    if figures < 2:
        return level
    most: float = level ** (1 / figures)
    if figures > MOST_CORRELATED:
        return most
    correlations = np.corrcoef(varying)
    # a whiff of independence keeps the root defined where one figure follows from the others
    root = np.linalg.cholesky(0.999_999 * correlations + 0.000_001 * np.eye(figures))
    largest = np.abs(_lattice(figures) @ root.T).max(axis=1)
    reach = float(np.quantile(largest, level))
    return min(max(2 * normal_cdf(reach) - 1, level), most)


def _lattice(dimensions: int) -> Scores:
    """Standard normal points (points, dimensions), evenly spread: multiples of the roots of primes."""
    sieve = np.ones(max(16, dimensions * 12), dtype=bool)
    sieve[:2] = False
    for number in range(2, int(sieve.size**0.5) + 1):
        sieve[number * number :: number] = False
    roots = np.sqrt(np.flatnonzero(sieve)[:dimensions].astype(np.float64))
    points = min(max(COORDINATES // dimensions, LEAST_POINTS), MOST_POINTS)
    shares = np.outer(np.arange(1, points + 1), roots) % 1.0
    return normal_quantile(np.clip(shares, 1e-12, 1 - 1e-12))


def joint_estimates(
    values: Scores,
    replicates: Scores,
    occupied: Scores,
    resampling: Resampling,
    *,
    units: Sequence[int] | None = None,
    even: str = "same",
    reason: str = "",
) -> list[Estimate]:
    """Each figure with an interval; the intervals hold together, at the level of the resampling.

    `replicates` has a row per figure and a column per block or draw; `occupied`, `units`, `even` and `reason` are those
    of `Resampling.estimate`, `units` a number per figure. Undefined figures have their reason and do not count.
    """
    used = replicates if resampling.draws else replicates[:, occupied > 0]
    defined = np.isfinite(values) & np.isfinite(used).all(axis=1)
    together = replace(resampling, level=joint_level(used[defined], level=resampling.level))
    return [
        together.estimate(
            float(value), own, occupied, even=even, units=None if units is None else units[number], reason=reason
        )
        for number, (value, own) in enumerate(zip(values, replicates, strict=True))
    ]


def shrunken_estimates(estimates: Sequence[Estimate], errors: Sequence[float]) -> list[Estimate]:
    """Deviations from 0 pulled towards it as far as chance explains them, never out of their intervals.

    d_i t2 / (t2 + e_i^2), t2 = max(0, (sum d_i^2 / e_i^2 - k) / sum 1 / e_i^2), over the k with a standard error e_i

    t2 is what the deviations truly vary by, beyond their errors. Small groups, whose errors are large, are pulled most;
    one that its interval sets apart from 0 stays at least at the end of the interval.

    >>> noise = [Estimate(0.3, -0.1, 0.7), Estimate(-0.2, -0.6, 0.2)]
    >>> [round(e.value, 3) for e in shrunken_estimates(noise, [0.2, 0.2])]
    [0.115, -0.077]
    """
    known = [i for i, e in enumerate(estimates) if e.defined and isfinite(errors[i]) and errors[i] > 0]
    precision = np.array([1 / errors[i] ** 2 for i in known])
    squares = np.array([estimates[i].value ** 2 for i in known])
    spread = max(0.0, float((precision * squares).sum() - len(known)) / float(precision.sum())) if known else 0.0
    pulled = list(estimates)
    for i, weight in zip(known, precision, strict=True):
        e = estimates[i]
        value = e.value * spread / (spread + 1 / float(weight))
        value = min(max(value, e.low), e.high) if e.has_interval else value
        pulled[i] = Estimate(value, e.low, e.high, e.reason)
    return pulled
