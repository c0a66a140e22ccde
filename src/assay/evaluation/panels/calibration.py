"""Put a judge's scores on the human scale, and see how far they can be taken at their word.

A calibration is learned from items that have both scores and judged on items it was not learned from (`cross_fitted`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan, pi, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from assay.errors import InputError
from assay.evaluation.panels.cumulative_logit import CumulativeLogit, fit_cumulative_logit
from assay.metrics.bins import Scores, Whole
from assay.metrics.intervals import Estimate, wilson_interval
from assay.metrics.pairs import paired, response_weights

Map: TypeAlias = Callable[[Scores], Scores]
"""A judge's scores -> scores on the human scale, or probabilities to pass."""
Fit: TypeAlias = Callable[[Scores, Scores, Scores], Map]
"""Judge's scores, human scores, weights -> the map learned from them."""


@dataclass(frozen=True, eq=False, slots=True)
class IsotonicMap:
    """A rising step function, straight between the judge's scores that were seen and flat outside them."""

    judge: Scores
    human: Scores

    def __call__(self, scores: ArrayLike) -> Scores:
        return np.interp(np.asarray(scores, dtype=np.float64), self.judge, self.human)


def fit_isotonic(judge: ArrayLike, human: ArrayLike, weights: ArrayLike | None = None) -> IsotonicMap:
    """The rising function with the least squared error; equal scores of the judge are averaged first.

    Source: Ayer, Brunk, Ewing, Reid & Silverman (1955), pool adjacent violators; Zadrozny & Elkan (2002). The same as
    scikit-learn's IsotonicRegression(out_of_bounds="clip").

    >>> fit_isotonic([1, 2, 3, 4], [1, 3, 2, 4])([0, 2, 2.5, 9]).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    from scipy.optimize import isotonic_regression  # noqa: PLC0415 - takes 100 ms that other figures do not need

    x, y, w = _weighted(judge, human, weights)
    points, code = np.unique(x, return_inverse=True)
    mass = np.bincount(code, w)
    means = np.bincount(code, w * y) / mass
    return IsotonicMap(points, np.asarray(isotonic_regression(means, weights=mass).x))


@dataclass(frozen=True, slots=True)
class PlattMap:
    """Probability to pass: 1 / (1 + exp(-(intercept + slope * score)))."""

    intercept: float
    slope: float

    def __call__(self, scores: ArrayLike) -> Scores:
        line = self.intercept + self.slope * np.asarray(scores, dtype=np.float64)
        return np.asarray(1 / (1 + np.exp(-np.clip(line, -700, 700))))


def fit_platt(judge: ArrayLike, passed: ArrayLike, weights: ArrayLike | None = None) -> PlattMap:
    """A logistic curve for pass (1) and fail (0), with Platt's targets, which keep it finite for a perfect judge.

    targets (n1 + 1) / (n1 + 2) for a pass and 1 / (n0 + 2) for a fail, n1 and n0 passes and fails

    Source: Platt (1999), Probabilistic Outputs for Support Vector Machines.

    >>> fit_platt([1, 2, 3, 4, 5, 6], [0, 0, 1, 0, 1, 1])([3.5]).round(3).tolist()
    [0.5]
    """
    x, y, w = _weighted(judge, passed, weights)
    if not np.isin(y, (0, 1)).all():
        raise InputError("a pass is 1 and a fail 0", field="passed", remedy="Use fit_ordinal for levels.")
    n1, n0 = float(w @ y), float(w @ (1 - y))
    target = np.where(y == 1, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    levels = np.repeat([1.0, 0.0], x.size)
    fit = fit_cumulative_logit(levels, np.tile(x, 2), np.r_[w * target, w * (1 - target)])
    return PlattMap(-float(fit.cuts[0]), float(fit.slopes[0]))


@dataclass(frozen=True, eq=False, slots=True)
class OrdinalMap:
    """Expected human level given the judge's score; `model` has the probability of each level."""

    model: CumulativeLogit

    def __call__(self, scores: ArrayLike) -> Scores:
        return self.model.expected(np.asarray(scores, dtype=np.float64))


def fit_ordinal(judge: ArrayLike, human: ArrayLike, weights: ArrayLike | None = None) -> OrdinalMap:
    """A cumulative logit of the human levels on the judge's score. Source: McCullagh (1980)."""
    x, y, w = _weighted(judge, human, weights)
    return OrdinalMap(fit_cumulative_logit(y, x, w))


def _weighted(judge: ArrayLike, human: ArrayLike, weights: ArrayLike | None) -> tuple[Scores, Scores, Scores]:
    y, x = paired(human, judge)
    return x, y, np.ones(x.size) if weights is None else response_weights(weights, x.size)


def random_folds(size: int, folds: int, rng: np.random.Generator) -> Whole:
    """A fold for each item, all of about the same size."""
    if not 2 <= folds <= size:
        raise InputError(f"{size} items cannot be parted into {folds} folds", field="folds")
    return np.asarray(rng.permutation(np.arange(size) % folds), dtype=np.int64)


