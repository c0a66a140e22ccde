"""The same figures within each group, and whether the system's error depends on the group."""

from collections.abc import Mapping

import numpy as np

from assay.evaluation.pair_figures import pair_figures
from assay.evaluation.plan import Plan
from assay.evaluation.result import GroupFigures, Grouping, PairFigures
from assay.evaluation.tallying import EvaluationTally, GroupTally
from assay.evaluation.true_scores import disattenuated_pair
from assay.metrics.catalogue import RATER_METRICS
from assay.metrics.fairness import fairness
from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.mean_difference import difference_of_standardized_means
from assay.metrics.tally import PairTally

NO_SPREAD = "all human or all system scores are equal"


def groupings(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[Grouping, ...]:
    """Every group column, its groups by name."""
    return tuple(_grouping(column, group, tally, plan, resampling) for column, group in tally.groups.items())


def _grouping(column: str, group: GroupTally, tally: EvaluationTally, plan: Plan, resampling: Resampling) -> Grouping:
    shifts = {
        form: _shifts(blocks, (tally.system[form], tally.system[form]), resampling)
        for form, blocks in group.system.items()
    }
    first_raters = tally.raters.get((0, 1))
    rater_shifts = (
        None
        if group.raters is None or first_raters is None
        else _shifts(group.raters, (tally.system[plan.trimmed], first_raters), resampling)
    )
    found = []
    for number, name in enumerate(group.levels):
        system = {
            form: pair_figures(blocks[number], resampling, further={"dsm": shifts[form][number]})
            for form, blocks in group.system.items()
        }
        n = system[plan.trimmed].n
        if n:
            raters = None
            if rater_shifts is not None and group.raters is not None:
                raters = _raters(group.raters[number], rater_shifts[number], resampling)
            corrected = (
                disattenuated_pair(group.system[plan.trimmed][number], group.raters[number], resampling)
                if group.raters is not None
                else None
            )
            found.append(GroupFigures(name, n, n >= plan.least_group, system, raters, corrected))
    return Grouping(column, tuple(found), fairness(group.errors, group.levels))


def _raters(blocks: PairTally, shift: Estimate, resampling: Resampling) -> PairFigures:
    return pair_figures(blocks, resampling, RATER_METRICS, further={"dsm": shift})


def _shifts(group: PairTally, everyone: tuple[PairTally, PairTally], resampling: Resampling) -> Mapping[int, Estimate]:
    """The DSM of each group; `everyone` holds the populations of the first and of the second rater."""
    whole = difference_of_standardized_means(group.merged(), everyone[0].merged(), everyone[1].merged())
    spread = difference_of_standardized_means(
        group.combined(resampling.totals), *(t.combined(resampling.totals) for t in everyone)
    )
    members = np.count_nonzero(group.n, axis=-1)
    return {
        number: resampling.estimate(
            float(whole[number]), spread[number], everyone[0].n, units=int(members[number]), reason=NO_SPREAD
        )
        for number in range(len(members))
    }
