"""Pearson's r, and r with something else held constant or corrected for unreliable readers."""

import numpy as np

from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally, pair_metric


@pair_metric
def pearson_r(tally: PairTally) -> Scores:
    """Pearson's correlation of human and system scores.

    r = sum (H - mean H)(M - mean M) / sqrt(sum (H - mean H)^2 sum (M - mean M)^2)

    Undefined (NaN) for one response or when either rater's scores are all equal. The RSMTool manual says None;
    its code gives NaN too. Source: RSMTool manual, "Pearson Correlation coefficient".

    >>> round(pearson_r([1, 2, 3, 4], [1, 2, 4, 4]), 4)
    0.9467
    """
    # not over the root of the product: that of two large sums of squares may overflow
    r = tally.cross / tally.human_ss * np.sqrt(tally.human_ss / tally.system_ss)
    return np.where(tally.human_flat | tally.system_flat | (tally.n < 2), np.nan, np.clip(r, -1, 1))


def partial_r(r_human_system: Scores, r_human_other: Scores, r_system_other: Scores) -> Scores:
    """Correlation of human and system scores with a third quantity, such as length, held constant.

    r_HM.L = (r_HM - r_HL r_ML) / sqrt((1 - r_HL^2)(1 - r_ML^2))

    Undefined (NaN) when a correlation is, or when length alone determines one of the scores.
    Source: RSMTool 12 computes it from the inverse covariance matrix, which is the same for three columns.

    >>> round(float(partial_r(np.array(0.8), np.array(0.6), np.array(0.7))), 4)
    0.6651
    """
    left_over = (1 - r_human_other**2) * (1 - r_system_other**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        partial = (r_human_system - r_human_other * r_system_other) / np.sqrt(left_over)
    return np.where(left_over > 1e-12, partial, np.nan)


def disattenuated_r(r_human_system: Scores, r_human_human: Scores) -> Scores:
    """Correlation of the system with what two human raters agree on: r corrected for their unreliability.

    r_d = r_HM / sqrt(r_HH)

    Undefined (NaN) when the raters' own correlation is not above 0. May exceed 1.
    Source: RSMTool 12, disattenuated_correlations; the seed manual does not print it.

    >>> round(float(disattenuated_r(np.array(0.9356), np.array(0.9439))), 3)
    0.963
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = r_human_system / np.sqrt(np.where(np.asarray(r_human_human) > 0, r_human_human, np.nan))
    return np.asarray(corrected)
