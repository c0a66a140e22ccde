"""How well a system predicts the true score: the average of endlessly many readings of a response.

The true score cannot be seen, but its variance can be estimated where some responses were read more than once.
Source of all formulas: Haberman (2019) and Johnson's general form for any number of ratings per response, as in
RSMTool 12 (issue 391); the simple formula of the RSMTool manual holds only when every response is read twice.
Notation: c_i ratings of response i, H_i their mean, c. the sum of all c_i, N the number of responses.
"""

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from assay.errors import InputError
from assay.metrics.bins import Bins, Totals, together
from assay.metrics.pairs import Scores


@dataclass(frozen=True, eq=False, slots=True)
class RatingTally:
    """What the true-score figures need to know of human ratings and system scores; mergeable, perhaps an array.

    `system_error` has one more axis in front: one for each system score that is judged.
    """

    n: Scores
    weight: Scores
    ratings: Scores
    """c.: the number of ratings."""
    ratings_squared: Scores
    """The sum of c_i^2."""
    mean: Scores
    """The mean of all ratings."""
    between_ss: Scores
    """The sum of c_i (H_i - mean)^2."""
    within_ss: Scores
    """Squared deviations of the ratings from their response's mean."""
    within_df: Scores
    """The sum of c_i - 1."""
    single: Scores
    """Responses read once."""
    system_error: Scores
    """The sum of c_i (H_i - M_i)^2."""

    @classmethod
    def of(cls, ratings: Scores, systems: Scores, *, weights: Scores | None = None, bins: Bins | None = None) -> Self:
        """From ratings (responses, raters; NaN = not read) and system scores (engines, responses)."""
        read = np.isfinite(ratings)
        counts = read.sum(axis=1).astype(np.float64)
        if (counts == 0).any():
            position = int(np.flatnonzero(counts == 0)[0])
            problem = f"the response at position {position} has no human score"
            raise InputError(problem, field="ratings", remedy="Leave it out first.")
        bins = bins or Bins.single(len(counts))
        means = np.where(read, ratings, 0.0).sum(axis=1) / counts
        within = (np.where(read, ratings - means[:, None], 0.0) ** 2).sum(axis=1)
        unit = np.ones_like(counts) if weights is None else weights
        c, h, u = bins.arranged(counts), bins.arranged(means), bins.arranged(unit)
        origin = float(h.mean()) if h.size else 0.0
        total = bins.sums(u * c)
        first = bins.sums(u * c * (h - origin))
        filled = np.where(total > 0, total, 1.0)
        return cls(
            n=bins.counts(),
            weight=bins.sums(u),
            ratings=total,
            ratings_squared=bins.sums(u * c * c),
            mean=origin + first / filled,
            between_ss=np.maximum(bins.sums(u * c * (h - origin) ** 2) - first * first / filled, 0.0),
            within_ss=bins.sums(u * bins.arranged(within)),
            within_df=bins.sums(u * (c - 1)),
            single=bins.sums((c == 1).astype(np.float64)),
            system_error=np.stack([bins.sums(u * c * (h - bins.arranged(m)) ** 2) for m in systems]),
        )

    def __add__(self, other: Self) -> Self:
        """The tally of both parts together."""
        both = {f.name: np.stack([getattr(self, f.name), getattr(other, f.name)], -1) for f in fields(self)}
        return type(self)(**both).merged()

    def __getitem__(self, index: Any) -> Self:
        index = index if isinstance(index, tuple) else (index,)
        values = {f.name: np.asarray(getattr(self, f.name)[index]) for f in fields(self) if f.name != "system_error"}
        return type(self)(**values, system_error=self.system_error[(slice(None), *index)])

    def merged(self) -> Self:
        """The tallies along the last axis added up."""
        return self.combined(together)[..., 0]

    def combined(self, total: Totals) -> Self:
        """The tallies along the last axis (blocks of responses) added up into replicates."""
        whole = np.maximum(self.ratings.sum(axis=-1, keepdims=True), np.finfo(float).tiny)
        origin = (self.ratings * self.mean).sum(axis=-1, keepdims=True) / whole
        away = self.mean - origin
        plain = [f.name for f in fields(self) if f.name not in ("mean", "between_ss")]
        sums = {name: total(getattr(self, name)) for name in plain}
        filled = np.where(sums["ratings"] > 0, sums["ratings"], 1.0)
        first = total(self.ratings * away)
        square = total(self.between_ss + self.ratings * away * away)
        between = np.maximum(square - first * first / filled, 0.0)
        return type(self)(**sums, mean=origin + first / filled, between_ss=between)


def rater_error_variance(tally: RatingTally) -> Scores:
    """Variance of the rater errors: how much ratings of one response scatter around its true score.

    v_e = sum_i (c_i - 1) s_i^2 / sum_i (c_i - 1), s_i^2 the variance of the ratings of response i

    With two raters this is the manual's sum (H - H2)^2 / (2 N2). Undefined (NaN) when no response was read twice.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(tally.within_df > 0, tally.within_ss / tally.within_df, np.nan)


def true_score_variance(tally: RatingTally, error_variance: Scores) -> Scores:
    """Variance of the true scores: that of the observed ones minus what rater errors add.

    v_T = (sum c_i (H_i - mean)^2 - (N - 1) v_e) / (c. - sum c_i^2 / c.)

    Nothing is clipped: a negative value says that the readings hold more error than signal. NaN for one response.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        share = tally.n / tally.weight  # weights are taken relative to their mean
        spread = tally.ratings * share - tally.ratings_squared / tally.ratings
        variance = (tally.between_ss * share - (tally.n - 1) * error_variance) / spread
    return np.where(tally.n > 1, variance, np.nan)


def true_score_mse(tally: RatingTally, error_variance: Scores) -> Scores:
    """Mean squared error of the system as a prediction of the true score, for each system score.

    MSE_T = (sum c_i (H_i - M_i)^2 - N v_e) / c.

    May be negative when the rater errors were overestimated. NaN without responses.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        mse = (tally.system_error - tally.weight * error_variance) / tally.ratings
    return np.where(tally.n > 0, mse, np.nan)


def prmse(tally: RatingTally, error_variance: Scores) -> Scores:
    """How much of the variance of the true scores the system explains, for each system score.

    PRMSE = 1 - MSE_T / v_T

    Usually 0 to 1; below 0 for a very bad fit, above 1 when the human readings agree very little. Undefined (NaN) when
    no response was read twice and no error variance is given, or when the true-score variance is not above 0
    (RSMTool gives infinity or a meaningless sign there).
    """
    variance = true_score_variance(tally, error_variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        explained = 1 - true_score_mse(tally, error_variance) / variance
    return np.where(variance > 1e-15, explained, np.nan)
