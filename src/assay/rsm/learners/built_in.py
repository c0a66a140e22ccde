"""RSMTool's eleven linear models: name -> training.

Each takes prepared features and human scores. Where RSMTool's code and its manual disagree, its code is followed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import log10, sqrt

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.learners.fitted import INTERCEPT, FittedModel, LinearFit, Trained, fit_line
from assay.rsm.types import Matrix, Scores

TOLERANCE = 1e-4
MOST_ROUNDS = 1000
FOLDS = 10
PENALTIES = 100
SMALLEST_PENALTY = 1e-3
"""As a share of the penalty at which no feature is left."""
Names = tuple[str, ...]
Learner = Callable[[str, Names, Matrix, Scores], Trained]
REBALANCED_SHARE = 0.05
"""The share of the weight that features with a negative weight get, and those with a positive one give up."""


@dataclass(frozen=True, eq=False, slots=True)
class Penalty:
    """What keeps coefficients small, and where the search for them stops."""

    weight: float
    l1_share: float = 1.0
    positive: bool = False
    tolerance: float = TOLERANCE
    most_rounds: int = MOST_ROUNDS


@dataclass(frozen=True, eq=False, slots=True)
class _Moments:
    """All that coordinate descent needs to know of features and human scores."""

    n: int
    means: Scores
    human_mean: float
    products: Matrix
    """X'X of centred features."""
    with_human: Scores
    """X'y of centred features and scores."""
    human_squares: float

    @classmethod
    def of(cls, matrix: Matrix, human: Scores) -> "_Moments":
        means, mean = matrix.mean(axis=0), float(human.mean())
        x, y = matrix - means, human - mean
        return cls(len(human), means, mean, x.T @ x, x.T @ y, float(y @ y))

    def intercept(self, weights: Scores) -> float:
        return float(self.human_mean - self.means @ weights)


def penalised_line(matrix: Matrix, human: Scores, penalty: Penalty) -> tuple[float, Scores]:
    """Intercept and coefficients of the best line under a penalty."""
    moments = _Moments.of(matrix, human)
    weights = _descended(moments, penalty, np.zeros(matrix.shape[1]))
    return moments.intercept(weights), weights


def cross_validated_lasso(matrix: Matrix, human: Scores, *, positive: bool) -> tuple[float, Scores]:
    """The lasso with the penalty, out of 100, whose lines miss left-out tenths of the responses least.

    The tenths are taken in the order of the responses.
    """
    n = len(human)
    if n < FOLDS:
        problem = f"a penalty chosen by cross-validation needs {FOLDS} training responses or more, got {n}"
        raise InputError(problem, field="model", remedy="Choose a model with a fixed penalty.")
    whole = _Moments.of(matrix, human)
    largest = float(np.abs(whole.with_human).max()) / n
    penalties = np.geomspace(largest, largest * SMALLEST_PENALTY, num=PENALTIES)
    errors = np.zeros(PENALTIES)
    for fold in np.array_split(np.arange(n), FOLDS):
        moments = _Moments.of(np.delete(matrix, fold, axis=0), np.delete(human, fold))
        weights = np.zeros(matrix.shape[1])
        for number, weight in enumerate(penalties):
            weights = _descended(moments, Penalty(float(weight), positive=positive), weights)
            missed = matrix[fold] @ weights + moments.intercept(weights) - human[fold]
            errors[number] += float((missed**2).mean())
    return penalised_line(matrix, human, Penalty(float(penalties[errors.argmin()]), positive=positive))


def _descended(moments: _Moments, penalty: Penalty, start: Scores) -> Scores:
    l1 = penalty.weight * penalty.l1_share * moments.n
    l2 = penalty.weight * (1 - penalty.l1_share) * moments.n
    weights = start.copy()
    left = moments.with_human - moments.products @ weights  # X'(y - Xw)
    for round_number in range(penalty.most_rounds):
        change = _round(moments.products, weights, left, l1, l2, positive=penalty.positive)
        largest = float(np.abs(weights).max())
        still = largest == 0 or change / largest < penalty.tolerance or round_number == penalty.most_rounds - 1
        if still and _gap(moments, weights, left, l1, l2, penalty.positive) < penalty.tolerance * moments.human_squares:
            break
    return weights


