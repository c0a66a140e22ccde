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
from assay.scale import ScoreScale

FOLDS = 10
COVERED = (5.0, 95.0)
"""Percentiles between which an interval for a score lies."""
LEAST_PER_LEVEL = 40
"""Essays that a score point needs for an interval of its own; with fewer, those of the nearest points join."""


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
    from assay.metrics.agreement import exact_agreement  # noqa: PLC0415 - a model that scores needs no metrics
    from assay.metrics.correlation import pearson_r  # noqa: PLC0415
    from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa  # noqa: PLC0415

    points, given = human / step, system / step
    return {
        "qwk": quadratic_weighted_kappa(human, system),
        "kappa": cohen_kappa(points, given),
        "exact": exact_agreement(points, given),
        "r": pearson_r(human, raw),
    }
