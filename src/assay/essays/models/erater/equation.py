"""`Equation`: weights and cutoffs fitted to essays, and how well it does on essays it has not seen.

`CommonScale` compares essays of different programs - grades, tests. Source: Attali & Burstein (2005), last page:
grade-level models with the same features "provide an opportunity to interpret automated writing scores in a cross-grade
perspective". The paper gives no formula; this one is ours, after its Tables 7 and 9, which score every grade with the
average relative weights of all programs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.essays.models.cutoffs import CutoffRule, Cutoffs
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.weights import Curves, FeatureWeights, fit_curves, fit_weights, worth_weights
from assay.essays.models.scoring_model import ErrorBand
from assay.metrics.agreement import exact_agreement
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
from assay.scale import ScoreScale

FOLDS = 10
COVERED = (5.0, 95.0)
"""Percentiles between which an interval for a score lies."""
LEAST_PER_LEVEL = 40
"""Essays that a score point needs for an interval of its own; with fewer, those of the nearest points join."""
CENTRE = 500.0
SPREAD = 100.0


@dataclass(frozen=True, eq=False, slots=True)
class Equation(ReadOnlyArrays):
    """What turns the features of an essay into a score: one per prompt, per program, or one for all."""

    weights: FeatureWeights
    cutoffs: Cutoffs
    percentiles: Floats
    """(101,): the raw scores below which 0, 1 ... 100 % of the training essays lie."""
    errors: ErrorBand
    essays: int
    """Training essays."""
    agreement: Mapping[str, float]
    """qwk, kappa, exact agreement and r with the human scores of training essays, each scored by a model that had not
    seen it."""
    curves: Curves | None = None
    """Turns features into what they are worth, which is what the weights weigh; None where they weigh features."""


def fit_equation(
    names: Sequence[str],
    values: Floats,
    average: Floats,
    resolved: Floats,
    *,
    scale: ScoreScale,
    fixed: Mapping[str, float],
    cutoffs: CutoffRule,
    keep_wrong_signs: bool = False,
    ridge: float = 0.0,
    curved: bool = False,
) -> Equation:
    """Weights from the average human scores, cutoffs from the resolved ones; `curved` weighs what features are worth.

    Cutoffs, percentiles and intervals come from predictions for essays left out in turn (ten folds): raw scores of
    essays the weights have seen spread a little too far.
    """

    def fitted(rows: NDArray[np.intp], *, drop_constant: bool) -> tuple[FeatureWeights, Curves | None]:
        curves = fit_curves(values[rows], average[rows]) if curved else None
        taken = curves.worth(values[rows]) if curves else values[rows]
        if curves and not fixed:
            return worth_weights(names, taken, average[rows], drop_constant=drop_constant), curves
        how = {"keep_wrong_signs": keep_wrong_signs, "drop_constant": drop_constant}
        return fit_weights(names, taken, average[rows], fixed=fixed, ridge=ridge, **how), curves

    fold = dealt_folds(average, FOLDS)
    weights, curves = fitted(np.arange(len(values)), drop_constant=False)
    raw = np.empty(len(values))
    for number in range(FOLDS):
        # without these essays a feature may not vary; it does with them, so it is no mistake
        others, bent = fitted(np.flatnonzero(fold != number), drop_constant=True)
        own = values[fold == number]
        raw[fold == number] = others.predict(bent.worth(own) if bent else own)
    figures = judged(raw, resolved, cutoffs(raw, resolved, scale), step=scale.step)
    return Equation(weights=weights, essays=len(values), curves=curves, **figures)


def judged(raw: Floats, resolved: Floats, cutoffs: Cutoffs, *, step: float = 1.0) -> dict[str, Any]:
    """What a model has beside its weights, from raw scores of essays it had not seen: as arguments of a model."""
    given, error, ends = cutoffs.assign(raw), resolved - raw, []
    for point in cutoffs.points.tolist():
        away = np.abs(given - point)
        reach = np.sort(away)[min(LEAST_PER_LEVEL, len(away)) - 1]
        ends.append(np.percentile(error[away <= reach], COVERED))
    return {
        "cutoffs": cutoffs,
        "percentiles": np.percentile(raw, np.arange(101)),
        "errors": ErrorBand(cutoffs.points.copy(), *np.array(ends).T),
        "agreement": agreement(resolved, raw, given, step=step),
    }


def agreement(human: Floats, raw: Floats, system: Floats, *, step: float = 1.0) -> dict[str, float]:
    """The figures a model reports of itself; kappa and exact agreement count points of the scale's own step."""
    points, given = human / step, system / step
    return {
        "qwk": quadratic_weighted_kappa(human, system),
        "kappa": cohen_kappa(points, given),
        "exact": exact_agreement(points, given),
        "r": pearson_r(human, raw),
    }


@dataclass(frozen=True, eq=False, slots=True)
class CommonScale(ReadOnlyArrays):
    """One yardstick for all programs: 500 is the average essay of all, 100 one standard deviation.

    value = 500 + 100 * (sum of weight_i * (x_i - mean_i) / sd_i) / spread

    Weights are the mean over programs of the relative weights, with their signs; means and standard deviations are
    those of the essays of all programs, each program counting the same.
    """

    mean: Floats
    sd: Floats
    weights: Floats
    spread: float
    landmarks: Mapping[str, Mapping[float, float]]
    """For each program, the mean value of the essays that people gave each score: a 4 in grade 6, a 4 in grade 8."""

    def values(self, features: Floats) -> Floats:
        """(essays,): the place of each essay, from its (essays, features) in their model shapes; NaN counts as mean."""
        filled = np.where(np.isnan(features), self.mean, features)
        return np.asarray(CENTRE + SPREAD * ((filled - self.mean) / self.sd) @ self.weights / self.spread)


def fit_common_scale(
    features: Floats, scores: Floats, programs: Sequence[str], weights: Mapping[str, FeatureWeights]
) -> CommonScale:
    """The common scale of several programs, from the essays of all and the weights of each."""
    member = np.array(programs)
    share = np.array([1 / (member == program).sum() for program in programs])
    share /= share.sum()  # each program weighs the same, however many essays it has
    known = np.isfinite(features)
    mass = (known * share[:, None]).sum(axis=0)
    mean = (np.where(known, features, 0.0) * share[:, None]).sum(axis=0) / mass
    filled = np.where(known, features, mean)
    sd = np.sqrt((share[:, None] * (filled - mean) ** 2).sum(axis=0))
    relative = np.mean([own.relative * np.sign(own.standardised) for own in weights.values()], axis=0)
    composite = ((filled - mean) / sd) @ relative
    spread = float(np.sqrt((share * composite**2).sum()))
    values = CommonScale(mean, sd, relative, spread, {}).values(features)
    landmarks = {
        program: {
            float(point): float(values[(member == program) & (scores == point)].mean())
            for point in np.unique(scores[member == program])
        }
        for program in weights
    }
    return CommonScale(mean, sd, relative, spread, landmarks)