def _round(products: Matrix, weights: Scores, left: Scores, l1: float, l2: float, *, positive: bool) -> float:
    """Move every coefficient to its best value in turn, changing `weights` and `left`; the largest change."""
    largest = 0.0
    for i, square in enumerate(products.diagonal().tolist()):
        if square == 0:
            continue
        old = float(weights[i])
        pull = float(left[i]) + old * square
        new = 0.0 if positive and pull < 0 else float(np.sign(pull)) * max(abs(pull) - l1, 0.0) / (square + l2)
        if new != old:
            weights[i] = new
            left -= (new - old) * products[i]
            largest = max(largest, abs(new - old))
    return largest


def _gap(moments: _Moments, weights: Scores, left: Scores, l1: float, l2: float, positive: bool) -> float:
    """How far the coefficients may be from the best, in the units of the sum of squares."""
    slope = left - l2 * weights
    steepest = float(slope.max() if positive else np.abs(slope).max())
    with_human = moments.human_squares - float(moments.with_human @ weights)  # r'y
    residual = with_human - float(left @ weights)  # r'r
    scale = min(1.0, l1 / steepest) if steepest > 0 else 1.0
    gap = residual if scale == 1 else 0.5 * residual * (1 + scale**2)
    shrunk = 0.5 * l2 * (1 + scale**2) * float(weights @ weights)
    return gap + l1 * float(np.abs(weights).sum()) - scale * with_human + shrunk


def linear_regression(name: str, names: Names, matrix: Matrix, human: Scores, weights: Scores | None = None) -> Trained:
    """Least squares on all features; on some responses more than on others, if they have weights."""
    fit = fit_line(names, matrix, human, weights)
    return _trained(name, names, fit.estimates[0], fit.estimates[1:], fit=fit)


