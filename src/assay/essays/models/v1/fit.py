"""An equation of e-rater v.1.3: features chosen by stepwise regression, least squares, rounding at half points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.cutoffs import Cutoffs, rounding
from assay.essays.models.erater.weights import FeatureWeights, fit_weights
from assay.essays.models.v1.measures import NAMES
from assay.essays.models.v1.stepwise import select_stepwise
from assay.essays.models.v1.topic import TOPICAL
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

V1_FEATURES: tuple[str, ...] = (*NAMES, *TOPICAL)
"""All features v.1.3 chooses from: those of one essay by itself, then the two that need scored essays."""


@dataclass(frozen=True, eq=False, slots=True)
class V1Equation:
    """The features that entered, their weights, and the cutoffs."""

    chosen: tuple[int, ...]
    """Places in `V1_FEATURES`."""
    weights: FeatureWeights
    cutoffs: Cutoffs

    def raw(self, values: Floats) -> Floats:
        """(essays,): the predicted value of each row of all v.1.3 features."""
        return self.weights.predict(values[:, self.chosen])

    def score(self, values: Floats) -> Floats:
        """(essays,): the nearest score point."""
        return self.cutoffs.assign(self.raw(values))


def fit_v1(values: Floats, human: Floats, scale: ScoreScale) -> V1Equation:
    """The v.1.3 equation of one prompt from (essays, V1_FEATURES) and human scores.

    An undefined value counts as the mean of its feature, or as 0 where it is undefined throughout. InputError if no
    feature makes a significant contribution.
    """
    known = ~np.isnan(values)
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, values, mean)
    chosen = select_stepwise(filled, human)
    if not chosen:
        raise InputError(
            "no feature of v.1.3 goes with the human scores",
            field="score",
            remedy="Check the score column, or give more essays.",
        )
    names = [V1_FEATURES[place] for place in chosen]
    weights = fit_weights(names, filled[:, chosen], human, keep_wrong_signs=True)
    return V1Equation(chosen, weights, rounding(filled[:, 0], human, scale))
