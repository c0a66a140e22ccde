"""One pass over responses: everything an evaluation needs to know of them, in tallies that add up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from assay.errors import InputError
from assay.evaluation.exclusions import without_zeros
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import IncludedRatings
from assay.evaluation.score_variants import score_forms
from assay.metrics.bins import Bins
from assay.metrics.error_tally import ErrorTally
from assay.metrics.intervals import BLOCKS
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns
from assay.metrics.tally import PairTally
from assay.metrics.true_score import RatingTally
from assay.scale import ScoreScale

MOST_POINTS_TO_CROSS = 141
"""Beyond so many score points figures point by point are not kept: 0 to 100 and 0 to 60 in halves are still in."""


@dataclass(frozen=True, eq=False, slots=True)
class LevelTally:
    """Errors of the system at each human score point, per block: plain sums (levels, blocks)."""

    n: Scores
    weight: Scores
    error: Scores
    squared_error: Scores

    @classmethod
    def of(cls, kept: IncludedRatings, system: Scores, scale: ScoreScale) -> Self:
        points = scale.points()
        # rounded before it is counted from the lowest point, so that halves go where `scale.round` sends them
        codes = (np.rint(kept.human[:, 0] / scale.step) - round(scale.lowest / scale.step)).astype(np.int64)
        inside = (codes >= 0) & (codes < points.size)
        bins = Bins.of(np.where(inside, codes * BLOCKS + kept.blocks, -1), (points.size, BLOCKS))
        weight = bins.arranged(np.ones(len(kept)) if kept.weights is None else kept.weights)
        error = bins.arranged(system - kept.human[:, 0])
        return cls(bins.counts(), *(bins.sums(weight * x) for x in (np.ones_like(error), error, error * error)))

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False, slots=True)
class GroupTally:
    """The responses of one group column, (levels, blocks) each."""

    levels: tuple[str, ...]
    system: Mapping[str, PairTally]
    """By form; only the forms that decide."""
    raters: PairTally | None
    errors: ErrorTally

    def __add__(self, other: Self) -> Self:
        if self.levels != other.levels:
            raise InputError(
                f"Parts of one table number their groups differently: {', '.join(self.levels)} and "
                f"{', '.join(other.levels)}. Give every part the same list of groups, in the same order."
            )
        return type(self)(
            self.levels,
            _added(self.system, other.system),
            _added(self.raters, other.raters),
            self.errors + other.errors,
        )


@dataclass(frozen=True, eq=False, slots=True)
class EvaluationTally:
    """All of one evaluation before a single figure is computed."""

    system: Mapping[str, PairTally]
    """Human against each form of the system score, per block."""
    raters: Mapping[tuple[int, int], PairTally]
    """Each pair of raters, on the responses both read."""
    ratings: RatingTally
    """For the true score; one system axis entry per form."""
    groups: Mapping[str, GroupTally]
    levels: LevelTally | None
    crossed: RatingPatterns | None
    """Human point by final system point."""
    rated: RatingPatterns | None
    """The points all raters gave."""
    length: tuple[PairTally, PairTally] | None
    """Human by length and system by length."""

    @classmethod
    def of(cls, kept: IncludedRatings, plan: Plan) -> Self:
        """The tallies of some responses, at least one."""
        human = np.column_stack([kept.human[:, :1], _further(kept.human[:, 1:], plan)])
        forms = score_forms(
            kept.system, scale=plan.scale, tolerance=plan.trim_tolerance, scaling=plan.scaling, name=plan.base
        )
        step = plan.scale.step if plan.scale else 1.0
        bins = Bins.of(kept.blocks, (BLOCKS,))
        first = human[:, 0]
        decisive = {f: forms[f] for f in (plan.trimmed, plan.rounded) if f}
        final = forms[plan.rounded] if plan.rounded else None
        return cls(
            system={
                name: PairTally.of_checked(first, m, kept.weights, step=step, bins=bins) for name, m in forms.items()
            },
            raters={
                (i, j): _rater_pair(human, (i, j), kept, step)
                for i in range(human.shape[1])
                for j in range(i + 1, human.shape[1])
            },
            ratings=RatingTally.of(human, np.stack(list(forms.values())), weights=kept.weights, bins=bins),
            groups={
                column.name: _group_tally(column.codes, column.levels, human, kept, decisive, step)
                for column in kept.groups
            },
            levels=_levels(kept, forms[plan.trimmed], plan.scale),
            crossed=None if final is None else _patterns(np.column_stack([first, final]), kept, plan.scale),
            rated=None if final is None or human.shape[1] < 2 else _patterns(human, kept, plan.scale),
            length=_by_length(kept, first, forms[plan.trimmed], bins),
        )

    def __add__(self, other: Self) -> Self:
        return type(self)(**{f.name: _added(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)})


def _added(a: Any, b: Any) -> Any:
    """Two parts of one evaluation added up, whatever holds them."""
    if a is None or b is None:
        return None
    if isinstance(a, Mapping):
        return {key: _added(a[key], b[key]) for key in a}
    if isinstance(a, RatingPatterns):
        return _countable(lambda: a + b)
    if isinstance(a, tuple):
        return tuple(_added(x, y) for x, y in zip(a, b, strict=True))
    return a + b


def _further(ratings: Scores, plan: Plan) -> Scores:
    finite = np.where(np.isfinite(ratings), ratings, np.nan)
    return without_zeros(finite) if plan.leave_out_zeros else finite


def _rater_pair(human: Scores, pair: tuple[int, int], kept: IncludedRatings, step: float) -> PairTally:
    both = np.isfinite(human[:, pair[0]]) & np.isfinite(human[:, pair[1]])
    bins = Bins.of(np.where(both, kept.blocks, -1), (BLOCKS,))
    return PairTally.of_checked(human[:, pair[0]], human[:, pair[1]], kept.weights, step=step, bins=bins)


def _group_tally(
    codes: "np.ndarray[Any, np.dtype[np.int64]]",
    levels: tuple[str, ...],
    human: Scores,
    kept: IncludedRatings,
    forms: Mapping[str, Scores],
    step: float,
) -> GroupTally:
    shape = (len(levels), BLOCKS)
    numbers = codes * BLOCKS + kept.blocks
    bins = Bins.of(numbers, shape)
    raters = None
    if human.shape[1] > 1:
        read_twice = Bins.of(np.where(np.isfinite(human[:, 1]), numbers, -1), shape)
        raters = PairTally.of_checked(human[:, 0], human[:, 1], kept.weights, step=step, bins=read_twice)
    first = human[:, 0]
    trimmed = next(iter(forms.values()))
    return GroupTally(
        levels,
        {name: PairTally.of_checked(first, m, kept.weights, step=step, bins=bins) for name, m in forms.items()},
        raters,
        ErrorTally.of(first, trimmed, codes, len(levels), weights=kept.weights),
    )


def _levels(kept: IncludedRatings, system: Scores, scale: ScoreScale | None) -> LevelTally | None:
    return None if scale is None or _too_many_points(scale) else LevelTally.of(kept, system, scale)


def _too_many_points(scale: ScoreScale) -> bool:
    return (scale.highest - scale.lowest) / scale.step >= MOST_POINTS_TO_CROSS


def _patterns(scores: Scores, kept: IncludedRatings, scale: ScoreScale | None) -> RatingPatterns | None:
    if scale is None or _too_many_points(scale):
        return None
    points = scale.round(scores)
    return _countable(lambda: RatingPatterns.of(points, weights=kept.weights, blocks=kept.blocks, n_blocks=BLOCKS))


def _countable(count: Callable[[], RatingPatterns]) -> RatingPatterns | None:
    """The patterns; None when there are too many (three raters on 0 to 100): all other figures still stand."""
    try:
        return count()
    except InputError:
        return None


def _by_length(kept: IncludedRatings, human: Scores, system: Scores, bins: Bins) -> tuple[PairTally, PairTally] | None:
    if kept.length is None:
        return None
    known = np.isfinite(kept.length)
    bins = bins if known.all() else Bins.of(np.where(known, kept.blocks, -1), (BLOCKS,))
    of = PairTally.of_checked
    return (
        of(human, kept.length, kept.weights, step=1.0, bins=bins),
        of(system, kept.length, kept.weights, step=1.0, bins=bins),
    )
