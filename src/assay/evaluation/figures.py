"""Figures from tallies: two raters for everyone and within each group, the true score, and what two people reach."""

from collections.abc import Mapping
from math import nan

import numpy as np

from assay.evaluation.plan import Plan
from assay.evaluation.result import (
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
from assay.metrics.tally import PairTally, why_undefined
from assay.metrics.true_score import RatingTally, prmse, rater_error_variance, true_score_mse, true_score_variance

NO_SPREAD = "all human or all system scores are equal"
NO_SIGNAL = "the human scores hold no more than reading error: the true-score variance is not above 0"

COMPARED = ("r", "kappa", "qwk", "exact_agreement", "adjacent_agreement", "smd")
"""The metrics for which human-system is held against human-human, as in RSMTool."""


def pair_figures(
    blocks: PairTally,
    resampling: Resampling,
    metrics: Mapping[str, PairMetric] = PAIR_METRICS,
    *,
    further: Mapping[str, Estimate] | None = None,
) -> PairFigures:
    """Descriptives and metrics with intervals; `further` metrics come last."""
    whole = blocks.merged()
    return PairFigures(
        n=int(whole.n),
        first=_summary(whole.human_mean, whole.human_variance(), whole.human_min, whole.human_max, whole),
        second=_summary(whole.system_mean, whole.system_variance(), whole.system_min, whole.system_max, whole),
        metrics={**estimates(blocks, resampling, metrics), **(further or {})},
    )


def _summary(mean: Scores, variance: Scores, low: Scores, high: Scores, whole: PairTally) -> Summary:
    if whole.n == 0:
        return Summary(nan, nan, nan, nan)
    # the variance of equal scores may be a rounding error; their spread is 0
    sd = 0.0 if low == high and whole.n > 1 else float(variance) ** 0.5
    return Summary(float(mean), sd, float(low), float(high))


def groupings(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[Grouping, ...]:
    """Every group column: the same figures within each of its groups, and whether the error depends on the group."""
    return tuple(_grouping(column, group, tally, plan, resampling) for column, group in tally.groups.items())


def _grouping(column: str, group: GroupTally, tally: EvaluationTally, plan: Plan, resampling: Resampling) -> Grouping:
    everyone, raters = tally.system[plan.trimmed], tally.raters.get((0, 1))
    shifts = {}
    for form, blocks in group.system.items():
        shifts[form] = _shifts(blocks, tally.system[form], tally.system[form], resampling)
    rater_shifts = []
    if raters is not None and group.raters is not None:
        rater_shifts = _shifts(group.raters, everyone, raters, resampling)
    groups = []
    for number, name in enumerate(group.levels):
        system = {
            form: pair_figures(blocks[number], resampling, further={"dsm": shifts[form][number]})
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
            groups.append(GroupFigures(name, n, n >= plan.least_group, system, people, corrected))
    return Grouping(column, tuple(groups), fairness(group.errors, group.levels))


def _shifts(group: PairTally, first: PairTally, second: PairTally, resampling: Resampling) -> list[Estimate]:
    """The DSM of each group; `first` and `second` hold the populations of the first and of the second rater."""
    whole = difference_of_standardized_means(group.merged(), first.merged(), second.merged())
    spread = difference_of_standardized_means(*(t.combined(resampling.totals) for t in (group, first, second)))
    members = np.count_nonzero(group.n, axis=-1)
    return [
        resampling.estimate(float(value), replicates, first.n, units=int(units), reason=NO_SPREAD)
        for value, replicates, units in zip(whole, spread, members, strict=True)
    ]


def readings(tally: EvaluationTally, raters: int) -> Readings:
    """How many responses were read how often."""
    whole = tally.ratings.merged()
    return Readings(raters, int(whole.single), int(whole.n - whole.single))


def true_scores(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, TrueScore]:
    """By form; empty when no response was read twice and no error variance is known."""

    def error_variance(ratings: RatingTally) -> Scores:
        known = plan.error_variance
        return rater_error_variance(ratings) if known is None else np.full(ratings.n.shape, known)

    blocks = tally.ratings
    whole, spread = blocks.merged(), blocks.combined(resampling.totals)
    error, error_spread = error_variance(whole), error_variance(spread)
    if not np.isfinite(error):
        return {}
    variance = float(true_score_variance(whole, error))
    mse, mse_spread = true_score_mse(whole, error), true_score_mse(spread, error_spread)
    explained, explained_spread = prmse(whole, error), prmse(spread, error_spread)
    units = None if plan.error_variance is not None else int(np.count_nonzero(blocks.within_df))
    by_form = {}
    for form, *figures in zip(tally.system, mse, mse_spread, explained, explained_spread, strict=True):
        by_form[form] = TrueScore(
            float(error),
            variance,
            resampling.estimate(float(figures[0]), figures[1], blocks.n, units=units),
            resampling.estimate(
                float(figures[2]), figures[3], blocks.n, even="log of rest", units=units, reason=NO_SIGNAL
            ),
        )
    return by_form


def degradation(tally: EvaluationTally, resampling: Resampling) -> dict[str, Estimates]:
    """Human-system less human-human, by form; below 0 the system agrees less than a second reader does."""
    raters = tally.raters.get((0, 1))
    if raters is None or not raters.n.any():
        return {}
    whole_raters, spread_raters = raters.merged(), raters.combined(resampling.totals)
    by_form: dict[str, Estimates] = {}
    for form, blocks in tally.system.items():
        whole, spread = blocks.merged(), blocks.combined(resampling.totals)
        by_form[form] = {
            name: resampling.estimate(
                PAIR_METRICS[name].formula(whole) - RATER_METRICS[name].formula(whole_raters),
                PAIR_METRICS[name].formula(spread) - RATER_METRICS[name].formula(spread_raters),
                blocks.n,
                units=int(np.count_nonzero(raters.n)),
                reason=why_undefined(whole) or why_undefined(whole_raters),
            )
            for name in COMPARED
        }
    return by_form


def disattenuated(tally: EvaluationTally, resampling: Resampling) -> dict[str, Disattenuated]:
    """The correlation corrected for the raters' own, by form."""
    raters = tally.raters.get((0, 1))
    if raters is None or not raters.n.any():
        return {}
    return {form: _disattenuated(blocks, raters, resampling) for form, blocks in tally.system.items()}


def _disattenuated(system: PairTally, raters: PairTally, resampling: Resampling) -> Disattenuated:
    """From the tallies per block of human-system and human-human."""
    r, r_raters = (pearson_r.of_tally(pair.merged()) for pair in (system, raters))
    replicates = (np.asarray(pearson_r.of_tally(pair.combined(resampling.totals))) for pair in (system, raters))
    value, spread = float(disattenuated_r(np.asarray(r), np.asarray(r_raters))), disattenuated_r(*replicates)
    reason = why_undefined(system.merged()) or why_undefined(raters.merged())
    reason = reason or "the raters' own correlation is not above 0"
    read_twice = int(np.count_nonzero(raters.n))
    return Disattenuated(r, r_raters, resampling.estimate(value, spread, system.n, units=read_twice, reason=reason))
