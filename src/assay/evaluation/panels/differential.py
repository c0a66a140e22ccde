"""Whether scores differ between groups of equal standing: Mantel-Haenszel, Mantel and logistic regression.

Here the score of an engine or a judge is the outcome, and what it should depend on alone (the human score, a total) is
the matching variable: responses of the focal group are compared with those of the reference group at the same level.
"""

from dataclasses import dataclass
from math import exp, log, nan, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtri

from assay.errors import InputError
from assay.evaluation.panels.cumulative_logit import CumulativeLogit, fit_cumulative_logit
from assay.metrics.bins import Scores
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import float_array, response_weights

DELTA = -2.35
"""ETS's scale of item difficulty: delta units for one unit of log odds."""


@dataclass(frozen=True, slots=True)
class MantelHaenszel:
    """Odds of passing of the reference group over those of the focal group, at equal standing."""

    odds_ratio: Estimate
    delta: Estimate
    """-2.35 log(odds ratio): below 0 when the focal group has it harder."""
    chi_square: float
    p: float
    category: Literal["A", "B", "C", "n/a"]
    """ETS's classes: A negligible, B moderate, C large."""
    strata: int
    """Levels of the matching variable at which both groups are present."""
    unmatched: int
    """Responses at levels where only one group is present, which say nothing."""


def mantel_haenszel(
    passed: ArrayLike, focal: ArrayLike, matching: ArrayLike, weights: ArrayLike | None = None
) -> MantelHaenszel:
    """Common odds ratio over the levels of the matching variable; `passed` and `focal` are 0 and 1.

    odds ratio = sum(A D / N) / sum(B C / N), with A, B passes and fails of the reference group, C, D of the focal group
    chi-square = (|sum(A) - sum(E(A))| - 1/2)^2 / sum(var(A)), one degree of freedom

    Undefined when no level has both groups, or when at all levels one cell is empty. Weights count as numbers of
    responses. Source: Mantel & Haenszel (1959); Robins, Breslow & Greenland (1986) for the standard error; Holland &
    Thayer (1988), Zieky (1993) for delta and the classes.

    >>> passed, focal = [1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1]
    >>> mantel_haenszel(passed, focal, [1] * 6 + [2] * 6).odds_ratio
    Estimate(10, 0.5724 to 174.7)
    """
    table = _matched(passed, focal, matching, weights)
    if not np.isin(table.score, (0, 1)).all():
        raise InputError("a pass is 1 and a fail 0", field="passed", remedy="Cut the scores, or use mantel.")
    a, b, c, d = (
        table.sums(((table.focal == group) & (table.score == outcome)).astype(np.float64))[table.both]
        for group, outcome in ((0, 1), (0, 0), (1, 1), (1, 0))
    )
    n = a + b + c + d
    strata, unmatched = int(table.both.sum()), table.unmatched
    r, s = float((a * d / n).sum()), float((b * c / n).sum())
    if r <= 0 or s <= 0:
        none = Estimate(nan, reason=_why(strata))
        return MantelHaenszel(none, none, nan, nan, "n/a", strata, unmatched)
    p_, q, r_, s_ = (a + d) / n, (b + c) / n, a * d / n, b * c / n
    variance = (p_ * r_).sum() / (2 * r * r) + (p_ * s_ + q * r_).sum() / (2 * r * s) + (q * s_).sum() / (2 * s * s)
    error, centre = sqrt(float(variance)), log(r / s)
    reach = float(ndtri(0.975)) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = float(np.nansum((a + b) * (c + d) * (a + c) * (b + d) / (n * n * (n - 1))))
    missed = max(abs(float((a - (a + b) * (a + c) / n).sum())) - 0.5, 0.0)
    chi = missed**2 / spread if spread > 0 else nan
    delta = DELTA * centre
    return MantelHaenszel(
        Estimate(r / s, exp(centre - reach), exp(centre + reach)),
        Estimate(delta, delta + DELTA * reach, delta - DELTA * reach),
        chi,
        float(chdtrc(1, chi)),
        _category(delta, abs(DELTA) * error),
        strata,
        unmatched,
    )


