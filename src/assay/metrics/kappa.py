"""Agreement beyond chance: Cohen's kappa, linear and quadratic weights."""

import numpy as np

from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally, pair_metric


@pair_metric
def cohen_kappa(tally: PairTally) -> Scores:
    """Agreement beyond chance on score points, every disagreement alike.

    kappa = (p_o - p_e) / (1 - p_e), p_o the share with equal points, p_e = sum_k p(H = k) p(M = k)

    Scores are rounded to the nearest point of the scale first, halves to even. Undefined (NaN) when both raters give
    every response one same point: nothing is left to chance. SKLL, which RSMTool calls, says 1 there.
    The RSMTool manual prints chance agreement as one number for all cells; meant is its value in each cell.
    Source: Cohen (1960), A coefficient of agreement for nominal scales.

    >>> round(cohen_kappa([1, 2, 3, 4, 3, 2, 4, 1, 2, 3], [1, 2, 4, 4, 3, 3, 4, 2, 2, 2]), 4)
    0.4595
    """
    by_chance = (_share(tally, tally.human_points) * _share(tally, tally.system_points)).sum(axis=-1)
    disagreement = 1 - tally.same_point / tally.weight
    return _beyond_chance(tally, disagreement, 1 - by_chance)


@pair_metric
def linear_weighted_kappa(tally: PairTally) -> Scores:
    """Agreement beyond chance on score points, where a miss by two points weighs twice a miss by one.

    kappa_w = 1 - mean |H - M| / E |H - M|, the expectation over independent raters with the same marginals

    Rounds to points as Cohen's kappa does; undefined in the same case. Source: Cohen (1968), Weighted kappa.

    >>> round(linear_weighted_kappa([1, 2, 3, 4, 3, 2, 4, 1, 2, 3], [1, 2, 4, 4, 3, 3, 4, 2, 2, 2]), 4)
    0.6491
    """
    # E|H - M| = sum over the gaps between points of P(H at most) P(M above) + P(H above) P(M at most)
    human = np.cumsum(_share(tally, tally.human_points), axis=-1)
    system = np.cumsum(_share(tally, tally.system_points), axis=-1)
    expected = (human * (1 - system) + (1 - human) * system).sum(axis=-1)
    return _beyond_chance(tally, tally.point_distance / tally.weight, expected)


@pair_metric
def quadratic_weighted_kappa(tally: PairTally) -> Scores:
    """Agreement beyond chance, where a miss by two points weighs four times a miss by one.

    QWK = 1 - mean((M - H)^2) / (var H + var M + (mean M - mean H)^2), variances over N

    Works for real-valued scores; nothing is rounded. Undefined (NaN) when both raters give every response one same
    score. On whole scores it equals the classical kappa with quadratic weights over all points of the scale;
    scikit-learn's weighs the ranks of the observed scores unless it is given all labels.
    Source: Haberman (2019), Measures of Agreement Versus Measures of Prediction Accuracy. The 2019 draft of the
    RSMTool manual prints the fraction without "1 -", squares the mean instead of the errors, and says ddof = 1;
    the code of its v12 agrees with ours.

    >>> round(quadratic_weighted_kappa([1, 2, 3, 4], [1, 2, 4, 4]), 4)
    0.9167
    """
    apart = tally.weight * (tally.system_mean - tally.human_mean) ** 2
    by_chance = tally.human_ss + tally.system_ss + apart
    both_flat = tally.human_flat & tally.system_flat & (tally.squared_error == 0)
    return np.where(both_flat | (tally.n == 0), np.nan, 1 - tally.squared_error / by_chance)


def _share(tally: PairTally, points: Scores) -> Scores:
    return points / tally.weight[..., None]


def _beyond_chance(tally: PairTally, observed: Scores, expected: Scores) -> Scores:
    one_point = (np.count_nonzero(tally.human_points + tally.system_points > 0, axis=-1) <= 1) | ~tally.has_points
    return np.where(one_point, np.nan, 1 - observed / expected)
