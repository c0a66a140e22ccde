"""Which responses are left out, counted by reason, so that the counts add up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.ratings import Ratings
from assay.evaluation.reference import Reference, reference_scores
from assay.metrics.pairs import Scores

NOTABLE_SHARE = 0.05
"""When more than this share of the responses is left out for one reason, reports open with it."""

FLAGGED = "flagged"
NO_HUMAN = "no human score"
ZERO_HUMAN = "human score 0"
NO_SYSTEM = "no system score"
INFINITE = "infinite score"
TIED = "no majority of human scores"
NO_WEIGHT = "no weight"
FEW_ITEMS = "too few responses of the candidate"

REASONS = (FLAGGED, NO_HUMAN, ZERO_HUMAN, TIED, NO_SYSTEM, INFINITE, NO_WEIGHT, FEW_ITEMS)
"""In the order they are looked at: a response counts under the first that holds."""

Reasons = NDArray[np.int8]
"""For each response the number of its reason in `REASONS`, -1 when it is kept."""


@dataclass(frozen=True, slots=True)
class Exclusions:
    """How many responses there were, and how many were left out why."""

    read: int
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def used(self) -> int:
        return self.read - sum(self.left_out.values())

    def __add__(self, other: Self) -> "Exclusions":
        reasons = [r for r in REASONS if r in self.left_out or r in other.left_out]
        counts = {r: self.left_out.get(r, 0) + other.left_out.get(r, 0) for r in reasons}
        return Exclusions(self.read + other.read, counts)

    @property
    def notable(self) -> Mapping[str, int]:
        """The reasons for which so many were left out that the figures may speak of other responses than were read."""
        return {reason: count for reason, count in self.left_out.items() if count > NOTABLE_SHARE * self.read}


def judged_by(human: Scores, *, reference: Reference, leave_out_zeros: bool) -> Scores:
    """The human score of each response; with zeros left out, 0 where all there is to judge by is a zero."""
    if not leave_out_zeros or reference == "first":
        return reference_scores(human, reference)
    others = without_zeros(human)
    only_zeros = (human == 0).any(axis=1) & ~np.isfinite(others).any(axis=1)
    return np.where(only_zeros, 0.0, reference_scores(others, reference))


def exclusion_reasons(
    ratings: Ratings,
    *,
    leave_out_zeros: bool,
    reference: Reference = "first",
    few: NDArray[np.bool_] | None = None,
) -> Reasons:
    """Why each response is left out. `few` marks candidates with too few responses, known only after a first look."""
    human = judged_by(ratings.human, reference=reference, leave_out_zeros=leave_out_zeros)
    rated = np.isfinite(ratings.human).any(axis=1)
    checks: dict[str, NDArray[np.bool_] | None] = {
        FLAGGED: ratings.flagged,
        NO_HUMAN: np.asarray(np.isnan(ratings.human).all(axis=1)),
        ZERO_HUMAN: human == 0 if leave_out_zeros else None,
        TIED: rated & np.isnan(human),
        NO_SYSTEM: np.isnan(ratings.system),
        INFINITE: np.isinf(ratings.system) | ~rated,
        NO_WEIGHT: None if ratings.weights is None else ~(np.isfinite(ratings.weights) & (ratings.weights > 0)),
        FEW_ITEMS: few,
    }
    reasons = np.full(len(ratings), -1, dtype=np.int8)
    for number, reason in enumerate(REASONS):
        holds = checks[reason]
        if holds is not None:
            reasons[(reasons < 0) & holds] = number
    return reasons


def counted(reasons: Reasons) -> Exclusions:
    """The counts of one part of the responses."""
    numbers = np.bincount(reasons[reasons >= 0], minlength=len(REASONS))
    return Exclusions(len(reasons), {r: int(n) for r, n in zip(REASONS, numbers, strict=True) if n})


def without_zeros(human: NDArray[np.float64]) -> NDArray[np.float64]:
    """Further ratings with zeros taken as not read, as the first rater's zeros are left out."""
    return np.where(human == 0, np.nan, human)
