"""Means and rates from few human labels and many of a judge, with intervals that hold whatever the judge is like.

The judge's mean over many items is corrected by what the labeled items show of its error. The interval is valid for
any judge; a better judge makes it shorter. It rests on one assumption: the labeled items are a random sample of all,
or were drawn with known probabilities that come in as weights (1 / probability).
"""

from dataclasses import dataclass
from math import ceil, isfinite, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from assay.errors import Field, InputError
from assay.metrics.bins import Scores
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import float_array, paired, response_weights

LEVEL = 0.95
FEW_LABELS = 50
"""Below so many labels the normal interval is too short: docs/reference/panel-simulations.md has how much."""
MOST = 10_000_000


@dataclass(frozen=True, eq=False, slots=True)
class PredictionPowered:
    """The corrected mean beside the one of the labels alone and the judge's own."""

    mean: Estimate
    human_only: Estimate
    """The mean of the labeled items alone."""
    judge_only: float
    """The judge's mean over all items, which has the judge's bias."""
    power: float
    """How far the judge is used: 0 not at all, 1 as plain prediction-powered inference does."""
    labels: int
    unlabeled: int
    effective_labels: float
    """How many labels alone would give so short an interval."""
    label_variance: float
    """Variance of human minus power * judge, for one labeled item."""
    judge_variance: float
    """Variance of power * judge, for one unlabeled item."""
    cautions: tuple[str, ...] = ()


def prediction_powered_mean(
    human: ArrayLike,
    judge: ArrayLike,
    unlabeled: ArrayLike,
    *,
    power: float | None = None,
    weights: ArrayLike | None = None,
    unlabeled_weights: ArrayLike | None = None,
) -> PredictionPowered:
    """The mean human score of all items, from human and judge on few of them and the judge on the others.

    mean = p mean(judge, unlabeled) + mean(human - p judge, labeled)
    variance = p^2 var(judge, unlabeled) / N + var(human - p judge) / n,  interval mean +- 1.96 standard errors
    power p = cov(human, judge) / ((1 + n / N) var(judge, all items)), within 0 to 1, unless it is given

    NaN with fewer than two labels. A rate is the mean of 0 and 1. Source: Angelopoulos, Bates, Fannjiang, Jordan &
    Zrnic (2023), Prediction-Powered Inference; Angelopoulos, Duchi & Zrnic (2023), PPI++, for the power. Equal to
    ppi-python's `ppi_mean_ci` without weights; with weights its variance depends on where the scale begins, ours does
    not (decision 0495).

    >>> fit = prediction_powered_mean([1, 2, 3, 4], [1.1, 2.2, 2.9, 4.1], [2.0, 3.0, 3.5, 1.0, 2.5, 2.2, 3.1, 2.8])
    >>> fit.mean
    Estimate(2.439, 1.927 to 2.95)
    """
    y, f = paired(human, judge)
    g = _judged(unlabeled)
    n, size = y.size, g.size
    w = np.ones(n) if weights is None else _mean_one(response_weights(weights, n))
    v = np.ones(size) if unlabeled_weights is None else _mean_one(response_weights(unlabeled_weights, size))
    if n < 2:
        nothing = Estimate(nan, reason="fewer than two human labels")
        return PredictionPowered(nothing, nothing, float(v @ g / size), nan, n, size, nan, nan, nan)
    p = _best_power(y, f, g, w, v) if power is None else float(power)
    judged, rectifier = float(v @ g) / size, float(w @ (y - p * f)) / n
    # deviations from the weighted means: the variance must not depend on where the scale begins
    judge_variance = float(np.mean((v * (p * g - p * judged)) ** 2))
    label_variance = float(np.mean((w * (y - p * f - rectifier)) ** 2))
    alone = float(np.mean((w * (y - float(w @ y) / n)) ** 2))
    variance = judge_variance / size + label_variance / n
    return PredictionPowered(
        mean=_normal(p * judged + rectifier, variance),
        human_only=_normal(float(w @ y) / n, alone / n),
        judge_only=judged,
        power=p,
        labels=n,
        unlabeled=size,
        effective_labels=alone / variance if variance else nan,
        label_variance=label_variance,
        judge_variance=judge_variance,
        cautions=_cautions(n, p, alone),
    )


def _judged(unlabeled: ArrayLike) -> Scores:
    g = float_array(unlabeled, "unlabeled")
    if g.ndim != 1 or g.size == 0 or not np.isfinite(g).all():
        remedy = "Give the judge's score of each item without a human label, at least one."
        raise InputError((Field("unlabeled"), " is not a list of scores"), field="unlabeled", remedy=remedy)
    return g


