"""Figures from tallies: two raters for everyone and within each group, the true score, and what two raters reach."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from assay.evaluation.plan import Plan
from assay.evaluation.reference import AVERAGES
from assay.evaluation.result import (
    COMPARED,
    Disattenuated,
    Estimates,
    GroupFigures,
    Grouping,
    PairFigures,
    Readings,
    Summary,
    TrueScore,
)
from assay.evaluation.tallying import EvaluationTally, GroupTally
from assay.metrics.catalogue import PAIR_METRICS, RATER_METRICS, PairMetric, estimates
from assay.metrics.correlation import disattenuated_r, pearson_r
from assay.metrics.fairness import fairness
from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.mean_difference import difference_of_standardized_means
from assay.metrics.pairs import Scores
from assay.metrics.simultaneous import joint_estimates, shrunken_estimates
from assay.metrics.tally import PairTally, why_undefined
from assay.metrics.true_score import RatingTally, prmse, rater_error_variance, true_score_mse, true_score_variance

NOT_ON_POINTS = "the human scores lie on no regular points"
BETWEEN_POINTS = "the {} of several raters lies between score points"
FEW_DOUBLES = "too few double scores: {}, at least {} needed"
GIVEN = "given"
NO_SPREAD = "all human or all system scores are equal"
NO_SIGNAL = "the human scores hold no more than rater error: the true-score variance is not above 0"


def pair_figures(
    blocks: PairTally,
    resampling: Resampling,
    metrics: Mapping[str, PairMetric] = PAIR_METRICS,
    *,
    further: Mapping[str, Estimate] | None = None,
    reason: str = "",
) -> PairFigures:
    """Descriptives and metrics with intervals; `further` metrics come last.

    With a `reason`, figures that count score points are undefined.
    """
    whole = blocks.merged()
    return PairFigures(
        n=int(whole.n),
        first=_summary(whole.human_mean, whole.human_variance(), whole.human_min, whole.human_max, whole),
        second=_summary(whole.system_mean, whole.system_variance(), whole.system_min, whole.system_max, whole),
        metrics={**on_points_only(estimates(blocks, resampling, metrics), reason), **(further or {})},
    )


def _summary(mean: Scores, variance: Scores, low: Scores, high: Scores, whole: PairTally) -> Summary:
    if whole.n == 0:
        return Summary(nan, nan, nan, nan)
    # the variance of equal scores may be a rounding error; their spread is 0
    sd = 0.0 if low == high and whole.n > 1 else float(variance) ** 0.5
    return Summary(float(mean), sd, float(low), float(high))


def groupings(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[Grouping, ...]:
    """Every group column: the same figures within each of its groups, and whether the error depends on the group."""
    joint = _joint_figures(tally, plan, resampling)
    return tuple(_grouping(column, group, tally, plan, resampling, joint) for column, group in tally.groups.items())


def _joint_figures(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[tuple[str, int], Estimates]:
    """DSM and QWK of every group that is shown beside others, by column and number, with intervals that hold together.

    DSM is shrunken within each column: a fair engine with many small groups would fail by their noise alone.
    """
    everyone, rows = tally.system[plan.trimmed], []
    for column, group in tally.groups.items():
        blocks = group.system[plan.trimmed]
        shifts, sizes = _Shifts.of(blocks, everyone, everyone, resampling), blocks.n.sum(axis=-1)
        if np.count_nonzero(sizes) > 1:
            visible = np.flatnonzero(sizes >= max(plan.least_group, 1)).tolist()
            rows += [(column, i, shifts, blocks[i]) for i in visible]
    if not rows:
        return {}
    values, replicates = (np.stack([getattr(s, name)[i] for _, i, s, _ in rows]) for name in ("values", "replicates"))
    units = [int(shifts.units[i]) for _, i, shifts, _ in rows]
    dsm = joint_estimates(values, replicates, everyone.n, resampling, units=units, reason=NO_SPREAD)
    errors = [resampling.standard_error(own, everyone.n) for own in replicates]
    apart = replace(resampling, level=resampling.level ** (1 / len(rows)))  # groups of one column share no response
    figures: dict[tuple[str, int], Estimates] = {}
    for column in tally.groups:
        own = [number for number, row in enumerate(rows) if row[0] == column]
        pulled = shrunken_estimates([dsm[number] for number in own], [errors[number] for number in own])
        for number, estimate in zip(own, pulled, strict=True):
            _, i, _, blocks = rows[number]
            figures[column, i] = {**estimates(blocks, apart, {"qwk": PAIR_METRICS["qwk"]}), "dsm": estimate}
    return figures


def _grouping(
    column: str,
    group: GroupTally,
    tally: EvaluationTally,
    plan: Plan,
    resampling: Resampling,
    joint: Mapping[tuple[str, int], Estimates],
) -> Grouping:
    everyone, raters = tally.system[plan.trimmed], tally.raters.get((0, 1))
    everyone = everyone if raters is None or plan.reference == "first" else raters  # the first rater's population
    reason = off_points(tally, plan)
    shifts = {}
    for form, blocks in group.system.items():
        shifts[form] = _Shifts.of(blocks, tally.system[form], tally.system[form], resampling).estimates(resampling)
    rater_shifts = []
    if raters is not None and group.raters is not None:
        rater_shifts = _Shifts.of(group.raters, everyone, raters, resampling).estimates(resampling)
    groups = []
    for number, name in enumerate(group.levels):
        system = {
            form: pair_figures(blocks[number], resampling, further={"dsm": shifts[form][number]}, reason=reason)
            for form, blocks in group.system.items()
        }
        n = system[plan.trimmed].n
        people = corrected = None
        if n and group.raters is not None:
            both = group.raters[number]
            corrected = _disattenuated(group.system[plan.trimmed][number], both, resampling)
            if rater_shifts:
                people = pair_figures(both, resampling, RATER_METRICS, further={"dsm": rater_shifts[number]})
        if n:
            together = joint.get((column, number), {})
            groups.append(GroupFigures(name, n, n >= plan.least_group, system, people, corrected, together))
    return Grouping(column, tuple(groups), fairness(group.errors, group.levels))


@dataclass(frozen=True, eq=False, slots=True)
class _Shifts:
    """The DSM of each group of a column, before it has an interval."""

    values: Scores
    replicates: Scores
    """(groups, blocks)."""
    occupied: Scores
    units: Scores
    """In how many blocks each group has members."""

    @classmethod
    def of(cls, group: PairTally, first: PairTally, second: PairTally, resampling: Resampling) -> "_Shifts":
        """`first` and `second` hold the populations of the first and of the second rater."""
        whole = difference_of_standardized_means(group.merged(), first.merged(), second.merged())
        spread = difference_of_standardized_means(*(t.combined(resampling.totals) for t in (group, first, second)))
        return cls(whole, spread, first.n, np.count_nonzero(group.n, axis=-1))

    def estimates(self, resampling: Resampling) -> list[Estimate]:
        """Each with an interval of its own."""
        return [
            resampling.estimate(float(value), replicates, self.occupied, units=int(units), reason=NO_SPREAD)
            for value, replicates, units in zip(self.values, self.replicates, self.units, strict=True)
        ]


def off_points(tally: EvaluationTally, plan: Plan) -> str:
    """Why figures that count score points have no meaning; empty where they have."""
    if plan.scale is None:
        return NOT_ON_POINTS if tally.off_points else ""
    return BETWEEN_POINTS.format(plan.reference) if plan.reference in AVERAGES and tally.off_points else ""


def on_points_only(figures: Estimates, reason: str) -> Estimates:
    """The figures of two raters; with a reason, those that count score points are undefined."""
    if not reason:
        return figures
    undefined = Estimate(reason=reason)
    return {n: undefined if n in PAIR_METRICS and PAIR_METRICS[n].on_points else e for n, e in figures.items()}


def readings(tally: EvaluationTally, raters: int) -> Readings:
    """How many responses were read how often."""
    whole = tally.ratings.merged()
    return Readings(raters, int(whole.single), int(whole.n - whole.single))


def true_scores(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, TrueScore]:
    """By form; empty when no response was read twice and no error variance is known.

    With few responses read twice PRMSE is undefined, unless the error variance is known.
    """

    def error_variance(ratings: RatingTally) -> Scores:
        known = plan.error_variance
        return rater_error_variance(ratings) if known is None else np.full(ratings.n.shape, known)

    blocks = tally.ratings
    whole, spread = blocks.merged(), blocks.combined(resampling.totals)
    error, error_spread = error_variance(whole), error_variance(spread)
    if not np.isfinite(error):
        return {}
    doubles = int(whole.n - whole.single)
    few = plan.error_variance is None and doubles < plan.least_doubles
    units = None if plan.error_variance is not None else int(np.count_nonzero(blocks.within_df))
    of_errors = Estimate(float(error), reason=GIVEN)
    if plan.error_variance is None:
        of_errors = resampling.estimate(float(error), error_spread, blocks.n, even="log", units=units)
    variance = resampling.estimate(
        float(true_score_variance(whole, error)), true_score_variance(spread, error_spread), blocks.n, units=units
    )
    mse, mse_spread = true_score_mse(whole, error), true_score_mse(spread, error_spread)
    explained, explained_spread = prmse(whole, error), prmse(spread, error_spread)
    by_form = {}
    for form, *figures in zip(tally.system, mse, mse_spread, explained, explained_spread, strict=True):
        by_form[form] = TrueScore(
            of_errors,
            variance,
            resampling.estimate(float(figures[0]), figures[1], blocks.n, units=units),
            Estimate(reason=FEW_DOUBLES.format(doubles, plan.least_doubles))
            if few
            else resampling.estimate(
                float(figures[2]), figures[3], blocks.n, even="log of rest", units=units, reason=NO_SIGNAL
            ),
        )
    return by_form


def one_rater(tally: EvaluationTally, plan: Plan) -> Mapping[str, PairTally]:
    """One rater against the system, by form: what two raters can be held against.

    The average or the majority of several raters errs less than one; beside it, two raters would look worse than they
    are. Then the first rater stands for it, on the responses that both raters read.
    """
    return tally.system if plan.reference == "first" else tally.common


def degradation(
    tally: EvaluationTally, systems: Mapping[str, PairTally], resampling: Resampling
) -> dict[str, Estimates]:
    """Human-system minus human-human, by form; below 0 the system agrees less than a second rater does."""
    raters = tally.raters.get((0, 1))
    if raters is None or not raters.n.any():
        return {}
    whole_raters, spread_raters = raters.merged(), raters.combined(resampling.totals)
    by_form: dict[str, Estimates] = {}
    for form, blocks in systems.items():
        whole, spread = blocks.merged(), blocks.combined(resampling.totals)
        by_form[form] = {
            name: resampling.estimate(
                PAIR_METRICS[name].formula(whole) - RATER_METRICS[name].formula(whole_raters),
                PAIR_METRICS[name].formula(spread) - RATER_METRICS[name].formula(spread_raters),
                tally.system[form].n,
                units=int(np.count_nonzero(raters.n)),
                reason=why_undefined(whole) or why_undefined(whole_raters),
            )
            for name in COMPARED
        }
    return by_form


def disattenuated(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, Disattenuated]:
    """The correlation corrected for the raters' own, by form."""
    raters = tally.raters.get((0, 1))
    if raters is None or not raters.n.any():
        return {}
    return {form: _disattenuated(blocks, raters, resampling) for form, blocks in one_rater(tally, plan).items()}


def _disattenuated(system: PairTally, raters: PairTally, resampling: Resampling) -> Disattenuated:
    """From the tallies per block of human-system and human-human."""
    r, r_raters = (pearson_r.of_tally(pair.merged()) for pair in (system, raters))
    replicates = (np.asarray(pearson_r.of_tally(pair.combined(resampling.totals))) for pair in (system, raters))
    value, spread = float(disattenuated_r(np.asarray(r), np.asarray(r_raters))), disattenuated_r(*replicates)
    reason = why_undefined(system.merged()) or why_undefined(raters.merged())
    reason = reason or "the raters' own correlation is not above 0"
    read_twice = int(np.count_nonzero(raters.n))
    return Disattenuated(r, r_raters, resampling.estimate(value, spread, system.n, units=read_twice, reason=reason))
