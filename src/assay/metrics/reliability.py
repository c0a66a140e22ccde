"""How far many raters agree: Krippendorff's alpha, intraclass correlations, Fleiss' kappa, Gwet's AC.

Each function takes a table of ratings (a row per response, a column per rater, NaN for a gap) or a
`RatingPatterns` tally, and gives a float, or an array over the leading axes of the tally. Weights act as
frequencies; where the number of responses enters the formula they are first rescaled to mean 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns, as_patterns

Ratings = RatingPatterns | ArrayLike

_MOST_CELLS = 20_000_000  # patterns times score points: 160 MB
_ROUNDING = 1e-12  # a variance below this share of the squared range of the scores is none


def krippendorff_alpha_nominal(ratings: Ratings) -> float | Scores:
    """Agreement beyond chance where two scores are the same or not.

    alpha = 1 - D_o / D_e, the disagreement observed within responses over that among all ratings pooled;
    disagreement is the mean over pairs of ratings of delta^2, here 1 for different scores and 0 for equal
    ones

    Responses with fewer than two ratings do not count. NaN when none has two, or all ratings that count are
    equal. Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; (2019), Content Analysis,
    chapter 12.

    >>> round(krippendorff_alpha_nominal([[1, 1], [1, 2], [2, 2], [3, 3]]), 4)
    0.6667
    """
    tally = _pairable(ratings)
    given, table = tally.ratings_given, _level_counts(tally, _scale_points(tally))
    weight = tally.scaled_weight()
    totals = weight @ table  # (..., levels)
    observed = weight @ ((given**2 - (table**2).sum(axis=1)) / (given - 1))
    n = totals.sum(axis=-1)
    return _alpha(observed, n**2 - (totals**2).sum(axis=-1), n, (totals > 0).sum(axis=-1) > 1)


def krippendorff_alpha_ordinal(ratings: Ratings) -> float | Scores:
    """Agreement beyond chance where two scores are as far apart as there are ratings between them.

    alpha as for nominal scores, with delta^2(c, k) = (n_c/2 + n_(c+1) + ... + n_(k-1) + n_k/2)^2, where n_c
    ratings have the score c: the difference of their mean ranks. In a bootstrap, of the ranks in that
    replicate.

    Responses with fewer than two ratings do not count. NaN when none has two, or all ratings that count are
    equal. Source: Krippendorff (2011; 2019, chapter 12).

    >>> round(krippendorff_alpha_ordinal([[1, 1], [1, 2], [2, 2], [3, 3]]), 4)
    0.79
    """
    tally = _pairable(ratings)
    given, table = tally.ratings_given, _level_counts(tally, _scale_points(tally))
    weight = tally.scaled_weight()
    totals = weight @ table
    n = totals.sum(axis=-1)
    rank = np.cumsum(totals, axis=-1) - totals / 2 - n[..., None] / 2  # (..., levels), mean 0
    unlike = given * (rank**2 @ table.T) - (rank @ table.T) ** 2  # (..., k)
    observed = (weight * unlike / (given - 1)).sum(axis=-1)
    return _alpha(observed, n * (totals * rank**2).sum(axis=-1), n, (totals > 0).sum(axis=-1) > 1)


def krippendorff_alpha_interval(ratings: Ratings) -> float | Scores:
    """Agreement beyond chance where a miss by two points weighs four times a miss by one.

    alpha = 1 - (mean variance within responses, by ratings) / (variance of all ratings pooled), variances
    over n - 1; the same as 1 - D_o / D_e with delta^2 = (c - k)^2

    Responses with fewer than two ratings do not count. NaN when none has two, or all ratings that count are
    equal. Source: Krippendorff (2011; 2019, chapter 12). Works for real-valued scores.

    >>> round(krippendorff_alpha_interval([[1, 1], [1, 2], [2, 2], [3, 3]]), 4)
    0.8205
    """
    tally = _pairable(ratings)
    given, weight = tally.ratings_given, tally.scaled_weight()
    mean, within = _means_and_squares(tally)
    n = weight @ given
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weight @ (within + given * mean**2) - (weight @ (given * mean)) ** 2 / n
        varies = total / n > _ROUNDING * _squared_range(tally)
    return _alpha(weight @ (given * within / (given - 1)), n * total, n, varies)


def krippendorff_alpha_ratio(ratings: Ratings) -> float | Scores:
    """Agreement beyond chance where differences count relative to the size of the scores.

    alpha as for nominal scores, with delta^2(c, k) = ((c - k) / (c + k))^2, 0 for two zeros

    Responses with fewer than two ratings do not count. NaN when none has two, when all ratings that count are equal,
    or when a score is below 0. Source: Krippendorff (2011; 2019, chapter 12).

    >>> round(krippendorff_alpha_ratio([[1, 1], [1, 2], [2, 2], [3, 3]]), 4)
    0.7161
    """
    tally = _pairable(ratings)
    points = _scale_points(tally)
    given, table = tally.ratings_given, _level_counts(tally, points)
    sums = points[:, None] + points
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = np.where(sums > 0, ((points[:, None] - points) / sums) ** 2, 0.0)
    weight = tally.scaled_weight()
    totals = weight @ table
    n = totals.sum(axis=-1)
    observed = weight @ ((table @ distance * table).sum(axis=1) / (given - 1))
    pooled = ((totals @ distance) * totals).sum(axis=-1)
    return _alpha(observed, pooled, n, ((totals > 0).sum(axis=-1) > 1) & bool((points >= 0).all()))


def icc_1(ratings: Ratings) -> float | Scores:
    """Share of a rating's variance that lies between responses, when each has its own raters: ICC(1,1).

    ICC(1) = (MSB - MSW) / (MSB + (k - 1) MSW), mean squares between and within responses, k ratings each

    With gaps k is n0 = (N - sum n_i^2 / N) / (n - 1), for n responses with n_i of the N ratings; a response
    with one rating counts between responses only. NaN with fewer than two rated responses, when no response
    has two ratings, or when all ratings are equal. Source: Shrout & Fleiss (1979); McGraw & Wong (1996); n0:
    Snedecor & Cochran (1989).

    >>> round(icc_1([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]), 2)
    0.17
    """
    one = _one_way(ratings)
    return _variance_ratio(one.rows - one.error, one.rows + (one.raters - 1) * one.error, one)


def icc_1k(ratings: Ratings) -> float | Scores:
    """Reliability of the mean of a response's ratings, when each response has its own raters: ICC(1,k).

    ICC(1,k) = (MSB - MSW) / MSB; with gaps, of a mean of n0 ratings as in icc_1

    NaN as for icc_1, and when all responses have the same mean.
    Source: Shrout & Fleiss (1979); McGraw & Wong (1996).
    """
    one = _one_way(ratings)
    return _variance_ratio(one.rows - one.error, one.rows, one)


def icc_2(ratings: Ratings) -> float | Scores:
    """Absolute agreement of single ratings, by raters drawn from many: ICC(2,1), also ICC(A,1).

    ICC(2) = (MSR - MSE) / (MSR + (k - 1) MSE + k (MSC - MSE) / n), mean squares of responses, raters and the
    rest

    Only responses rated by all k raters count. NaN with fewer than two of them or fewer than two raters, when
    all ratings are equal, or when the denominator is 0. Source: Shrout & Fleiss (1979); McGraw & Wong (1996).
    """
    two = _two_way(ratings)
    between_raters = two.raters * (two.columns - two.error) / two.n
    return _variance_ratio(two.rows - two.error, two.rows + (two.raters - 1) * two.error + between_raters, two)


def icc_2k(ratings: Ratings) -> float | Scores:
    """Absolute agreement of the mean of k ratings, by raters drawn from many: ICC(2,k), also ICC(A,k).

    ICC(2,k) = (MSR - MSE) / (MSR + (MSC - MSE) / n)

    Counts and is NaN as icc_2. The denominator may be negative, where the plain formula turns utter
    disagreement into a large positive value: we give NaN. Source: Shrout & Fleiss (1979); McGraw & Wong
    (1996).
    """
    two = _two_way(ratings)
    return _variance_ratio(two.rows - two.error, two.rows + (two.columns - two.error) / two.n, two)


def icc_3(ratings: Ratings) -> float | Scores:
    """Consistency of single ratings, whatever the severity of each rater: ICC(3,1), also ICC(C,1).

    ICC(3) = (MSR - MSE) / (MSR + (k - 1) MSE)

    Only responses rated by all k raters count. NaN with fewer than two of them or fewer than two raters, or
    when all of them have the same ratings. Source: Shrout & Fleiss (1979); McGraw & Wong (1996).
    """
    two = _two_way(ratings)
    return _variance_ratio(two.rows - two.error, two.rows + (two.raters - 1) * two.error, two)


def icc_3k(ratings: Ratings) -> float | Scores:
    """Consistency of the mean of k ratings: ICC(3,k), also ICC(C,k); equal to Cronbach's alpha.

    ICC(3,k) = (MSR - MSE) / MSR

    Counts and is NaN as icc_3, and when all responses have the same mean.
    Source: Shrout & Fleiss (1979); McGraw & Wong (1996).
    """
    two = _two_way(ratings)
    return _variance_ratio(two.rows - two.error, two.rows, two)


def fleiss_kappa(ratings: Ratings) -> float | Scores:
    """Agreement of many raters beyond chance, where chance draws from the pooled scores.

    kappa = (p_a - p_e) / (1 - p_e); p_a: the share of agreeing pairs of ratings, averaged over responses;
    p_e = sum pi_c^2, pi_c the share of score c in a response, averaged over responses

    NaN when no response has two ratings or all ratings are equal. Source: Fleiss (1971), who has the same
    number of ratings for each response; with gaps we follow Gwet (2014), chapter 2: p_a from responses with
    two or more ratings, pi_c from all rated responses.

    >>> round(fleiss_kappa([[1, 1], [1, 2], [2, 2], [3, 3]]), 4)
    0.619
    """
    tally = as_patterns(ratings)
    table = _level_counts(tally, _scale_points(tally))
    share = _mean_shares(tally, table)
    return _beyond_chance(_agreeing_pairs(tally, table, np.eye(table.shape[1])), (share**2).sum(axis=-1))


def gwet_ac1(ratings: Ratings, *, levels: ArrayLike | None = None) -> float | Scores:
    """Agreement beyond chance that stays stable when nearly all responses have one score: Gwet's AC1.

    AC1 = (p_a - p_e) / (1 - p_e), p_e = sum pi_c (1 - pi_c) / (q - 1), with p_a and pi_c as in fleiss_kappa

    q is the number of `levels`, the points of the scale; by default the scores that occur in the tally, the
    same ones in each replicate. NaN when no response has two ratings, or q = 1. Source: Gwet (2008); (2014),
    chapters 2 and 4.

    >>> round(gwet_ac1([[1, 1], [1, 2], [2, 2], [3, 3]]), 4)
    0.6279
    """
    tally = as_patterns(ratings)
    return _gwet(tally, np.eye(_scale_points(tally, levels).size), levels)


def gwet_ac2_linear(ratings: Ratings, *, levels: ArrayLike | None = None) -> float | Scores:
    """Gwet's AC2, where a miss by two points weighs twice a miss by one.

    AC2 = (p_a - p_e) / (1 - p_e), each pair of ratings counting 1 - |c - k| / (highest - lowest level) in
    p_a; p_e = T sum pi_c (1 - pi_c) / (q (q - 1)), T the sum of these weights over all pairs of levels

    `levels` and NaN as in gwet_ac1. Source: Gwet (2014), chapters 3 and 4.
    """
    tally = as_patterns(ratings)
    return _gwet(tally, 1 - _relative_distances(_scale_points(tally, levels)), levels)


def gwet_ac2_quadratic(ratings: Ratings, *, levels: ArrayLike | None = None) -> float | Scores:
    """Gwet's AC2, where a miss by two points weighs four times a miss by one.

    As gwet_ac2_linear, with the weights 1 - (c - k)^2 / (highest - lowest level)^2.
    `levels` and NaN as in gwet_ac1. Source: Gwet (2014), chapters 3 and 4.
    """
    tally = as_patterns(ratings)
    return _gwet(tally, 1 - _relative_distances(_scale_points(tally, levels)) ** 2, levels)


def brennan_prediger(ratings: Ratings, *, levels: ArrayLike | None = None) -> float | Scores:
    """Agreement beyond chance, where chance gives each point of the scale alike.

    kappa = (p_a - 1/q) / (1 - 1/q), with p_a as in fleiss_kappa and q levels as in gwet_ac1

    NaN when no response has two ratings, or q = 1. Source: Brennan & Prediger (1981); for many raters Gwet
    (2014).
    """
    tally = as_patterns(ratings)
    points = _scale_points(tally, levels)
    agreeing = _agreeing_pairs(tally, _level_counts(tally, points), np.eye(points.size))
    return _beyond_chance(agreeing, np.full(agreeing.shape, 1 / max(points.size, 1)))


def why_undefined(ratings: Ratings, metric: str = "", *, item: str = "response") -> str:
    """Why the metric of that name, or any metric of this file, is NaN; empty when nothing stands in the way.

    `item` is what was rated, as the reason calls it. Leading axes are taken together.

    >>> why_undefined([[3, 3], [3, 3]])
    'all ratings are equal'
    >>> why_undefined([[1, 2], [float("nan"), 3]], "icc_2")
    'fewer than two complete responses'
    """
    tally = as_patterns(ratings)
    while tally.count.ndim > 1:
        tally = tally.merged()
    tally = tally.where(tally.weight > 0)
    given = tally.ratings_given
    paired, complete = tally.where(given >= 2), tally.where(given == tally.raters)
    every, alpha, one_way, two_way = ("",), ("krippendorff",), ("icc_1",), ("icc_2", "icc_3")
    cases: list[tuple[tuple[str, ...], bool, str]] = [
        (every, not given.any(), "there are no ratings"),
        (every, not paired.count.size, f"no {item} has two ratings"),
        (every, tally.levels.size < 2, "all ratings are equal"),
        (alpha, paired.levels.size < 2, f"all ratings of the {item}s with two or more ratings are equal"),
        (one_way, tally.where(given > 0).count.sum() < 2, f"fewer than two rated {item}s"),
        (one_way, bool(np.isnan(icc_1k(tally))), f"all {item}s have the same mean rating"),
        (two_way, complete.count.sum() < 2, f"fewer than two complete {item}s"),
        (two_way, complete.levels.size < 2, f"all ratings of the complete {item}s are equal"),
        (two_way, complete.count.size < 2, f"all complete {item}s have the same ratings"),
        (two_way, bool(np.isnan(icc_3k(tally))), f"all complete {item}s have the same mean rating"),
        (two_way, bool(np.isnan(icc_2k(tally))), f"ratings of one {item} differ far more than the {item}s do"),
    ]
    return next((why for whose, holds, why in cases if holds and (not metric or metric.startswith(whose))), "")


class _MeanSquares(NamedTuple):
    """An analysis of variance of the ratings, an entry per replicate; NaN without degrees of freedom."""

    rows: Scores  # between responses
    columns: Scores  # between raters
    error: Scores  # what is left
    n: Scores  # responses
    raters: Scores  # ratings per response
    negligible: float  # what is less than this is rounding


def _one_way(ratings: Ratings) -> _MeanSquares:
    every = as_patterns(ratings)
    tally = every.where(every.ratings_given >= 1)
    given, weight = tally.ratings_given, tally.scaled_weight()
    mean, within = _means_and_squares(tally)
    n, total = weight.sum(axis=-1), weight @ given
    with np.errstate(invalid="ignore", divide="ignore"):
        between = weight @ (given * mean**2) - (weight @ (given * mean)) ** 2 / total
        rows = np.where(n >= 2, np.maximum(between, 0) / (n - 1), np.nan)
        error = weight @ within / (weight @ (given - 1))
        per_response = (total - weight @ given**2 / total) / (n - 1)
    return _MeanSquares(rows, np.zeros_like(n), error, n, per_response, _ROUNDING * _squared_range(tally))


def _two_way(ratings: Ratings) -> _MeanSquares:
    every = as_patterns(ratings)
    tally = every.where(every.ratings_given == every.raters)
    k, weight = tally.raters, tally.scaled_weight()
    mean, within = _means_and_squares(tally)
    n = weight.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        severity = weight @ (tally.patterns - _centre(tally) - mean[:, None]) / n[..., None]  # (..., raters)
        of_raters = n * (severity**2).sum(axis=-1)
        between = k * (weight @ mean**2 - (weight @ mean) ** 2 / n)
        rows = np.where((n >= 2) & (k >= 2), np.maximum(between, 0) / (n - 1), np.nan)
        columns = of_raters / np.float64(k - 1)
        error = np.maximum(weight @ within - of_raters, 0) / ((n - 1) * (k - 1))
    return _MeanSquares(rows, columns, error, n, np.full(n.shape, float(k)), _ROUNDING * _squared_range(tally))


def _means_and_squares(tally: RatingPatterns) -> tuple[Scores, Scores]:
    """Of each pattern the mean rating, as a distance from `_centre`, and the squares about its mean (k,)."""
    ratings = tally.patterns - _centre(tally)
    mean = np.nansum(ratings, axis=1) / tally.ratings_given
    return mean, np.nansum((ratings - mean[:, None]) ** 2, axis=1)


def _centre(tally: RatingPatterns) -> float:
    """A value amid the scores: squares of large scores would swallow their differences."""
    return float(tally.levels.mean()) if tally.levels.size else 0.0


def _squared_range(tally: RatingPatterns) -> float:
    return float(np.ptp(tally.levels)) ** 2 if tally.levels.size else 0.0


def _variance_ratio(numerator: Scores, denominator: Scores, squares: _MeanSquares) -> float | Scores:
    return _ratio(numerator, denominator, denominator > squares.negligible)


def _alpha(observed: Scores, pooled: Scores, n: Scores, varies: NDArray[np.bool_]) -> float | Scores:
    """1 - D_o / D_e from sums of distances over pairs within responses and over all pairs of n ratings."""
    return 1 - _ratio((n - 1) * observed, pooled, varies)


def _gwet(tally: RatingPatterns, credit: Scores, levels: ArrayLike | None) -> float | Scores:
    """Gwet's coefficient with `credit` (levels, levels) for each pair of scores."""
    table = _level_counts(tally, _scale_points(tally, levels))
    share, q = _mean_shares(tally, table), len(credit)
    with np.errstate(invalid="ignore", divide="ignore"):
        by_chance = (share * (1 - share)).sum(axis=-1) * np.float64(credit.sum()) / (q * (q - 1))
    return _beyond_chance(_agreeing_pairs(tally, table, credit), by_chance)


