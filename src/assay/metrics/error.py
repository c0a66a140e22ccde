"""How far the system score is from the human score."""

import numpy as np

from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally, pair_metric


@pair_metric
def mean_squared_error(tally: PairTally) -> Scores:
    """Mean squared difference of system and human score.

    MSE = 1 / N * sum (H - M)^2

    Undefined (NaN) without responses. Source: RSMTool manual, "Mean squared error".

    >>> mean_squared_error([1, 2, 3, 4], [1, 2, 4, 4])
    0.25
    """
    return np.where(tally.n > 0, tally.squared_error / tally.weight, np.nan)


@pair_metric
def root_mean_squared_error(tally: PairTally) -> Scores:
    """Typical size of the error, in score points, large errors weighing more: the square root of the MSE.

    >>> root_mean_squared_error([1, 2, 3, 4], [1, 2, 4, 4])
    0.5
    """
    return np.where(tally.n > 0, np.sqrt(tally.squared_error / tally.weight), np.nan)


@pair_metric
def mean_absolute_error(tally: PairTally) -> Scores:
    """Average size of the error, in score points.

    >>> mean_absolute_error([1, 2, 3, 4], [1, 2, 4, 4])
    0.25
    """
    return np.where(tally.n > 0, tally.absolute_error / tally.weight, np.nan)


@pair_metric
def r_squared(tally: PairTally) -> Scores:
    """Proportional reduction in mean squared error: how much better than giving everyone the human mean.

    R2 = 1 - sum (H - M)^2 / sum (H - mean H)^2

    May be negative. Undefined (NaN) for one response or when all human scores are equal; scikit-learn, which RSMTool
    calls, says 0 or 1 in the second case. The RSMTool manual divides by the variance over N - 1; its code and ours
    divide by that over N. Source: RSMTool manual, "Proportional reduction in mean squared error".

    >>> r_squared([1, 2, 3, 4], [1, 2, 4, 4])
    0.8
    """
    undefined = tally.human_flat | (tally.n < 2)
    return np.where(undefined, np.nan, 1 - tally.squared_error / tally.human_ss)