def _mean_one(weights: Scores) -> Scores:
    return np.asarray(weights / weights.sum() * weights.size)


def _best_power(y: Scores, f: Scores, g: Scores, w: Scores, v: Scores) -> float:
    """The power that makes the interval shortest; 0 for a judge without variance."""
    plain = float(v @ g) / g.size + float(w @ (y - f)) / y.size
    human, labeled, others = w * (y - plain), w * (f - plain), v * (g - plain)
    covariance = float(np.mean((human - human.mean()) * (labeled - labeled.mean())))
    spread = float(np.var(np.concatenate([labeled, others]), ddof=1))
    if spread <= 0:
        return 0.0
    return min(max(covariance / ((1 + y.size / g.size) * spread), 0.0), 1.0)


def _normal(value: float, variance: float) -> Estimate:
    if variance == 0:
        return Estimate(value, reason="no spread among the labels")
    reach = float(ndtri((1 + LEVEL) / 2)) * sqrt(variance)
    return Estimate(value, value - reach, value + reach)


def _cautions(labels: int, power: float, alone: float) -> tuple[str, ...]:
    notes = []
    if labels < FEW_LABELS:
        notes.append(f"{labels} human labels: with fewer than {FEW_LABELS} the interval is too short.")
    if power == 0:
        notes.append("The judge does not go with the human labels and was not used.")
    if alone == 0:
        notes.append("All human labels are equal: their spread says nothing about the mean of all items.")
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """The share of items that pass, corrected for the judge's errors."""

    rate: Estimate
    judged: float
    """The share that passes by the judge."""
    sensitivity: float
    specificity: float
    cautions: tuple[str, ...] = ()


def rogan_gladen(human: ArrayLike, judge: ArrayLike, unlabeled: ArrayLike) -> CorrectedRate:
    """The rate of passes from a judge's rate, its sensitivity and its specificity; labels are 0 and 1.

    rate = (judged + specificity - 1) / (sensitivity + specificity - 1), within 0 to 1

    Sensitivity and specificity come from the labeled items, `judged` from the others. NaN when no labeled item passed
    or none failed, or when the judge is no better than chance (sensitivity + specificity <= 1). The interval is that
    of Lang & Reiczigel (2014), Confidence limits for prevalence of disease adjusted for estimated sensitivity and
    specificity, which allows for all three being estimated. Source: Rogan & Gladen (1978).

    >>> human, judge = [1] * 40 + [0] * 60, [1] * 36 + [0] * 4 + [1] * 6 + [0] * 54
    >>> rogan_gladen(human, judge, [1] * 300 + [0] * 700).rate
    Estimate(0.25, 0.1486 to 0.3312)
    """
    y, f = paired(human, judge)
    g = _judged(unlabeled)
    for values in (y, f, g):
        if not np.isin(values, (0, 1)).all():
            raise InputError("a pass is 1 and a fail 0", field="human", remedy="Cut the scores into pass and fail.")
    passed, failed = int(y.sum()), int(y.size - y.sum())
    judged = float(g.mean())
    if not passed or not failed:
        which = "passed" if not passed else "failed"
        return CorrectedRate(Estimate(nan, reason=f"no labeled item {which}"), judged, nan, nan)
    sensitivity, specificity = float(f[y == 1].mean()), float(1 - f[y == 0].mean())
    if sensitivity + specificity <= 1:
        reason = "the judge is no better than chance"
        return CorrectedRate(Estimate(nan, reason=reason), judged, sensitivity, specificity)
    rate = min(max((judged + specificity - 1) / (sensitivity + specificity - 1), 0.0), 1.0)
    low, high = _lang_reiczigel(judged, g.size, sensitivity, passed, specificity, failed)
    notes = tuple(
        f"{count} labeled items {which}: the judge's error rates are hardly known."
        for count, which in ((passed, "passed"), (failed, "failed"))
        if count < 10
    )
    if low >= 1 or high <= 0:
        estimate = Estimate(rate, reason="the judge's rate does not fit its errors on the labeled items")
        notes = (*notes, "The labeled items seem unlike the others: the corrected rate lies outside 0 to 1.")
    else:
        estimate = Estimate(rate, min(max(low, 0.0), rate), max(min(high, 1.0), rate))
    return CorrectedRate(estimate, judged, sensitivity, specificity, notes)


