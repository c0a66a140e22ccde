"""Two raters' scores as aligned arrays: the one check every metric starts with."""

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import Field, InputError
from assay.metrics.bins import Scores

__all__ = ["NUMBERS", "Scores", "float_array", "paired", "response_weights"]

NUMBERS = "Give a list or an array of numbers, one for each response."


def paired(human: ArrayLike, system: ArrayLike) -> tuple[Scores, Scores]:
    """The scores of two raters as float arrays of one length, all of them finite."""
    h, m = _scores(human, "human"), _scores(system, "system")
    if h.shape != m.shape or h.size == 0:
        problem = f"got {m.size} system scores for {h.size} human scores"
        remedy = "Give one system score for each human score, and at least one."
        raise InputError(problem, field="system", remedy=remedy)
    return h, m


def response_weights(weights: ArrayLike, size: int) -> Scores:
    """One weight for each response: finite, not negative, not all zero."""
    w = _scores(weights, "weights")
    if w.size != size:
        raise InputError(f"got {w.size} weights for {size} responses", field="weights", remedy="Give one for each.")
    if (w < 0).any() or not w.any():
        raise InputError("weights must not be negative, and at least one must be above 0", field="weights")
    return w


def float_array(values: ArrayLike, field: str) -> Scores:
    """The values as floats, of whatever shape and however many gaps."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError((Field(field), " holds something that is no number"), field=field, remedy=NUMBERS) from None


def _scores(values: ArrayLike, field: str) -> Scores:
    scores = float_array(values, field)
    if scores.ndim != 1:
        shape = "a single value" if scores.ndim == 0 else f"an array with {scores.ndim} axes"
        raise InputError((Field(field), f" is {shape}"), field=field, remedy=NUMBERS)
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        problem = f" is {scores[bad[0]]} at position {bad[0]} ({bad.size} such in all)"
        remedy = "Leave out responses that were not scored before comparing raters."
        raise InputError((Field(field), problem), field=field, remedy=remedy)
    return scores