def equal_weights(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares on the sum of the features: each has the same weight."""
    fit = fit_line(("sum of features",), matrix.sum(axis=1, keepdims=True), human)
    intercept, weight = fit.estimates
    return _trained(name, names, intercept, np.full(len(names), weight), fit=fit)


def score_weighted(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares with weights that give every score point the same say."""
    _, places, counts = np.unique(human, return_inverse=True, return_counts=True)
    return linear_regression(name, names, matrix, human, 1 / (len(counts) * counts[places]))


def rebalanced(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares whose negative standardised weights are replaced by small positive ones.

    The negative ones share 5 % of the sum of the positive ones, which are cut by 5 % also when none is negative.
    """
    fit = fit_line(names, matrix, human)
    per_unit = matrix.std(axis=0, ddof=1) / human.std(ddof=1)
    betas = fit.estimates[1:] * per_unit
    negative = np.count_nonzero(betas < 0)
    share = betas[betas > 0].sum() * REBALANCED_SHARE / negative if negative else 0.0
    weights = np.where(betas > 0, betas * (1 - REBALANCED_SHARE), share) / per_unit
    # RSMTool sorts the intercept among the features here
    return _trained(name, names, fit.estimates[0], weights, fit=fit, listed=tuple(sorted((INTERCEPT, *names))))


def non_negative(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares on the features that a fit without negative weights keeps."""
    return _on_chosen(name, names, matrix, human, _non_negative_weights(matrix, human) != 0)


def non_negative_iterative(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares; features with a negative weight are left out, the rest is fitted again, once.

    Weights that are negative after all become 0.
    """
    positive = fit_line(names, matrix, human).estimates[1:] >= 0
    chosen, columns = _chosen(name, names, matrix, positive)
    fit = fit_line(chosen, columns, human)
    estimates = np.concatenate([fit.estimates[:1], np.maximum(fit.estimates[1:], 0)])
    missed = human - estimates[0] - columns @ estimates[1:]
    clamped = replace(fit, estimates=estimates, residual_ss=float(missed @ missed))
    return _trained(name, chosen, estimates[0], estimates[1:], fit=clamped)


def lasso_then_non_negative(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares on the features that first the lasso and then a fit without negative weights keep.

    RSMTool forgets what the lasso chose (see `COMPAT`).
    """
    _, weights = _positive_lasso(names, matrix, human)
    chosen = weights != 0
    chosen[chosen] = _non_negative_weights(matrix[:, chosen], human) != 0
    return _on_chosen(name, names, matrix, human, chosen)


def positive_lasso_cv(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """The lasso without negative weights, its penalty chosen by 10-fold cross-validation; zero weights left out."""
    intercept, weights = cross_validated_lasso(matrix, human, positive=True)
    chosen, _ = _chosen(name, names, matrix, weights != 0)
    return _trained(name, chosen, intercept, weights[weights != 0], listed=(INTERCEPT, *chosen))


BUILT_IN: Mapping[str, Learner] = {
    "LinearRegression": linear_regression,
    "EqualWeightsLR": equal_weights,
    "ScoreWeightedLR": score_weighted,
    "RebalancedLR": rebalanced,
    "NNLR": non_negative,
    "NNLRIterative": non_negative_iterative,
    "LassoFixedLambdaThenNNLR": lasso_then_non_negative,
    # least squares on the features that the lasso keeps
    "LassoFixedLambdaThenLR": lambda name, names, matrix, human: _on_chosen(
        name, names, matrix, human, _positive_lasso(names, matrix, human)[1] != 0
    ),
    "PositiveLassoCVThenLR": lambda name, names, matrix, human: _on_chosen(
        name, names, matrix, human, cross_validated_lasso(matrix, human, positive=True)[1] != 0
    ),
    # the lasso without negative weights
    "LassoFixedLambda": lambda name, names, matrix, human: _trained(
        name, names, *_positive_lasso(names, matrix, human)
    ),
    "PositiveLassoCV": positive_lasso_cv,
}

COMPAT: Mapping[str, Learner] = {"LassoFixedLambdaThenNNLR": non_negative}
"""What RSMTool 12 does where it does not do what it says."""


def _trained(
    name: str, names: Names, intercept: float, weights: Scores, *, fit: LinearFit | None = None, listed: Names = ()
) -> Trained:
    by_name = sorted(range(len(names)), key=names.__getitem__)
    features = tuple(names[place] for place in by_name)
    model = FittedModel(name, features, float(intercept), np.asarray(weights, dtype=float)[by_name])
    return Trained(model, fit, used=names, listed=listed or (INTERCEPT, *features))


def _on_chosen(name: str, names: Names, matrix: Matrix, human: Scores, mask: NDArray[np.bool_]) -> Trained:
    return linear_regression(name, *_chosen(name, names, matrix, mask), human)


def _chosen(name: str, names: Names, matrix: Matrix, chosen: NDArray[np.bool_]) -> tuple[Names, Matrix]:
    if not chosen.any():
        problem = f"{name} keeps no feature: none goes up with the human scores"
        raise InputError(problem, field="model", remedy="Give features a sign, or choose another model.")
    return tuple(n for n, keep in zip(names, chosen, strict=True) if keep), matrix[:, chosen]


def _non_negative_weights(matrix: Matrix, human: Scores) -> Scores:
    """The weights of the best fit without negative ones; the intercept may have either sign."""
    from scipy.optimize import nnls  # noqa: PLC0415

    for sign in (1.0, -1.0):
        weights, _ = nnls(np.column_stack([np.full(len(matrix), sign), matrix]), human)
        if weights[0] != 0:
            break
    return np.asarray(weights[1:])


def _positive_lasso(names: Names, matrix: Matrix, human: Scores) -> tuple[float, Scores]:
    """The lasso without negative weights, which goes through the features by name; penalty sqrt(N log10 p) / N."""
    n, features = matrix.shape
    order = sorted(range(features), key=names.__getitem__)
    intercept, by_name = penalised_line(matrix[:, order], human, Penalty(sqrt(n * log10(features)) / n, positive=True))
    weights = np.empty(features)
    weights[order] = by_name
    return intercept, weights
