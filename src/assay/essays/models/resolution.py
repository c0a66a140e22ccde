"""One human score from two or three readings of an essay. Source: Attali & Burstein (2005), Tables 1 and 5."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.models.arrays import Floats
from assay.scale import ScoreScale

MOST_APART = 1.0
"""First and second score that differ by more than this call for a third reading; in points of the rubric."""


def average_human_score(first: Floats, second: Floats) -> Floats:
    """The mean of the first two human scores: *AHS*. Where one is missing, the other; NaN without any.

    >>> average_human_score(np.array([3.0, 4.0]), np.array([4.0, np.nan])).tolist()
    [3.5, 4.0]
    """
    both = np.stack([first, second])
    given = np.isfinite(both)
    total = np.where(given, both, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, given.sum(axis=0), out=np.full(len(first), np.nan), where=given.any(axis=0)))


def resolved_score(first: Floats, second: Floats, third: Floats | None = None, *, step: float = 1.0) -> Floats:
    """The human resolved score, *HRS*: the mean of two readings, rounded up to the next score point.

    Where the first two differ by more than one point, the two are the third reading and the one nearest to it. A third
    reading halfway between both is the resolved score itself: the paper does not say. NaN where a third reading is
    needed and missing. An essay read once keeps that score.

    >>> resolved_score(np.array([3.0, 2, 2]), np.array([4.0, 5, 5]), np.array([np.nan, 4, np.nan])).tolist()
    [4.0, 5.0, nan]
    """
    last = np.full(len(first), np.nan) if third is None else third
    apart = np.abs(first - second) > MOST_APART * step
    to_first, to_second = np.abs(last - first), np.abs(last - second)
    nearest = np.where(to_first < to_second, first, second)
    adjudicated = np.where(to_first == to_second, last, (last + nearest) / 2)
    mean = np.where(apart, adjudicated, average_human_score(first, second))
    # 1e-9: a mean that is a score point but for rounding must not be lifted to the next
    return np.asarray(np.round(np.ceil(mean / step - 1e-9) * step, 10))


@dataclass(frozen=True, eq=False, slots=True)
class HumanScores:
    """What people gave each essay: one reading, two, or three where the first two disagreed; NaN where not read."""

    first: Floats
    second: Floats | None = None
    third: Floats | None = None

    def __post_init__(self) -> None:
        for scores in (self.second, self.third):
            if scores is not None and len(scores) != len(self.first):
                raise InputError(f"expected a further score for each of {len(self.first)} essays, got {len(scores)}")
        if self.third is not None and self.second is None:
            problem = "a third score resolves two others, and no second is named"
            remedy = ("Name the second too, with ", Field("second_score"), ".")
            raise InputError(problem, field="second_score", remedy=remedy)
        for scores in (self.first, self.second, self.third):
            if scores is not None:
                scores.flags.writeable = False

    def __len__(self) -> int:
        return len(self.first)

    def average(self) -> Floats:
        """What weights are estimated on: the mean of the first two scores, or the only one."""
        return self.first if self.second is None else average_human_score(self.first, self.second)

    def resolved(self, step: float = 1.0) -> Floats:
        """What cutoffs are set on and agreement is measured against: the resolved score, or the only one."""
        return self.first if self.second is None else resolved_score(self.first, self.second, self.third, step=step)

    def at(self, rows: NDArray[np.integer]) -> "HumanScores":
        """The scores of some essays."""
        further = [None if scores is None else scores[rows] for scores in (self.second, self.third)]
        return HumanScores(self.first[rows], *further)


def observed_scale(scores: Floats) -> ScoreScale:
    """The scale human scores lie on; InputError where they lie on none."""
    scale = ScoreScale.observed(scores) if len(scores) else None
    if scale is None and len(scores):
        check_levels(scores)
    if scale is None:
        problem = "the human scores lie on no regular score points"
        raise InputError(problem, field="scale", remedy=("Name the scale with ", Field("scale"), ", as 1-6:0.5."))
    return scale


def check_on_scale(scores: Floats, scale: ScoreScale, remedy: str = "Name the scale the scores are on with ") -> None:
    """InputError for human scores that are no points of the scale."""
    strange = np.unique(scores[~scale.holds(scores)])
    if len(strange):
        shown = ", ".join(f"{score:g}" for score in strange[:5].tolist())
        problem = f"human scores {shown} are no points of the scale {scale}"
        raise InputError(problem, field="scale", remedy=(remedy, Field("scale"), "."))


def check_levels(scores: Floats) -> None:
    """InputError where every essay has the same human score."""
    if len(np.unique(scores)) < 2:
        problem = f"every essay has the human score {scores[0]:g}"
        raise InputError(problem, field="score", remedy="A model needs essays of at least two score points.")
