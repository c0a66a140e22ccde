"""Do two raters put the responses in the same order, whatever the distances between their scores?

Each function takes two arrays of scores, or a tally of two raters' patterns; responses without both scores do
not count. The result is a float, or an array over the leading axes of the tally. Weights act as frequencies,
and none of the three contains the sample size: a response of weight 2 is two responses.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import InputError
from assay.metrics.pairs import Scores
from assay.metrics.patterns import Places, RatingPatterns, as_patterns, level_places, sums_by


def spearman_r(human: RatingPatterns | ArrayLike, system: ArrayLike | None = None) -> float | Scores:
    """How far two raters rank the responses alike: the correlation of their ranks, from -1 to 1.

    rho = cov(rank H, rank M) / (sd(rank H) sd(rank M)), tied scores share their mean rank

    NaN when no response has both scores or one rater gives all responses one score.
    Source: Spearman (1904); Kendall (1970), Rank Correlation Methods, chapter 3 (ties).
    We correlate the midranks; the short form with 6 sum(d^2) holds only without ties.

    >>> spearman_r([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    0.8
    """
    pairs = _paired(human, system)
    rank_h, rank_m = _midranks(pairs.in_human), _midranks(pairs.in_system)
    product = (pairs.weight * rank_h[..., pairs.human] * rank_m[..., pairs.system]).sum(axis=-1)
    spread = (pairs.in_human * rank_h**2).sum(axis=-1) * (pairs.in_system * rank_m**2).sum(axis=-1)
    return _where_both_vary(pairs, product, np.sqrt(spread))


def kendall_tau_b(human: RatingPatterns | ArrayLike, system: ArrayLike | None = None) -> float | Scores:
    """By how much pairs of responses ranked alike outnumber those ranked oppositely, from -1 to 1.

    tau_b = (C - D) / sqrt((P - T_H) (P - T_M)), with P pairs of responses, of which C are ranked alike,
    D oppositely, T_H tied by the one rater and T_M by the other

    NaN when no response has both scores or one rater gives all responses one score. Source: Kendall (1945),
    The Treatment of Ties in Ranking Problems. The value 1 needs equal ties on both sides.

    >>> round(kendall_tau_b([1, 2, 2, 3], [1, 2, 3, 3]), 4)
    0.8
    """
    pairs = _paired(human, system)
    alike, opposite = _ranked_pairs(pairs)
    all_pairs = pairs.weight.sum(axis=-1) ** 2
    untied = [(all_pairs - (sums**2).sum(axis=-1)) / 2 for sums in (pairs.in_human, pairs.in_system)]
    with np.errstate(invalid="ignore"):  # rounding may leave -1e-17 where a rater is constant
        return _where_both_vary(pairs, alike - opposite, np.sqrt(untied[0]) * np.sqrt(untied[1]))


def goodman_kruskal_gamma(human: RatingPatterns | ArrayLike, system: ArrayLike | None = None) -> float | Scores:
    """Of the pairs of responses neither rater ties, the share ranked alike minus the share ranked oppositely.

    gamma = (C - D) / (C + D), C and D as in Kendall's tau

    NaN when no response has both scores or one rater gives all responses one score; otherwise some pair is
    untied. Source: Goodman & Kruskal (1954), Measures of Association for Cross Classifications. Ties are left
    out, so gamma is never smaller in size than tau_b and large on coarse scales.

    >>> goodman_kruskal_gamma([1, 2, 2, 3], [1, 2, 3, 3])
    1.0
    """
    pairs = _paired(human, system)
    alike, opposite = _ranked_pairs(pairs)
    return _where_both_vary(pairs, alike - opposite, alike + opposite)


def why_undefined(human: RatingPatterns | ArrayLike, system: ArrayLike | None = None) -> str:
    """Why the rank metrics are NaN, in words; empty when they are not. Leading axes are taken together.

    >>> why_undefined([3, 3], [1, 2])
    'all scores of the first rater are equal'
    """
    pairs = _paired(human, system)
    used = (pairs.weight > 0).any(axis=tuple(range(pairs.weight.ndim - 1)))  # (k,)
    if not used.any():
        return "no response has both scores"
    if np.unique(pairs.human[used]).size < 2:
        return "all scores of the first rater are equal"
    return "all scores of the second rater are equal" if np.unique(pairs.system[used]).size < 2 else ""


class _Pairs(NamedTuple):
    """Two raters' patterns, each score replaced by its place among the scores of its rater."""

    human: Places  # (k,)
    system: Places  # (k,)
    weight: Scores  # (..., k)
    in_human: Scores  # (..., levels of human): weight of each human score
    in_system: Scores  # (..., levels of system)


def _paired(human: RatingPatterns | ArrayLike, system: ArrayLike | None) -> _Pairs:
    if system is not None:
        if isinstance(human, RatingPatterns):
            remedy = "Give it alone, or give two arrays of scores."
            raise InputError("A tally already holds both raters", field="system", remedy=remedy)
        h, m = np.asarray(human, dtype=float), np.asarray(system, dtype=float)
        if h.ndim != 1 or h.shape != m.shape:
            problem = f"got {m.size} system scores for {h.size} human scores"
            raise InputError(problem, field="system", remedy="Give one system score for each human score.")
        human = np.column_stack([h, m])
    tally = as_patterns(human)
    if tally.raters != 2:
        problem = f"Rank metrics compare two raters, got {tally.raters}"
        raise InputError(problem, field="human", remedy="Choose two with of_raters.")
    both = tally.where(tally.ratings_given == 2)
    first, second = (level_places(column)[1] for column in both.patterns.T)
    return _Pairs(first, second, both.weight, sums_by(both.weight, first), sums_by(both.weight, second))


def _midranks(sums: Scores) -> Scores:
    """The mean rank of each score, minus the mean of all ranks, from how often each was given."""
    mean: Scores = sums.sum(axis=-1, keepdims=True) / 2
    return np.cumsum(sums, axis=-1) - sums / 2 - mean


def _ranked_pairs(pairs: _Pairs) -> tuple[Scores, Scores]:
    """The number of pairs of responses ranked alike and ranked oppositely by the two raters.

    Two places differ first at one binary digit. For each digit, the patterns that agree before it form a
    group; each with digit 1 is paired with those of its group with digit 0. That takes k log k steps where a
    table of all scores takes k^2, and the order of the patterns is found once for all replicates.
    """
    alike = np.zeros(pairs.weight.shape[:-1])
    opposite = np.zeros(pairs.weight.shape[:-1])
    for digit in range(int(pairs.human.max(initial=0)).bit_length()):
        group = pairs.human >> (digit + 1)
        cell = group * (int(pairs.system.max()) + 1) + pairs.system
        order = np.argsort(cell, kind="stable")
        cell, group, one = cell[order], group[order], (pairs.human[order] >> digit & 1).astype(float)
        weight = pairs.weight[..., order]
        up_to = np.zeros((*weight.shape[:-1], cell.size + 1))  # weight of the digits 0 before each place
        np.cumsum(weight * (1 - one), axis=-1, out=up_to[..., 1:])
        lower = up_to[..., np.searchsorted(cell, cell)] - up_to[..., np.searchsorted(group, group)]
        higher = up_to[..., np.searchsorted(group, group, "right")] - up_to[..., np.searchsorted(cell, cell, "right")]
        alike += (weight * one * lower).sum(axis=-1)
        opposite += (weight * one * higher).sum(axis=-1)
    return alike, opposite


def _where_both_vary(pairs: _Pairs, numerator: Scores, denominator: Scores) -> float | Scores:
    # counted, not `denominator > 0`: rounding may leave a constant rater a trace of spread
    vary = ((pairs.in_human > 0).sum(axis=-1) > 1) & ((pairs.in_system > 0).sum(axis=-1) > 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.clip(np.where(vary, numerator / denominator, np.nan), -1, 1)
    return value if value.ndim else float(value)
