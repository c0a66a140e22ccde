"""An equation of v.1.3 in the form every `EssayModel` has: all features, most of them without weight."""

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.erater.equation import FOLDS, Equation, agreement, error_band
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.v1.fit import V1_FEATURES, V1Equation, fit_v1
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

TYPICAL_FEATURES = 8
"""Features that enter at the least, in the paper's experience: what the least number of essays is reckoned from."""


def v1_equation(values: Floats, resolved: Floats, scale: ScoreScale) -> Equation:
    """The equation of one prompt: stepwise choice, least squares, half points.

    Percentiles, intervals and agreement come from essays left out in turn (ten folds), features chosen anew each time:
    a choice among fifty features flatters itself.
    """
    fitted = fit_v1(values, resolved, scale)
    raw = np.empty(len(values))
    fold = dealt_folds(resolved, FOLDS)
    for number in range(FOLDS):
        outside = fold != number
        raw[~outside] = fit_v1(values[outside], resolved[outside], scale).raw(values[~outside])
    return Equation(
        weights=_among_all(fitted, values),
        cutoffs=fitted.cutoffs,
        percentiles=np.percentile(raw, np.arange(101)),
        errors=error_band(raw, resolved, fitted.cutoffs),
        essays=len(values),
        agreement=agreement(resolved, raw, fitted.cutoffs.assign(raw)),
    )


def _among_all(fitted: V1Equation, values: Floats) -> FeatureWeights:
    """The same equation with a weight of 0 for every feature that did not enter."""
    own, at = fitted.weights, list(fitted.chosen)
    mean, sd = np.nan_to_num(np.nanmean(values, axis=0)), np.nanstd(values, axis=0)
    standardised, raw = np.zeros(len(V1_FEATURES)), np.zeros(len(V1_FEATURES))
    mean[at], standardised[at], raw[at] = own.mean, own.standardised, own.raw
    return FeatureWeights(V1_FEATURES, mean, np.where(sd > 0, sd, 1.0), standardised, raw, own.intercept, {})
