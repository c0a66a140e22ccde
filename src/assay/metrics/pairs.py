"""Two raters' scores as aligned arrays: the one check every metric starts with."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError

Scores = NDArray[np.float64]


def paired(human: ArrayLike, system: ArrayLike) -> tuple[Scores, Scores]:
    """The scores of two raters as float arrays of one length, all of them finite."""
    h, m = _scores(human, "human"), _scores(system, "system")
    if h.shape != m.shape or h.size == 0:
        raise InputError(f"Expected one system score for each human score, got {m.size} for {h.size}.")
    return h, m


def response_weights(weights: ArrayLike, size: int) -> Scores:
    """One weight for each response: finite, not negative, not all zero."""
    w = _scores(weights, "weight")
    if w.size != size:
        raise InputError(f"Expected one weight for each of {size} responses, got {w.size}.")
    if (w < 0).any() or not w.any():
        raise InputError("Response weights must not be negative, and at least one must be above 0.")
    return w


def _scores(values: ArrayLike, whose: str) -> Scores:
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"A {whose} score is not a number: {error}.") from None
    if scores.ndim != 1:
        raise InputError(f"Expected a list of {whose} scores, got an array with {scores.ndim} axes.")
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        raise InputError(
            f"The {whose} score at position {bad[0]} is {scores[bad[0]]} ({bad.size} such in all). "
            "Leave out responses that were not scored before comparing raters."
        )
    return scores
