"""`Equation`: weights and cutoffs fitted to essays, and how well it does on essays it has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.cutoffs import CutoffRule, Cutoffs
from assay.essays.models.erater.curves import Curves, fit_curves
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.weights import FeatureWeights, fit_weights, worth_weights
from assay.essays.models.scoring_model import ErrorBand
from assay.metrics.agreement import exact_agreement
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

FOLDS = 10
COVERED = (5.0, 95.0)
"""Percentiles between which an interval for a score lies."""
LEAST_PER_LEVEL = 40
"""Essays that a score point needs for an interval of its own; with fewer, those of the nearest points join."""


@dataclass(frozen=True, eq=False, slots=True)
class Equation:
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

    def __post_init__(self) -> None:
        self.percentiles.flags.writeable = False

    def weighed(self, values: Floats) -> Floats:
        """(essays, features): what the weights take of features in their shapes."""
        return self.curves.worth(values) if self.curves else values

    def percentile(self, raw: float) -> float:
        """The share of training essays with a lower raw score, in percent."""
        if not np.isfinite(raw):
            return float("nan")
        return float(np.interp(raw, self.percentiles, np.arange(101.0)))


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
        weights = fit_weights(
            names,
            taken,
            average[rows],
            fixed=fixed,
            keep_wrong_signs=keep_wrong_signs,
            ridge=ridge,
            drop_constant=drop_constant,
        )
        return weights, curves

    fold = dealt_folds(average, FOLDS)
    weights, curves = fitted(np.arange(len(values)), drop_constant=False)
    raw = np.empty(len(values))
    for number in range(FOLDS):
        # without these essays a feature may not vary; it does with them, so it is no mistake
        others, bent = fitted(np.flatnonzero(fold != number), drop_constant=True)
        own = values[fold == number]
        raw[fold == number] = others.predict(bent.worth(own) if bent else own)
    cuts = cutoffs(raw, resolved, scale)
    return Equation(
        weights=weights,
        cutoffs=cuts,
        percentiles=np.percentile(raw, np.arange(101)),
        errors=error_band(raw, resolved, cuts),
        essays=len(values),
        agreement=agreement(resolved, raw, cuts.assign(raw), step=scale.step),
        curves=curves,
    )


def error_band(raw: Floats, resolved: Floats, cutoffs: Cutoffs) -> ErrorBand:
    """The spread of human minus raw scores around each score point."""
    given = cutoffs.assign(raw)
    error = resolved - raw
    ends = []
    for point in cutoffs.points.tolist():
        away = np.abs(given - point)
        reach = np.sort(away)[min(LEAST_PER_LEVEL, len(away)) - 1]
        ends.append(np.percentile(error[away <= reach], COVERED))
    low, high = np.array(ends).T
    return ErrorBand(cutoffs.points.copy(), low, high)


def agreement(human: Floats, raw: Floats, system: Floats, *, step: float = 1.0) -> dict[str, float]:
    """The figures a model reports of itself; kappa and exact agreement count points of the scale's own step."""
    points, given = human / step, system / step
    return {
        "qwk": quadratic_weighted_kappa(human, system),
        "kappa": cohen_kappa(points, given),
        "exact": exact_agreement(points, given),
        "r": pearson_r(human, raw),
    }
