"""Precision, recall and F-beta of matched, missed and extra annotations; and how a score is rounded for display."""

from math import floor
from typing import overload

import numpy as np

from assay.metrics.pairs import Scores


@overload
def precision(matched: float, missed: float, extra: float) -> float: ...
@overload
def precision(matched: Scores, missed: Scores, extra: Scores) -> Scores: ...
def precision(matched: float | Scores, missed: float | Scores, extra: float | Scores) -> float | Scores:
    """Share of the drawn annotations that belong to an object.

    matched / (matched + extra); when nothing was drawn, 1 if nothing was expected either, else 0

    >>> round(precision(2, 1, 1), 3)
    0.667
    """
    return _share(matched, extra, missed)


@overload
def recall(matched: float, missed: float, extra: float) -> float: ...
@overload
def recall(matched: Scores, missed: Scores, extra: Scores) -> Scores: ...
def recall(matched: float | Scores, missed: float | Scores, extra: float | Scores) -> float | Scores:
    """Share of the objects that were found.

    matched / (matched + missed); when nothing was expected, 1 if nothing was drawn either, else 0
    """
    return _share(matched, missed, extra)


@overload
def f_beta(matched: float, missed: float, extra: float, *, beta: float) -> float: ...
@overload
def f_beta(matched: Scores, missed: Scores, extra: Scores, *, beta: float) -> Scores: ...
def f_beta(matched: float | Scores, missed: float | Scores, extra: float | Scores, *, beta: float) -> float | Scores:
    """Completeness: precision and recall in one figure; beta < 1 punishes extras more than misses.

    F = (1 + b^2) matched / ((1 + b^2) matched + b^2 missed + extra); 1 when there is nothing to find and nothing drawn

    The same as (1 + b^2) P R / (b^2 P + R). Each missed object takes b^2, each extra 1, of what is whole: the losses
    add up, which is how a score is explained. Source: the scoring plan, section 4.2; van Rijsbergen (1979).

    >>> round(f_beta(2, 1, 1, beta=0.5), 4)
    0.6667
    """
    credit = (1 + beta**2) * np.asarray(matched, dtype=float)
    total = credit + beta**2 * np.asarray(missed, dtype=float) + extra
    with np.errstate(invalid="ignore", divide="ignore"):
        score = np.where(total > 0, credit / total, 1.0)
    return score if score.ndim else float(score)


def _share(part: float | Scores, rest: float | Scores, other: float | Scores) -> float | Scores:
    part, rest, other = (np.asarray(count, dtype=float) for count in (part, rest, other))
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(part + rest > 0, part / (part + rest), np.where(other > 0, 0.0, 1.0))
    return share if share.ndim else float(share)


def rounded(score: float) -> int:
    """The score as it is shown: halves up, as the scoring plan's own program does; Python's `round` sends 0.5 to 0.

    >>> rounded(74.5), rounded(0.5)
    (75, 1)
    """
    return floor(score + 0.5)
