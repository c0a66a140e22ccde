"""`ScoreScale`: the scores a rubric allows; trim, round and count score points on it."""

import re
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

Scores = NDArray[np.float64]

TRIM_TOLERANCE = 0.4998
"""How far outside the scale a trimmed score may lie, in steps: rounding still lands it on the end (RSMTool 12)."""
MOST_POINTS = 10_000_000
"""Of a scale: far more than anybody scores by."""

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_DECLARED = re.compile(rf"\s*({_NUMBER})\s*(?:-|–|\.\.|to)\s*({_NUMBER})\s*(?::\s*({_NUMBER}))?\s*")
_STEPS = (1.0, 0.5, 0.25, 0.2, 0.1)


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """The lowest and the highest score of a rubric, and the step from one score point to the next."""

    lowest: float
    highest: float
    step: float = 1.0

    def __post_init__(self) -> None:
        if not -inf < self.lowest < self.highest < inf:
            raise InputError(
                f"the score scale {self.lowest:g} to {self.highest:g} is empty or endless",
                field="scale",
                remedy="Put the lower end first.",
            )
        if not 0 < self.step < inf:
            raise InputError(f"the step of a score scale must be above 0, got {self.step:g}", field="scale")

    @classmethod
    def parse(cls, text: str) -> "ScoreScale":
        """The scale a user wrote: `1-6`, `0-60`, `1-6:0.5` for half points, `-2..2`.

        >>> ScoreScale.parse("1-6:0.5")
        ScoreScale(lowest=1.0, highest=6.0, step=0.5)
        """
        match = _DECLARED.fullmatch(text)
        if match is None:
            remedy = "Write it as 1-6, or 1-6:0.5 for half points."
            raise InputError(f"cannot read the scale {text!r}", field="scale", remedy=remedy)
        scale = cls(float(match[1]), float(match[2]), float(match[3] or 1))
        for end in (scale.lowest, scale.highest):
            if not scale.has_points(np.array([end])).all():
                raise InputError(
                    f"the scale {text!r} does not start and end on a multiple of its step {scale.step:g}",
                    field="scale",
                    remedy=f"Name another step after a colon, for example {match[1]}-{match[2]}:0.5.",
                )
        return scale

    @classmethod
    def observed(cls, scores: Scores) -> "ScoreScale | None":
        """The coarsest scale all these scores lie on; None if they lie on no regular points or do not differ."""
        lowest, highest = float(scores.min()), float(scores.max())
        if lowest == highest:
            return None
        fitting = (cls(lowest, highest, step) for step in _STEPS)
        return next((scale for scale in fitting if scale.has_points(scores).all()), None)

    def has_points(self, scores: Scores) -> NDArray[np.bool_]:
        """Which scores are multiples of the step."""
        steps = scores / self.step
        return np.asarray(np.abs(steps - np.rint(steps)) < 1e-6)

    def holds(self, scores: Scores) -> NDArray[np.bool_]:
        """Which scores are points of this scale."""
        return self.has_points(scores) & (scores >= self.lowest) & (scores <= self.highest)

    def points(self) -> Scores:
        """Every score of the scale, lowest first; InputError where nobody could list them."""
        first, last = round(self.lowest / self.step), round(self.highest / self.step)
        if last - first >= MOST_POINTS:
            problem = (
                f"a scale from {self.lowest:g} to {self.highest:g} by {self.step:g} has {last - first + 1:,} points"
            )
            remedy = f"At most {MOST_POINTS:,} are counted: give a scale with fewer, or correct the scores beyond it."
            raise InputError(problem, field="scale", remedy=remedy)
        return np.round(np.arange(first, last + 1) * self.step, 10)

    def trim(self, scores: Scores, tolerance: float | None = None) -> Scores:
        """Stray scores pulled to just outside the scale, so that rounding lands them on its ends."""
        slack = TRIM_TOLERANCE * self.step if tolerance is None else tolerance
        return np.clip(scores, self.lowest - slack, self.highest + slack)

    def round(self, scores: Scores) -> Scores:
        """The nearest score point; halfway goes to the even multiple of the step.

        >>> ScoreScale(1, 6).round(np.array([2.5, 3.5])).tolist()
        [2.0, 4.0]
        """
        # np.rint sends halves to even, as RSMTool does: results stay comparable
        return np.round(np.rint(scores / self.step) * self.step, 10)

    def __str__(self) -> str:
        steps = "" if self.step == 1 else f" in steps of {self.step:g}"
        return f"{self.lowest:g} to {self.highest:g}{steps}"
