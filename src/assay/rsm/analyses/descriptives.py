"""How each feature lies: centre and spread, percentiles, outliers, and its correlation with the human score."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from assay.rsm.types import Matrix, Scores

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
FAR_IN_SDS = 4.0
"""Values further than this from the mean are truncated before training."""


@dataclass(frozen=True, eq=False, slots=True)
class Descriptives:
    """A value per feature."""

    mean: Scores
    sd: Scores
    """Over N - 1."""
    low: Scores
    high: Scores
    skewness: Scores
    """Corrected for bias: sqrt(N (N - 1)) / (N - 2) * m3 / m2^1.5."""
    kurtosis: Scores
    """m4 / m2^2; 3 for a normal distribution."""
    r: Scores
    """Correlation with the human score."""
    p: Scores
    n: Scores
    """How many responses have a value."""


@dataclass(frozen=True, eq=False, slots=True)
class Percentiles:
    """A row per feature: its percentiles, and how many values lie far beyond the quartiles."""

    at: tuple[int, ...]
    values: Matrix
    """(features, percentiles); each is a value that occurs, the lower of the two neighbours."""
    mild: Scores
    """Values 1.5 to 3 interquartile ranges beyond a quartile."""
    extreme: Scores
    """Values 3 or more interquartile ranges beyond a quartile."""

    @property
    def iqr(self) -> Scores:
        return self.values[:, self.at.index(75)] - self.values[:, self.at.index(25)]


@dataclass(frozen=True, eq=False, slots=True)
class Outliers:
    """How many values of each feature lie more than four standard deviations from its mean."""

    lower: Scores
    upper: Scores
    n: Scores


SMALL_SUM = 1e-14
"""pandas takes a smaller sum of squares or cubes for 0."""


def feature_descriptives(values: Matrix, human: Scores, *, small_is_zero: bool = False) -> Descriptives:
    """Moments of each feature and its correlation with the human score.

    Skewness and kurtosis are NaN for a feature that does not vary, skewness for fewer than three responses too. With
    `small_is_zero` a feature in small units, whose squares or cubes add up to less than 1e-14, has skewness 0.
    Source: RSMTool 12, compute_basic_descriptives (pandas' skew, SciPy's kurtosis and pearsonr).
    """
    if np.isnan(values).any():
        parts = [
            feature_descriptives(column, human[present], small_is_zero=small_is_zero)
            for column, present in _columns(values)
        ]
        return Descriptives(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Descriptives)))
    n = len(values)
    mean = values.mean(axis=0)
    centred = values - mean
    squares, cubes, fourths = (np.mean(centred**power, axis=0) for power in (2, 3, 4))
    r = correlations(values, human)
    with np.errstate(divide="ignore", invalid="ignore"):
        varies = np.where(np.ptp(values, axis=0) > 0, squares, np.nan)
        correction = np.sqrt(n * (n - 1)) / (n - 2) if n > 2 else np.nan
        skewness = correction * cubes / varies**1.5
        if small_is_zero:
            small = (n * squares < SMALL_SUM) | (n * np.abs(cubes) < SMALL_SUM)
            skewness = np.where(small, 0 * correction, skewness)
        return Descriptives(
            mean=mean,
            sd=values.std(axis=0, ddof=1) if n > 1 else np.full(len(mean), np.nan),
            low=values.min(axis=0),
            high=values.max(axis=0),
            skewness=skewness,
            kurtosis=fourths / varies**2,
            r=r,
            p=correlation_p(r, n),
            n=np.full(len(mean), float(n)),
        )


def feature_percentiles(values: Matrix) -> Percentiles:
    """Percentiles of each feature, and its outliers by the interquartile range (Tukey's fences).

    Source: RSMTool 12, compute_percentiles. A value on a fence counts as lying beyond it.
    """
    if np.isnan(values).any():
        parts = [feature_percentiles(column) for column, _ in _columns(values)]
        mild, extreme = (np.concatenate([getattr(part, name) for part in parts]) for name in ("mild", "extreme"))
        return Percentiles(PERCENTILES, np.concatenate([part.values for part in parts]), mild, extreme)
    percentiles = np.percentile(values, PERCENTILES, axis=0, method="lower")
    first, third = percentiles[PERCENTILES.index(25)], percentiles[PERCENTILES.index(75)]
    reach = third - first
    extreme = (values <= first - 3 * reach) | (values >= third + 3 * reach)
    beyond = (values <= first - 1.5 * reach) | (values >= third + 1.5 * reach)
    mild = beyond & ~extreme
    return Percentiles(PERCENTILES, percentiles.T, mild.sum(axis=0).astype(float), extreme.sum(axis=0).astype(float))


def feature_outliers(values: Matrix) -> Outliers:
    """Values of each feature more than four standard deviations (over N - 1) from its mean."""
    if np.isnan(values).any():
        parts = [feature_outliers(column) for column, _ in _columns(values)]
        return Outliers(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Outliers)))
    mean = values.mean(axis=0)
    reach = FAR_IN_SDS * (values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1]))
    below, above = values < mean - reach, values > mean + reach
    n = np.full(values.shape[1], float(len(values)))
    return Outliers(below.sum(axis=0).astype(float), above.sum(axis=0).astype(float), n)


def _columns(values: Matrix) -> Iterator[tuple[Matrix, NDArray[np.bool_]]]:
    """Each feature alone, of the responses that have a value; and which these are."""
    for column in values.T:
        present = np.asarray(~np.isnan(column))
        yield column[present, None], present


def correlations(values: Matrix, target: Scores) -> Scores:
    """Pearson's r of each feature with the target, of the responses that have both; NaN when one does not vary.

    >>> correlations(np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]]), np.array([1.0, 2.0, 2.0])).round(4).tolist()
    [0.866, nan]
    """
    if np.isnan(values).any() or np.isnan(target).any():
        known = ~np.isnan(target)
        parts = [correlations(column[known[present]], target[present & known]) for column, present in _columns(values)]
        return np.concatenate(parts)
    if len(target) < 2:
        return np.full(values.shape[1], np.nan)
    centred, aim = values - values.mean(axis=0), target - target.mean()
    flat = (np.ptp(values, axis=0) == 0) | (np.ptp(target) == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (aim @ centred) / (np.sqrt((centred**2).sum(axis=0)) * np.sqrt((aim**2).sum()))
    return np.where(flat, np.nan, np.clip(r, -1, 1))


def correlation_p(r: Scores, n: int) -> Scores:
    """Two-sided probability of so large a correlation if there was none, for normal scores; 1 for two responses.

    >>> correlation_p(np.array([0.8997354108424372]), 10).round(6).tolist()
    [0.000391]
    """
    if n <= 2:
        return np.where(np.isnan(r), np.nan, 1.0)
    half = n / 2 - 1
    # (1 + r) / 2 is beta distributed with both parameters n / 2 - 1
    return np.asarray(2 * betainc(half, half, (1 - np.abs(r)) / 2))
