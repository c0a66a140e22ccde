"""One pass over responses: everything an evaluation needs to know of them, in tallies that add up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any, Self

import numpy as np

from assay.errors import InputError
from assay.evaluation.exclusions import without_zeros
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, IncludedRatings
from assay.evaluation.reference import AVERAGES, reference_scores
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
    def of(cls, included: IncludedRatings, human: Scores, system: Scores, scale: ScoreScale) -> Self:
        points = scale.points()
        # rounded before it is counted from the lowest point, so that halves go where `scale.round` sends them
        codes = (np.rint(human / scale.step) - round(scale.lowest / scale.step)).astype(np.int64)
        inside = (codes >= 0) & (codes < points.size)
        bins = Bins.of(np.where(inside, codes * BLOCKS + included.blocks, -1), (points.size, BLOCKS))
        weight = bins.arranged(np.ones(len(included)) if included.weights is None else included.weights)
        error = bins.arranged(system - human)
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
        system, raters = _added(self.system, other.system), _added(self.raters, other.raters)
        return type(self)(self.levels, system, raters, self.errors + other.errors)


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
    common: Mapping[str, PairTally]
    """The first rater against each form, on the responses that the first two raters read; empty with one rater."""
    off_points: int
    """Responses whose human score lies between the points of the scale, or whole numbers, as averages do."""

    @classmethod
    def of(cls, included: IncludedRatings, plan: Plan) -> Self:
        """The tallies of some responses, at least one."""
        scale, weights = plan.scale, included.weights
        human = np.where(np.isfinite(included.human), included.human, np.nan)
        human = without_zeros(human) if plan.leave_out_zeros else human
        variants = score_forms(
            included.system, scale=scale, tolerance=plan.trim_tolerance, scaling=plan.scaling, name=plan.base
        )
        step = scale.step if scale else 1.0
        bins = Bins.of(included.blocks, (BLOCKS,))
        first, trimmed = reference_scores(human, plan.reference), variants[plan.trimmed]
        decisive = {form: variants[form] for form in (plan.trimmed, plan.rounded) if form}

        def of_pair(i: int, j: int) -> PairTally:
            both = np.isfinite(human[:, i]) & np.isfinite(human[:, j])
            read = Bins.of(np.where(both, included.blocks, -1), (BLOCKS,))
            return PairTally.of_checked(human[:, i], human[:, j], weights, step=step, bins=read)

        counted = scale if scale and (scale.highest - scale.lowest) / scale.step < MOST_POINTS_TO_CROSS else None
        final = variants[plan.rounded] if plan.rounded else trimmed
        steps = first / step
        off_points = int(np.count_nonzero(np.abs(steps - np.rint(steps)) > 1e-6))
        averaged = plan.reference in AVERAGES
        return cls(
            system={
                form: PairTally.of_checked(first, m, weights, step=step, bins=bins) for form, m in variants.items()
            },
            raters={(i, j): of_pair(i, j) for i, j in combinations(range(human.shape[1]), 2)},
            ratings=RatingTally.of(human, np.stack(list(variants.values())), weights=weights, bins=bins),
            groups={
                group.name: _group_tally(group, first, human, included, decisive, step) for group in included.groups
            },
            levels=LevelTally.of(included, first, trimmed, counted) if counted else None,
            crossed=_patterns(np.column_stack([first, final]), included, counted, rounded=not averaged)
            if counted
            else None,
            rated=_patterns(human, included, counted) if counted and human.shape[1] > 1 else None,
            length=_by_length(included, first, trimmed, bins),
            common=_common(human, included, decisive, step),
            off_points=off_points,
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


def _common(
    human: Scores, included: IncludedRatings, variants: Mapping[str, Scores], step: float
) -> dict[str, PairTally]:
    """The first rater against each form of the system score, where the second rater read too."""
    if human.shape[1] < 2:
        return {}
    both = np.isfinite(human[:, 0]) & np.isfinite(human[:, 1])
    bins = Bins.of(np.where(both, included.blocks, -1), (BLOCKS,))
    return {
        form: PairTally.of_checked(human[:, 0], m, included.weights, step=step, bins=bins)
        for form, m in variants.items()
    }


def _group_tally(
    column: GroupColumn,
    first: Scores,
    human: Scores,
    included: IncludedRatings,
    variants: Mapping[str, Scores],
    step: float,
) -> GroupTally:
    shape, weights = (len(column.levels), BLOCKS), included.weights
    numbers = column.codes * BLOCKS + included.blocks
    bins = Bins.of(numbers, shape)
    raters = None
    if human.shape[1] > 1:
        read_twice = Bins.of(np.where(np.isfinite(human[:, :2]).all(axis=1), numbers, -1), shape)
        raters = PairTally.of_checked(human[:, 0], human[:, 1], weights, step=step, bins=read_twice)
    trimmed = next(iter(variants.values()))
    return GroupTally(
        column.levels,
        {form: PairTally.of_checked(first, m, weights, step=step, bins=bins) for form, m in variants.items()},
        raters,
        ErrorTally.of(first, trimmed, column.codes, len(column.levels), weights=weights),
    )


def _patterns(
    scores: Scores, included: IncludedRatings, scale: ScoreScale, *, rounded: bool = True
) -> RatingPatterns | None:
    points, weights, blocks = scale.round(scores) if rounded else scores, included.weights, included.blocks
    return _countable(lambda: RatingPatterns.of(points, weights=weights, blocks=blocks, n_blocks=BLOCKS))


def _countable(count: Callable[[], RatingPatterns]) -> RatingPatterns | None:
    """The patterns; None when there are too many (three raters on 0 to 100): all other figures still stand."""
    try:
        return count()
    except InputError:
        return None


def _by_length(
    included: IncludedRatings, human: Scores, system: Scores, bins: Bins
) -> tuple[PairTally, PairTally] | None:
    length, weights = included.length, included.weights
    if length is None:
        return None
    known = np.isfinite(length)
    bins = bins if known.all() else Bins.of(np.where(known, included.blocks, -1), (BLOCKS,))
    human_length, system_length = (
        PairTally.of_checked(scores, length, weights, step=1.0, bins=bins) for scores in (human, system)
    )
    return human_length, system_length