def cross_fitted(
    fit: Fit, judge: ArrayLike, human: ArrayLike, folds: ArrayLike, weights: ArrayLike | None = None
) -> Scores:
    """The calibrated score of each item, from a map learned on the other folds.

    >>> folds = random_folds(6, 3, np.random.default_rng(1))
    >>> cross_fitted(fit_isotonic, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], folds).round(1).tolist()
    [2.0, 2.0, 3.0, 4.0, 5.0, 5.0]
    """
    x, y, w = _weighted(judge, human, weights)
    codes = np.asarray(folds)
    if codes.shape != x.shape:
        raise InputError(f"got {codes.size} folds for {x.size} items", field="folds")
    calibrated = np.empty(x.size)
    for code in np.unique(codes):
        out = codes == code
        calibrated[out] = fit(x[~out], y[~out], w[~out])(x[out])
    return calibrated


@dataclass(frozen=True, eq=False, slots=True)
class ReliabilityCurve:
    """Predicted and observed means, class by class."""

    predicted: Scores
    observed: Scores
    low: Scores
    high: Scores
    """95% interval of the observed mean; NaN for a class of one score."""
    items: Whole


def reliability_curve(predicted: ArrayLike, human: ArrayLike, *, classes: int = 10) -> ReliabilityCurve:
    """What people gave to items of about the same prediction; classes have about the same number of items.

    Intervals are Wilson's for 0 and 1, Student's otherwise. Source: DeGroot & Fienberg (1983).

    >>> curve = reliability_curve([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 0], classes=2)
    >>> curve.observed.tolist()
    [0.0, 0.5]
    """
    y, p = paired(human, predicted)
    edges = np.unique(np.quantile(p, np.arange(1, classes) / classes))
    _, group = np.unique(np.searchsorted(edges, p, side="right"), return_inverse=True)
    size = np.bincount(group)
    observed = np.bincount(group, y) / size
    low, high = np.full(size.size, nan), np.full(size.size, nan)
    binary = bool(np.isin(y, (0, 1)).all())
    for place, (n, mean) in enumerate(zip(size.tolist(), observed.tolist(), strict=True)):
        if binary:
            low[place], high[place] = wilson_interval(mean, n)
        elif n > 1:
            reach = float(stdtrit(n - 1, 0.975)) * float(np.std(y[group == place], ddof=1)) / sqrt(n)
            low[place], high[place] = mean - reach, mean + reach
    return ReliabilityCurve(np.bincount(group, p) / size, observed, low, high, size)


def brier_score(predicted: ArrayLike, passed: ArrayLike) -> Estimate:
    """Mean squared distance of a probability from what happened: 0 is perfect; the mean squared error for scores.

    Interval: Student's over items. Source: Brier (1950).

    >>> brier_score([0.9, 0.2, 0.6, 0.4], [1, 0, 1, 1])
    Estimate(0.1425, 0 to 0.3952)
    """
    y, p = paired(passed, predicted)
    return _mean((p - y) ** 2)


def _mean(values: Scores) -> Estimate:
    value = float(values.mean())
    if values.size < 2 or np.ptp(values) == 0:
        return Estimate(value, reason="too few items" if values.size < 2 else "the same for every item")
    reach = float(stdtrit(values.size - 1, 0.975)) * float(np.std(values, ddof=1)) / sqrt(values.size)
    return Estimate(value, max(value - reach, 0.0), value + reach)


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """Expected calibration error, beside what a perfectly calibrated judge would show by chance."""

    value: float
    by_chance: float
    classes: int


def ece(predicted: ArrayLike, passed: ArrayLike, *, classes: int = 10) -> CalibrationError:
    """Mean distance of predicted from observed rates over classes of equal width from 0 to 1, weighted by items.

    ECE = sum over classes of n_b / n |observed_b - predicted_b|;  by chance sum of n_b / n sqrt(2 v_b / (pi n_b)),
    v_b the mean of p (1 - p): never 0, even for a perfect judge

    Source: Naeini, Cooper & Hauskrecht (2015); Guo, Pleiss, Sun & Weinberger (2017).

    >>> round(ece([0.9, 0.2, 0.6, 0.4], [1, 0, 1, 1]).value, 3)
    0.325
    """
    y, p = paired(passed, predicted)
    if ((p < 0) | (p > 1)).any() or not np.isin(y, (0, 1)).all():
        raise InputError("probabilities lie within 0 to 1, a pass is 1 and a fail 0", field="predicted")
    # closed on the right, as in the source
    _, group = np.unique(np.maximum(np.ceil(p * classes), 1), return_inverse=True)
    size = np.bincount(group)
    gap = np.abs(np.bincount(group, y) - np.bincount(group, p)) / size
    chance = np.sqrt(2 * (np.bincount(group, p * (1 - p)) / size) / (pi * size))
    return CalibrationError(float(size @ gap) / p.size, float(size @ chance) / p.size, size.size)
