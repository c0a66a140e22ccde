"""How each feature lies: centre and spread, percentiles, outliers, and its correlation with the human score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from assay.rsm.types import Matrix, Scores, Texts

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
FAR_IN_SDS = 4.0
"""Values further than this from the mean are truncated before training."""
SMALL_SUM = 1e-14
"""pandas takes a smaller sum of squares or cubes for 0."""
MOST_OUTLIERS = 40
"""More points beyond the whiskers are not drawn one by one; the most distant stay."""


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

    values: Matrix
    """(features, `PERCENTILES`); each is a value that occurs, the lower of the two neighbours."""
    mild: Scores
    """Values 1.5 to 3 interquartile ranges beyond a quartile."""
    extreme: Scores
    """Values 3 or more interquartile ranges beyond a quartile."""

    @property
    def iqr(self) -> Scores:
        return self.values[:, PERCENTILES.index(75)] - self.values[:, PERCENTILES.index(25)]


@dataclass(frozen=True, eq=False, slots=True)
class Outliers:
    """How many values of each feature lie more than four standard deviations from its mean."""

    lower: Scores
    upper: Scores
    n: Scores


Figures = TypeVar("Figures", Descriptives, Percentiles, Outliers)


def feature_descriptives(values: Matrix, human: Scores, *, small_is_zero: bool = False) -> Descriptives:
    """Moments of each feature and its correlation with the human score.

    Skewness and kurtosis are NaN for a feature that does not vary, skewness for fewer than three responses too. With
    `small_is_zero` a feature in small units, whose squares or cubes add up to less than 1e-14, has skewness 0.
    Source: RSMTool 12, compute_basic_descriptives (pandas' skew, SciPy's kurtosis and pearsonr).
    """
    if np.isnan(values).any():
        each = _columns(values)
        return _joined([feature_descriptives(x, human[known], small_is_zero=small_is_zero) for x, known in each])
    n = len(values)
    mean = values.mean(axis=0)
    squares, cubes, fourths = (np.mean((values - mean) ** power, axis=0) for power in (2, 3, 4))
    r = correlations(values, human)
    with np.errstate(divide="ignore", invalid="ignore"):
        varies = np.where(np.ptp(values, axis=0) > 0, squares, np.nan)
        correction = np.sqrt(n * (n - 1)) / (n - 2) if n > 2 else np.nan
        skewness = correction * cubes / varies**1.5
        if small_is_zero:
            small = (n * squares < SMALL_SUM) | (n * np.abs(cubes) < SMALL_SUM)
            skewness = np.where(small, 0 * correction, skewness)
        sd = values.std(axis=0, ddof=1) if n > 1 else np.full(len(mean), np.nan)
        return Descriptives(
            *(mean, sd, values.min(axis=0), values.max(axis=0), skewness, fourths / varies**2),
            *(r, correlation_p(r, n), np.full(len(mean), float(n))),
        )


def feature_percentiles(values: Matrix) -> Percentiles:
    """Percentiles of each feature, and its outliers by the interquartile range (Tukey's fences).

    Source: RSMTool 12, compute_percentiles. A value on a fence counts as lying beyond it.
    """
    if np.isnan(values).any():
        return _joined([feature_percentiles(column) for column, _ in _columns(values)])
    percentiles = np.percentile(values, PERCENTILES, axis=0, method="lower")
    first, third = percentiles[PERCENTILES.index(25)], percentiles[PERCENTILES.index(75)]
    reach = third - first
    extreme, beyond = ((values <= first - k * reach) | (values >= third + k * reach) for k in (3, 1.5))
    counts = (marks.sum(axis=0).astype(float) for marks in (beyond & ~extreme, extreme))
    return Percentiles(percentiles.T, *counts)


def feature_outliers(values: Matrix) -> Outliers:
    """Values of each feature more than four standard deviations (over N - 1) from its mean."""
    if np.isnan(values).any():
        return _joined([feature_outliers(column) for column, _ in _columns(values)])
    mean = values.mean(axis=0)
    reach = FAR_IN_SDS * (values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1]))
    lower, upper = (marks.sum(axis=0).astype(float) for marks in (values < mean - reach, values > mean + reach))
    return Outliers(lower, upper, np.full(values.shape[1], float(len(values))))


def _columns(values: Matrix) -> Iterator[tuple[Matrix, NDArray[np.bool_]]]:
    """Each feature alone, of the responses that have a value; and which these are."""
    for column in values.T:
        present = np.asarray(~np.isnan(column))
        yield column[present, None], present


def _joined(parts: list[Figures]) -> Figures:
    """The figures of single features as those of all."""
    names = [field.name for field in fields(parts[0])]
    return type(parts[0])(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


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


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """The values of one feature in one group.

    The box reaches from the first to the third quartile, the whiskers to the last value within 1.5 box lengths of
    it; values beyond are outliers. Source: Tukey (1977), Exploratory Data Analysis.
    """

    group: str
    n: int
    low: float
    first: float
    median: float
    third: float
    high: float
    outliers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FeatureBoxes:
    """One feature: all responses first, then the groups of a column."""

    feature: str
    column: str
    boxes: tuple[BoxFigures, ...]
    truncated_below: float
    """Four standard deviations below the mean of all responses: where values are truncated."""
    truncated_above: float


def feature_boxes(names: Sequence[str], values: Matrix, column: str, texts: Texts) -> tuple[FeatureBoxes, ...]:
    """A set of boxes per feature. RSMTool takes mean and sd from the responses counted twice; we count them once."""
    groups = sorted({str(text) for text in texts if text is not None})
    members = {group: np.flatnonzero(texts == group) for group in groups}
    of_features = []
    for i, name in enumerate(names):
        feature = values[:, i]
        boxes = (box("All data", feature), *(box(group, feature[rows]) for group, rows in members.items()))
        present = feature[~np.isnan(feature)]
        reach = FAR_IN_SDS * float(present.std(ddof=1)) if len(present) > 1 else np.nan
        mean = float(present.mean())
        of_features.append(FeatureBoxes(name, column, boxes, mean - reach, mean + reach))
    return tuple(of_features)


def box(group: str, values: Scores) -> BoxFigures:
    """The box of some values, missing ones left aside; NaN where there is none.

    >>> figures = box("A", np.array([1.0, 2.0, 3.0, 4.0, 20.0]))
    >>> figures.median, figures.high, figures.outliers
    (3.0, 4.0, (20.0,))
    """
    values = values[~np.isnan(values)]
    if not len(values):
        return BoxFigures(group, 0, np.nan, np.nan, np.nan, np.nan, np.nan, ())
    first, median, third = (float(q) for q in np.percentile(values, [25, 50, 75]))
    reach = 1.5 * (third - first)
    inside = (values >= first - reach) & (values <= third + reach)
    within, beyond = values[inside], values[~inside]
    furthest = beyond[np.argsort(-np.abs(beyond - median), kind="stable")][:MOST_OUTLIERS]
    outliers = tuple(float(value) for value in np.sort(furthest))
    return BoxFigures(group, len(values), float(within.min()), first, median, third, float(within.max()), outliers)
