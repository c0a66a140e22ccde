"""Logistic regression for two or more ordered levels: one slope for each covariate, one cut between neighbors."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, ndtri

from assay.errors import InputError
from assay.metrics.bins import Scores, Whole
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import float_array, response_weights

MOST_ROUNDS = 100
FARTHEST = 30.0
"""Log odds by which a covariate may move a level; beyond, it separates the levels and has no finite slope."""


@dataclass(frozen=True, eq=False, slots=True)
class CumulativeLogit:
    """P(level <= k) = 1 / (1 + exp(slope x - cut_k)), over the levels that occur."""

    levels: Scores
    """Levels that occur, ascending."""
    cuts: Scores
    slopes: Scores
    covariance: Scores
    """Of cuts and slopes, in this order; NaN where they ran off to infinity."""
    log_likelihood: float
    cautions: tuple[str, ...] = ()

    def probabilities(self, covariates: ArrayLike) -> Scores:
        """Probability of each level that occurs: rows x levels."""
        x = _matrix(covariates)
        below = expit(self.cuts - (x @ self.slopes)[:, None])
        return np.diff(below, axis=1, prepend=0.0, append=1.0)

    def expected(self, covariates: ArrayLike) -> Scores:
        """The mean level that is expected."""
        return np.asarray(self.probabilities(covariates) @ self.levels)

    def slope(self, number: int) -> Estimate:
        """A slope with its Wald interval."""
        value, place = float(self.slopes[number]), self.cuts.size + number
        variance = float(self.covariance[place, place])
        if not variance > 0:
            return Estimate(nan, reason="the covariate is constant or separates the levels")
        reach = float(ndtri(0.975)) * sqrt(variance)
        return Estimate(value, value - reach, value + reach)


def fit_cumulative_logit(levels: ArrayLike, covariates: ArrayLike, weights: ArrayLike | None = None) -> CumulativeLogit:
    """The fit by maximum likelihood, with Newton's method; for two levels plain logistic regression.

    An `InputError` when all levels are equal. Source: McCullagh (1980), Regression Models for Ordinal Data.

    >>> fit = fit_cumulative_logit([0, 0, 1, 0, 1, 1, 2, 1, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    >>> fit.slopes.round(3).tolist(), fit.cuts.round(3).tolist()
    ([1.268], [4.401, 9.543])
    """
    y, x = float_array(levels, "levels"), _matrix(covariates)
    if y.shape != (x.shape[0],):
        raise InputError(f"got {x.shape[0]} rows of covariates for {y.size} levels", field="covariates")
    usable = np.isfinite(y) & np.isfinite(x).all(axis=1)
    w = np.ones(y.size) if weights is None else response_weights(weights, y.size)
    usable &= w > 0
    values, code = np.unique(y[usable], return_inverse=True)
    if values.size < 2:
        raise InputError("all levels are equal", field="levels", remedy="A regression needs two or more.")
    model = _Model(code.astype(np.int64), x[usable], w[usable], values.size)
    theta, information, value, settled = model.maximum()
    notes = () if settled else ("A covariate is constant or separates the levels: slopes have no finite value.",)
    covariance = _inverse(information) if settled else np.full_like(information, nan)
    return CumulativeLogit(values, theta[: values.size - 1], theta[values.size - 1 :], covariance, value, notes)


def _matrix(covariates: ArrayLike) -> Scores:
    x = float_array(covariates, "covariates")
    if x.ndim not in (1, 2):
        raise InputError("covariates are a list or a table", field="covariates")
    return x[:, None] if x.ndim == 1 else x


def _inverse(information: Scores) -> Scores:
    try:
        return np.asarray(np.linalg.inv(information), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.full_like(information, nan)


@dataclass(frozen=True, eq=False, slots=True)
class _Model:
    code: Whole
    x: Scores
    weight: Scores
    levels: int

    def maximum(self) -> tuple[Scores, Scores, float, bool]:
        """Cuts and slopes, information, log likelihood, and whether Newton's method settled."""
        share = np.cumsum(np.bincount(self.code, self.weight, self.levels))[:-1] / self.weight.sum()
        theta = np.r_[np.log(share / (1 - share)), np.zeros(self.x.shape[1])]
        value, gradient, information = self.derivatives(theta)
        for _ in range(MOST_ROUNDS):
            step = np.linalg.lstsq(information, gradient, rcond=1e-12)[0]
            length, moved = 1.0, self.derivatives(theta + step)
            while not moved[0] >= value - 1e-12 * abs(value) and length > 1e-10:
                length /= 2
                moved = self.derivatives(theta + length * step)
            theta = theta + length * step
            value, gradient, information = moved
            reach = np.abs(self.x @ theta[self.levels - 1 :] - float(np.mean(self.x @ theta[self.levels - 1 :])))
            if reach.max(initial=0.0) > 10 * FARTHEST or value > -1e-9 * self.weight.sum():
                return theta, information, value, False
            if np.abs(length * step).max() < 1e-10 * (1 + np.abs(theta).max()):
                break
        return theta, information, value, bool(np.linalg.cond(information) < 1e14)

    def derivatives(self, theta: Scores) -> tuple[float, Scores, Scores]:
        """Log likelihood, gradient and minus the second derivatives; minus infinity for cuts out of order."""
        cuts, size = theta[: self.levels - 1], theta.size
        if (np.diff(cuts) <= 0).any():
            return -np.inf, np.zeros(size), np.eye(size)
        line = self.x @ theta[self.levels - 1 :]
        edges = np.r_[-np.inf, cuts, np.inf]
        upper, lower = expit(edges[self.code + 1] - line), expit(edges[self.code] - line)
        # from the nearer tail, so that small probabilities keep their digits
        other = expit(line - edges[self.code]) - expit(line - edges[self.code + 1])
        p = np.maximum(np.where(lower > 0.5, other, upper - lower), 1e-300)
        f, g = upper * (1 - upper), lower * (1 - lower)
        rows = np.arange(self.code.size)
        above, below = np.zeros((self.code.size, size)), np.zeros((self.code.size, size))
        top, bottom = self.code < self.levels - 1, self.code > 0
        above[rows[top], self.code[top]] = 1
        below[rows[bottom], self.code[bottom] - 1] = 1
        above[:, self.levels - 1 :] = below[:, self.levels - 1 :] = -self.x
        w = self.weight
        gradient = above.T @ (w * f / p) - below.T @ (w * g / p)
        of_above = w * ((f / p) ** 2 - f * (1 - 2 * upper) / p)
        of_below = w * ((g / p) ** 2 + g * (1 - 2 * lower) / p)
        mixed = above.T @ ((w * f * g / p**2)[:, None] * below)
        information = above.T @ (of_above[:, None] * above) + below.T @ (of_below[:, None] * below)
        return float(w @ np.log(p)), gradient, information - mixed - mixed.T