def _category(delta: float, error: float) -> Literal["A", "B", "C"]:
    """A below 1 or not different from 0; C from 1.5 on and surely above 1; B between. Source: Zieky (1993)."""
    size = abs(delta)
    if size < 1 or size / error < float(ndtri(0.975)):
        return "A"
    return "C" if size >= 1.5 and (size - 1) / error > float(ndtri(0.95)) else "B"


def _why(strata: int) -> str:
    return "no level has both groups" if not strata else "a group has only passes or only fails"


@dataclass(frozen=True, eq=False, slots=True)
class _Matched:
    score: Scores
    focal: Scores
    stratum: np.ndarray
    weight: Scores
    both: np.ndarray
    """Whether a level has both groups."""

    @property
    def unmatched(self) -> int:
        return int((~self.both[self.stratum]).sum())

    def sums(self, values: Scores) -> Scores:
        return np.asarray(np.bincount(self.stratum, values * self.weight, self.both.size), dtype=np.float64)


def _matched(score: ArrayLike, focal: ArrayLike, matching: ArrayLike, weights: ArrayLike | None) -> _Matched:
    y, group, level = (
        float_array(values, field) for values, field in ((score, "score"), (focal, "focal"), (matching, "matching"))
    )
    if not y.shape == group.shape == level.shape or y.ndim != 1:
        raise InputError("score, focal and matching have one entry for each response", field="focal")
    w = np.ones(y.size) if weights is None else response_weights(weights, y.size)
    usable = np.isfinite(y) & np.isfinite(group) & np.isfinite(level) & (w > 0)
    if not np.isin(group[usable], (0, 1)).all():
        raise InputError("the focal group is 1, the reference group 0", field="focal")
    _, stratum = np.unique(level[usable], return_inverse=True)
    sizes = [np.bincount(stratum, group[usable] == code, minlength=int(stratum.max(initial=-1)) + 1) for code in (0, 1)]
    both = (sizes[0] > 0) & (sizes[1] > 0)
    return _Matched(y[usable], group[usable], stratum, w[usable], both)


@dataclass(frozen=True, slots=True)
class Mantel:
    """The same for scores of more than two points."""

    difference: Estimate
    """Mean score of the focal group minus that of the reference group at equal standing, in score points."""
    standardized: float
    """The same in standard deviations of the score."""
    chi_square: float
    p: float
    strata: int
    unmatched: int


def mantel(score: ArrayLike, focal: ArrayLike, matching: ArrayLike) -> Mantel:
    """Mantel's test and the standardized mean difference.

    difference = sum over levels of (share of the focal group) * (focal mean - reference mean)
    chi-square = (sum(F) - sum(E(F)))^2 / sum(var(F)), F the sum of the focal group's scores at a level

    Undefined when no level has both groups. The interval takes the variance within each level and group; levels with
    one response of a group take that of the other levels. Source: Mantel (1963); Dorans & Schmitt (1991) for the
    difference; Zwick & Thayer (1996) for its variance.

    >>> score, focal = [3, 4, 2, 3, 5, 4, 4, 3], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> mantel(score, focal, [1, 1, 1, 1, 2, 2, 2, 2]).difference
    Estimate(-1, -1.98 to -0.02002)
    """
    table = _matched(score, focal, matching, None)
    if not table.both.any():
        none = Estimate(nan, reason=_why(0))
        return Mantel(none, nan, nan, nan, 0, table.unmatched)
    y, group, both = table.score, table.focal, table.both
    f, r = table.sums(group)[both], table.sums(1 - group)[both]
    focal_sum, all_sum, squares = (table.sums(values)[both] for values in (y * group, y, y * y))
    n = f + r
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.nansum(f * r * (n * squares - all_sum**2) / (n * n * (n - 1)))
    chi = float((focal_sum - f * all_sum / n).sum() ** 2 / spread) if spread > 0 else nan
    share = f / f.sum()
    means = (focal_sum / f, (all_sum - focal_sum) / r)
    gap = float(share @ (means[0] - means[1]))
    variance = 0.0
    for size, mean, mine in ((f, means[0], group), (r, means[1], 1 - group)):
        within = table.sums(mine * y * y)[both] - size * mean**2
        pooled = within.sum() / max(float((size - 1).sum()), 1.0)
        own = np.where(size > 1, within / np.maximum(size - 1, 1), pooled)
        variance += float((share**2 * own / size).sum())
    reach = float(ndtri(0.975)) * sqrt(max(variance, 0.0))
    sd = float(np.std(y))
    estimate = Estimate(gap, gap - reach, gap + reach) if variance > 0 else Estimate(gap, reason="no spread")
    return Mantel(estimate, gap / sd if sd else nan, chi, float(chdtrc(1, chi)), int(both.sum()), table.unmatched)


