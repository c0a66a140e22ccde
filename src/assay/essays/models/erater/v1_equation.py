"""An equation of e-rater v.1.3: features chosen by stepwise regression, least squares, rounding at half points.

Source: Attali & Burstein (2005) name the method and say that 8 to 12 of about 50 features entered a model. The rules
are the usual ones (Efroymson 1960): enter the feature with the largest F while its p is below `ENTER`, and after each
step remove any whose p has risen above `LEAVE`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from assay.errors import InputError
from assay.essays.models.arrays import Floats, filled_with_mean
from assay.essays.models.cutoffs import Cutoffs, rounding
from assay.essays.models.erater.equation import FOLDS, Equation, judged
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.v1_measures import NAMES, TOPICAL
from assay.essays.models.erater.weights import FeatureWeights, fit_weights
from assay.scale import ScoreScale

ENTER = 0.05
LEAVE = 0.10
TOLERANCE = 1e-3
"""Share of a feature's variance that those in the model must leave unexplained for it to enter."""
TYPICAL_FEATURES = 8
"""Features that enter at the least, in the paper's experience: what the least number of essays is reckoned from."""
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
    _, filled = filled_with_mean(values)
    chosen = select_stepwise(filled, human)
    if not chosen:
        remedy = "Check the score column, or give more essays."
        raise InputError("no feature of v.1.3 goes with the human scores", field="score", remedy=remedy)
    names = [V1_FEATURES[place] for place in chosen]
    weights = fit_weights(names, filled[:, chosen], human, keep_wrong_signs=True)
    return V1Equation(chosen, weights, rounding(filled[:, 0], human, scale))


def v1_equation(values: Floats, resolved: Floats, scale: ScoreScale) -> Equation:
    """The equation of one prompt, with a weight of 0 for every feature that did not enter.

    Percentiles, intervals and agreement come from essays left out in turn (ten folds), features chosen anew each time:
    a choice among fifty features flatters itself.
    """
    fitted = fit_v1(values, resolved, scale)
    raw, fold = np.empty(len(values)), dealt_folds(resolved, FOLDS)
    for number in range(FOLDS):
        outside = fold != number
        raw[~outside] = fit_v1(values[outside], resolved[outside], scale).raw(values[~outside])
    own, at = fitted.weights, list(fitted.chosen)
    mean, sd = np.nan_to_num(np.nanmean(values, axis=0)), np.nanstd(values, axis=0)
    standardised, weights = np.zeros(len(V1_FEATURES)), np.zeros(len(V1_FEATURES))
    mean[at], standardised[at], weights[at] = own.mean, own.standardised, own.raw
    return Equation(
        weights=FeatureWeights(V1_FEATURES, mean, np.where(sd > 0, sd, 1.0), standardised, weights, own.intercept, {}),
        essays=len(values),
        **judged(raw, resolved, fitted.cutoffs),
    )


def select_stepwise(values: Floats, human: Floats) -> tuple[int, ...]:
    """The columns of (essays, features) that a stepwise regression on the human scores keeps, in ascending order.

    None if no feature makes a significant contribution. Features that do not vary never enter.

    >>> x = np.array([[1.0, 5], [2, 1], [3, 4], [4, 2], [5, 3], [6, 6]])
    >>> select_stepwise(x, np.array([1.1, 1.9, 3.2, 3.9, 5.1, 5.8]))
    (0,)
    """
    columns = np.column_stack([values, human])
    centred = columns - columns.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    varying = size > 1e-9 * np.maximum(1.0, np.abs(columns).max(axis=0))
    z = np.where(varying, centred, 0.0) / np.where(varying, size, 1.0)
    table = z.T @ z  # the correlations of features and, last, the human scores
    chosen: list[int] = []
    seen: set[frozenset[int]] = set()
    while frozenset(chosen) not in seen:  # a set met before would go round in circles
        seen.add(frozenset(chosen))
        entering = _best_to_enter(table, varying[:-1], chosen, len(human))
        if entering is not None:
            chosen.append(entering)
            table = _swept(table, entering)
        leaving = _worst_to_leave(table, chosen, len(human))
        if leaving is not None:
            chosen.remove(leaving)
            table = _swept(table, leaving)
    return tuple(sorted(chosen))


def _swept(table: Floats, k: int) -> Floats:
    """The table after feature k has entered, or, if it was in, has left: the sweep operator of regression."""
    pivot = table[k, k]
    new = table - np.outer(table[:, k], table[k, :]) / pivot
    new[k, :] = table[k, :] / pivot
    new[:, k] = -table[:, k] / pivot
    new[k, k] = 1 / pivot
    return np.asarray(new)


def _best_to_enter(table: Floats, varying: NDArray[np.bool_], chosen: list[int], n: int) -> int | None:
    df = n - len(chosen) - 2
    if df < 1 or table[-1, -1] < 1e-12:
        return None
    diagonal = table.diagonal()[:-1]
    open_ = varying & (diagonal > TOLERANCE)
    # what is in would gain less than nothing: a sweep leaves two opposite signs there
    gain = np.where(open_, table[:-1, -1] * table[-1, :-1] / np.where(open_, diagonal, 1.0), 0.0)
    best = int(gain.argmax())
    if gain[best] <= 0:
        return None
    residual = table[-1, -1] - gain[best]
    return best if _p(gain[best], residual, df) < ENTER else None


def _worst_to_leave(table: Floats, chosen: list[int], n: int) -> int | None:
    df = n - len(chosen) - 1
    if not chosen or df < 1:
        return None
    loss = [abs(float(table[k, -1] * table[-1, k])) / abs(float(table[k, k])) for k in chosen]
    worst = int(np.argmin(loss))
    return chosen[worst] if _p(loss[worst], float(table[-1, -1]), df) > LEAVE else None


def _p(gain: float, residual: float, df: int) -> float:
    return 0.0 if residual <= 1e-12 else float(fdtrc(1, df, gain / (residual / df)))
