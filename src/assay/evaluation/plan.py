"""`Plan`: what an evaluation is to do, settled before the first response is read."""

from dataclasses import dataclass
from math import inf

from assay.errors import Field, InputError
from assay.evaluation.reference import Reference
from assay.evaluation.score_variants import ROUNDED, TRIMMED, Scaling
from assay.scale import ScoreScale

LEAST_DOUBLES = 50
"""Responses scored more than once that true-score figures take: with fewer, intervals do not hold (decision 0487)."""


def scale_from(scale: ScoreScale | str | None) -> ScoreScale | None:
    """A scale as it is, or as people write it.

    >>> scale_from("1-6")
    ScoreScale(lowest=1.0, highest=6.0, step=1.0)
    """
    if scale is None or isinstance(scale, ScoreScale):
        return scale
    if isinstance(scale, str):
        return ScoreScale.parse(scale)
    raise InputError(
        (Field("scale"), f" is of type {type(scale).__name__}"),
        field="scale",
        remedy="Write it as '1-6', or '1-6:0.5' for half points, or pass a ScoreScale.",
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices that bear on the figures; a scale may also be written as `"1-6"`."""

    scale: ScoreScale | None
    """None when human scores lie on no regular points: then nothing is trimmed, rounded or counted by point."""
    scaling: Scaling | None = None
    trim_tolerance: float | None = None
    leave_out_zeros: bool | None = None
    """Whether human zeros are no scores; None: where the scale does not hold 0 (decision 0485)."""
    reference: Reference = "first"
    """The human score to judge by, where several people scored a response."""
    least_doubles: int = LEAST_DOUBLES
    """With fewer responses scored more than once, nothing is said about the true score."""
    error_variance: float | None = None
    """The variance of rating errors, when it is known from elsewhere."""
    cuts: tuple[float, ...] = ()
    """Scores from which on a candidate passes."""
    least_group: int = 1
    """Groups with fewer responses are counted, but their figures are not shown."""
    least_items: int = 0
    """Candidates with fewer responses are left out."""
    scale_declared: bool | None = None
    """Whether the user named the scale (True) or it was seen in the human scores (False); None when not known."""
    by_candidate: bool = False
    """Whether responses of one candidate are kept together when intervals are made."""
    prefer_scaled: bool = True
    """Whether the scaled form decides where there is one."""
    base: str = "raw"
    """What the unscaled form is called; RSMTool says `scale` for scores that come scaled already."""

    def __post_init__(self) -> None:
        scale = scale_from(self.scale)
        object.__setattr__(self, "scale", scale)
        if self.trim_tolerance is not None and not 0 <= self.trim_tolerance < inf:
            problem = (Field("trim_tolerance"), f" is {self.trim_tolerance:g}")
            raise InputError(problem, field="trim_tolerance", remedy="Pass a number from 0, such as 0.4998.")
        if self.leave_out_zeros is None:
            object.__setattr__(self, "leave_out_zeros", scale is not None and not scale.lowest <= 0 <= scale.highest)

    @property
    def primary(self) -> str:
        """The form that decides: scaled if there is scaling, unless raw is preferred."""
        return "scale" if self.scaling and self.prefer_scaled else self.base

    @property
    def trimmed(self) -> str:
        """The form for figures on real-valued scores."""
        return self.primary + TRIMMED if self.scale else self.primary

    @property
    def rounded(self) -> str | None:
        """The form for figures on score points."""
        return self.primary + ROUNDED if self.scale else None