def _agreeing_pairs(tally: RatingPatterns, table: Scores, credit: Scores) -> Scores:
    """The mean credit of two ratings of one response, averaged over the responses that have two."""
    given, paired = tally.ratings_given, tally.ratings_given >= 2
    of_pattern = ((table * (table @ credit)).sum(axis=1) - given)[paired] / (given * (given - 1))[paired]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Scores = tally.weight[..., paired] @ of_pattern / tally.weight[..., paired].sum(axis=-1)
    return mean


def _mean_shares(tally: RatingPatterns, table: Scores) -> Scores:
    """The share of each score in a response, averaged over the rated responses (..., levels)."""
    rated = tally.ratings_given >= 1
    weight = tally.weight[..., rated]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Scores = weight @ (table[rated] / tally.ratings_given[rated, None])
        mean = mean / weight.sum(axis=-1, keepdims=True)
    return mean


def _beyond_chance(agreement: Scores, by_chance: Scores) -> float | Scores:
    return _ratio(agreement - by_chance, 1 - by_chance, 1 - by_chance > _ROUNDING)


def _ratio(numerator: Scores, denominator: Scores, defined: NDArray[np.bool_]) -> float | Scores:
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(defined, numerator / denominator, np.nan)
    return value if value.ndim else float(value)


def _relative_distances(points: Scores) -> Scores:
    """Distances between score points, as a share of the longest (levels, levels)."""
    distance = np.abs(points[:, None] - points)
    return distance / distance.max() if points.size > 1 else distance


