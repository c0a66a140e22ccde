"""RSMTool's eleven linear models: name -> training.

Each takes prepared features and human scores. Where RSMTool's code and its manual disagree, its code is followed.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import log10, sqrt

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.learners.fitted import INTERCEPT, FittedModel, LinearFit, Trained, fit_line
from assay.rsm.learners.lasso import Penalty, cross_validated_lasso, penalised_line
from assay.rsm.types import Matrix, Scores

Names = tuple[str, ...]
Learner = Callable[[str, Names, Matrix, Scores], Trained]

REBALANCED_SHARE = 0.05
"""The share of the weight that features with a negative weight get, and those with a positive one give up."""


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


def lasso_fixed_lambda(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """The lasso without negative weights; penalty sqrt(N log10 p) / N."""
    return _trained(name, names, *_positive_lasso(names, matrix, human))


def lasso_then_linear(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares on the features that the lasso of `lasso_fixed_lambda` keeps."""
    return _on_chosen(name, names, matrix, human, _positive_lasso(names, matrix, human)[1] != 0)


def positive_lasso_cv(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """The lasso without negative weights, its penalty chosen by 10-fold cross-validation; zero weights left out."""
    intercept, weights = cross_validated_lasso(matrix, human, positive=True)
    chosen, _ = _chosen(name, names, matrix, weights != 0)
    return _trained(name, chosen, intercept, weights[weights != 0], listed=(INTERCEPT, *chosen))


def positive_lasso_cv_then_linear(name: str, names: Names, matrix: Matrix, human: Scores) -> Trained:
    """Least squares on the features that the lasso of `positive_lasso_cv` keeps."""
    return _on_chosen(name, names, matrix, human, cross_validated_lasso(matrix, human, positive=True)[1] != 0)


BUILT_IN: Mapping[str, Learner] = {
    "LinearRegression": linear_regression,
    "EqualWeightsLR": equal_weights,
    "ScoreWeightedLR": score_weighted,
    "RebalancedLR": rebalanced,
    "NNLR": non_negative,
    "NNLRIterative": non_negative_iterative,
    "LassoFixedLambdaThenNNLR": lasso_then_non_negative,
    "LassoFixedLambdaThenLR": lasso_then_linear,
    "PositiveLassoCVThenLR": positive_lasso_cv_then_linear,
    "LassoFixedLambda": lasso_fixed_lambda,
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
    """Least squares on some of the features."""
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
    """The lasso of `lasso_fixed_lambda`, which goes through the features by name."""
    n, features = matrix.shape
    order = sorted(range(features), key=names.__getitem__)
    intercept, by_name = penalised_line(matrix[:, order], human, Penalty(sqrt(n * log10(features)) / n, positive=True))
    weights = np.empty(features)
    weights[order] = by_name
    return intercept, weights