def _lang_reiczigel(
    judged: float, n: int, sensitivity: float, passed: int, specificity: float, failed: int
) -> tuple[float, float]:
    z2 = float(ndtri((1 + LEVEL) / 2)) ** 2
    q = (n * judged + z2 / 2) / (n + z2)
    se, sp = (passed * sensitivity + 1) / (passed + 2), (failed * specificity + 1) / (failed + 2)
    youden = se + sp - 1
    if youden <= 0:
        return 0.0, 1.0
    p = (q + sp - 1) / youden
    of_se, of_sp = se * (1 - se) / (passed + 2), sp * (1 - sp) / (failed + 2)
    error = sqrt(q * (1 - q) / (n + z2) + p * p * of_se + (1 - p) ** 2 * of_sp) / youden
    shift = 2 * z2 * (p * of_se - (1 - p) * of_sp)
    reach = sqrt(z2) * error
    return p + shift - reach, p + shift + reach


def labels_needed(fit: PredictionPowered, within: float) -> int | None:
    """Human labels in all until the interval of the corrected mean is within +- so much, if the spread stays as it is.

    n = label variance / ((within / 1.96)^2 - judge variance / N)

    None when the judge's items alone leave a wider interval, when there is no spread to go by, or when more than
    ten million labels would be needed.

    >>> fit = prediction_powered_mean([1, 2, 3, 4], [1.1, 2.2, 2.9, 4.1], np.tile([2.0, 3.0, 3.5, 1.0], 100))
    >>> labels_needed(fit, 0.1)
    40
    """
    if not 0 < within < float("inf"):
        raise InputError(f"the half-width must be above 0, got {within:g}", field="within")
    if not isfinite(fit.label_variance) or fit.label_variance == 0:
        return None
    room = (within / float(ndtri((1 + LEVEL) / 2))) ** 2 - fit.judge_variance / fit.unlabeled
    if room <= 0 or fit.label_variance / room > MOST:
        return None
    return max(ceil(fit.label_variance / room), 2)


@dataclass(frozen=True, eq=False, slots=True)
class LabelPlan:
    """Items to label next, and how likely each was to be drawn."""

    items: NDArray[np.int64]
    probability: Scores
    """Chance of each of these items to be drawn; 1 / probability is its weight in `prediction_powered_mean`."""


def labels_next(uncertainty: ArrayLike, count: int, rng: np.random.Generator) -> LabelPlan:
    """Items to label next: a random sample that favors items whose human label is hard to foresee.

    `uncertainty` is the expected size of the judge's error on each item without a label (the standard deviation of
    several judges or runs, say); NaN counts as the mean. Half of the chance is spread evenly, half by uncertainty, so
    that no item is out of reach and weights stay bounded; items are drawn by systematic sampling in random order.
    Source: Zrnic & Candès (2024), Active Statistical Inference, for the rule and the even share.

    >>> plan = labels_next([0.0, 0.0, 1.0, 1.0], 2, np.random.default_rng(1))
    >>> plan.items.tolist(), plan.probability.tolist()
    ([0, 2], [0.25, 0.75])
    """
    spread = float_array(uncertainty, "uncertainty")
    if spread.ndim != 1 or (spread < 0).any():
        raise InputError("uncertainty is a list of sizes of errors, none below 0", field="uncertainty")
    count = min(count, spread.size)
    if count <= 0:
        return LabelPlan(np.zeros(0, dtype=np.int64), np.zeros(0))
    known = spread[np.isfinite(spread)]
    spread = np.where(np.isfinite(spread), spread, known.mean() if known.size else 1.0)
    size = spread / spread.mean() if spread.sum() > 0 else np.ones_like(spread)
    chance = _inclusion(0.5 + 0.5 * size, count)
    order = rng.permutation(chance.size)
    edges = np.cumsum(chance[order])
    edges *= count / edges[-1]
    picked = np.unique(order[np.minimum(np.searchsorted(edges, rng.random() + np.arange(count)), chance.size - 1)])
    return LabelPlan(picked.astype(np.int64), chance[picked])


def _inclusion(size: Scores, count: int) -> Scores:
    """Chances proportional to size that add up to `count`, none above 1."""
    chance = np.zeros_like(size)
    sure = np.zeros(size.size, dtype=np.bool_)
    while True:
        chance[~sure] = size[~sure] * (count - sure.sum()) / size[~sure].sum() if (~sure).any() else 0.0
        over = ~sure & (chance >= 1)
        if not over.any():
            return chance
        chance[over] = 1.0
        sure |= over