@dataclass(frozen=True, eq=False, slots=True)
class LogisticDif:
    """Tests of nested logistic regressions: level ~ matching [+ group [+ group x matching]]."""

    group: Estimate
    """Log odds by which the focal group is ahead at equal standing."""
    uniform_chi_square: float
    uniform_p: float
    nonuniform_chi_square: float
    nonuniform_p: float
    """Small when the gap depends on the standing."""
    r2_gain: float
    """Nagelkerke's R2 of the largest model minus that of the smallest: below 0.035 negligible, from 0.07 on large."""
    cautions: tuple[str, ...] = ()


def logistic_dif(
    levels: ArrayLike, focal: ArrayLike, matching: ArrayLike, weights: ArrayLike | None = None
) -> LogisticDif:
    """Differential functioning by logistic regression, for two or more ordered levels.

    Chi-squares are twice the gain in log likelihood, with one degree of freedom each. NaN where the groups or the
    matching variable separate the levels. Source: Swaminathan & Rogers (1990); Zumbo (1999) for ordered levels;
    Jodoin & Gierl (2001) for the classes of R2.

    >>> rng = np.random.default_rng(2)
    >>> level, focal = rng.integers(0, 5, 400), rng.integers(0, 2, 400)
    >>> fit = logistic_dif((rng.random(400) < 1 / (1 + np.exp(2 - level + focal))).astype(float), focal, level)
    >>> fit.group.high < 0, fit.uniform_p < 0.001
    (True, True)
    """
    table = _matched(levels, focal, matching, weights)
    place = float_array(matching, "matching")
    usable = np.isfinite(float_array(levels, "levels")) & np.isfinite(float_array(focal, "focal")) & np.isfinite(place)
    if weights is not None:
        usable &= response_weights(weights, place.size) > 0
    x = place[usable]
    x = (x - x.mean()) / (x.std() or 1.0)
    columns = [x, table.focal, x * table.focal]
    fits = [fit_cumulative_logit(table.score, np.stack(columns[:k], axis=1), table.weight) for k in (1, 2, 3)]
    notes = tuple(dict.fromkeys(note for fit in fits for note in fit.cautions))
    gains = [2 * (fits[k + 1].log_likelihood - fits[k].log_likelihood) for k in (0, 1)]
    tests = [nan if notes else max(gain, 0.0) for gain in gains]
    return LogisticDif(
        fits[1].slope(1),
        tests[0],
        float(chdtrc(1, tests[0])),
        tests[1],
        float(chdtrc(1, tests[1])),
        _nagelkerke(fits[2], table) - _nagelkerke(fits[0], table),
        notes,
    )


def _nagelkerke(fit: CumulativeLogit, table: _Matched) -> float:
    """Share of the largest possible gain in likelihood. Source: Nagelkerke (1991)."""
    n = float(table.weight.sum())
    counts = np.bincount(np.unique(table.score, return_inverse=True)[1], table.weight)
    null = float(counts @ np.log(counts / n))
    return (1 - exp(2 * (null - fit.log_likelihood) / n)) / (1 - exp(2 * null / n))
