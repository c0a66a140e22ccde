"""Whether two raters are centred on the same point: SMD, and DSM for subgroups."""

import numpy as np

from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally, pair_metric


@pair_metric
def standardized_mean_difference(tally: PairTally) -> Scores:
    """How much higher the system scores on average, in standard deviations of the human scores.

    SMD = (mean M - mean H) / sd H, sd over N - 1

    Undefined (NaN) for one response or when all human scores are equal. Source: RSMTool manual, "SMD" (unpooled).

    >>> round(standardized_mean_difference([1, 2, 3, 4], [1, 2, 4, 4]), 4)
    0.1936
    """
    sd = np.sqrt(tally.human_variance())
    return np.where(tally.human_flat, np.nan, (tally.system_mean - tally.human_mean) / sd)


@pair_metric
def pooled_mean_difference(tally: PairTally) -> Scores:
    """How much higher the second human scores than the first, in standard deviations of both.

    SMD = (mean H2 - mean H1) / sqrt((var H1 + var H2) / 2), variances over N2 - 1, on the N2 responses with both

    Undefined (NaN) for one response or when neither rater's scores differ. Source: RSMTool manual, human-human SMD;
    it leaves open over which responses the variances run: its code takes the N2.

    >>> round(pooled_mean_difference([1, 2, 3, 4], [1, 2, 4, 4]), 4)
    0.1786
    """
    sd = np.sqrt((tally.human_variance() + tally.system_variance()) / 2)
    flat = tally.human_flat & tally.system_flat
    return np.where(flat, np.nan, (tally.system_mean - tally.human_mean) / sd)


def difference_of_standardized_means(
    group: PairTally, human_population: PairTally, system_population: PairTally | None = None
) -> Scores:
    """How much higher the system than the human places a group, each measured on its own scale of all responses.

    DSM = (mean_g M - mean M) / sd M - (mean_g H - mean H) / sd H; means and sds (over N - 1) without index: everyone

    Undefined (NaN) when everyone got the same score from either rater (RSMTool warns and gives none: its limit is an
    sd of 1e-7). For two human raters RSMTool takes the first rater's mean and sd over all responses and the
    second's over those read twice: pass both populations.
    Source: RSMTool manual, "DSM"; it prints sd S where sd M is meant.
    """
    m_all = human_population if system_population is None else system_population
    human_sd = np.sqrt(human_population.human_variance())
    system_sd = np.sqrt(m_all.system_variance())
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = (group.system_mean - m_all.system_mean) / system_sd
        shift = shift - (group.human_mean - human_population.human_mean) / human_sd
    undefined = (human_sd <= 1e-7) | (system_sd <= 1e-7) | (group.n == 0)
    return np.where(undefined, np.nan, shift)