def _scale_points(tally: RatingPatterns, levels: ArrayLike | None = None) -> Scores:
    """The points of the scale: those named, or else the scores that occur."""
    given = tally.levels
    points = given if levels is None else np.unique(np.asarray(levels, dtype=float))
    strange = np.setdiff1d(given, points)
    if strange.size:
        problem = f"a rating is {strange[0]:g}, which is not one of the {points.size} levels given"
        remedy = "Name all points of the scale, or round the ratings to them."
        raise InputError(problem, field="levels", remedy=remedy)
    if points.size * max(len(tally.patterns), points.size) > _MOST_CELLS:
        problem = f"there are {points.size:,} different scores: this metric needs a scale of points"
        remedy = "Round the scores to it, or use krippendorff_alpha_interval or an intraclass correlation."
        raise InputError(problem, field="ratings", remedy=remedy)
    return points


def _level_counts(tally: RatingPatterns, points: Scores) -> Scores:
    """How many raters of each pattern gave each score (k, levels)."""
    table = np.zeros((len(tally.patterns), points.size))
    for ratings in tally.patterns.T:
        table += ratings[:, None] == points
    return table


def _pairable(ratings: Ratings) -> RatingPatterns:
    """The responses that have at least two ratings."""
    tally = as_patterns(ratings)
    return tally.where(tally.ratings_given >= 2)
