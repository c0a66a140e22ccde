"""The human score an engine is judged by, where several people scored a response."""

from collections.abc import Callable, Mapping
from typing import Literal, get_args

import numpy as np

from assay.errors import Field, InputError
from assay.metrics.pairs import Scores

Reference = Literal["first", "mean", "median", "majority"]
REFERENCES: tuple[Reference, ...] = get_args(Reference)
AVERAGES = ("mean", "median")
"""References that may lie between score points."""


def reference_from(text: str) -> Reference:
    """A reference as people write it."""
    for reference in REFERENCES:
        if text == reference:
            return reference
    problem = (Field("reference"), f" is {', '.join(REFERENCES[:-1])} or {REFERENCES[-1]}, got {text!r}")
    raise InputError(problem, field="reference")


def reference_scores(ratings: Scores, reference: Reference) -> Scores:
    """One score for each response, from the ratings (responses, raters) it has; NaN where there is none.

    `first` is the first rating there is, in the order of the raters; `majority` the score that more raters gave than
    any other, NaN where two scores tie.

    >>> ratings = np.array([[4, 4, 2], [np.nan, 3, 1], [1, 2, np.nan]])
    >>> {name: reference_scores(ratings, name).tolist() for name in ("first", "median", "majority")}
    {'first': [4.0, 3.0, 1.0], 'median': [4.0, 2.0, 1.5], 'majority': [4.0, nan, nan]}
    """
    scores = np.where(np.isfinite(ratings), ratings, np.nan)
    return scores[:, 0] if scores.shape[1] == 1 else _REFERENCES[reference](scores)


def _first(scores: Scores) -> Scores:
    place = np.isfinite(scores).argmax(axis=1)
    return np.asarray(np.take_along_axis(scores, place[:, None], axis=1)[:, 0])


def _mean(scores: Scores) -> Scores:
    count = np.isfinite(scores).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nansum(scores, axis=1) / count)


def _median(scores: Scores) -> Scores:
    ordered, count = np.sort(scores, axis=1), np.isfinite(scores).sum(axis=1)  # NaN last
    middle = np.stack([np.maximum(count - 1, 0) // 2, count // 2], axis=1)
    middle = np.minimum(middle, scores.shape[1] - 1)
    return np.asarray(np.take_along_axis(ordered, middle, axis=1).mean(axis=1))


def _majority(scores: Scores) -> Scores:
    votes = np.stack([(scores == column[:, None]).sum(axis=1) for column in scores.T], axis=1)
    leads = np.isfinite(scores) & (votes == votes.max(axis=1, keepdims=True))
    highest = np.where(leads, scores, -np.inf).max(axis=1)
    lowest = np.where(leads, scores, np.inf).min(axis=1)
    return np.where(highest == lowest, highest, np.nan)


_REFERENCES: Mapping[str, Callable[[Scores], Scores]] = {
    "first": _first,
    "mean": _mean,
    "median": _median,
    "majority": _majority,
}
