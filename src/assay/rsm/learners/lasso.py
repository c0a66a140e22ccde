"""The lasso and the elastic net by coordinate descent, and the choice of the penalty by cross-validation.

    minimise  |y - a - X w|^2 / 2N + penalty (share |w|_1 + (1 - share) |w|^2 / 2)

Coefficients are only as exact as the tolerance, so figures depend on the way to them. This is the way of
scikit-learn 1.4, which RSMTool 12 uses: feature by feature in order, until no coefficient changes by more than the
tolerance and the duality gap is below it. Later versions of scikit-learn take another way and stop elsewhere.
Source: Friedman, Hastie & Tibshirani (2010), Regularization Paths for Generalized Linear Models; scikit-learn 1.4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.types import Matrix, Scores

TOLERANCE = 1e-4
MOST_ROUNDS = 1000
FOLDS = 10
PENALTIES = 100
SMALLEST_PENALTY = 1e-3
"""As a share of the penalty at which no feature is left."""


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
        errors += _errors(matrix, human, fold, penalties, positive=positive)
    return penalised_line(matrix, human, Penalty(float(penalties[errors.argmin()]), positive=positive))


def _errors(matrix: Matrix, human: Scores, fold: NDArray[np.intp], penalties: Scores, *, positive: bool) -> Scores:
    """The mean squared error on a fold of the lines of the other responses, penalty by penalty."""
    moments = _Moments.of(np.delete(matrix, fold, axis=0), np.delete(human, fold))
    weights = np.zeros(matrix.shape[1])
    errors = np.empty(len(penalties))
    for number, weight in enumerate(penalties):
        weights = _descended(moments, Penalty(float(weight), positive=positive), weights)
        missed = matrix[fold] @ weights + moments.intercept(weights) - human[fold]
        errors[number] = float((missed**2).mean())
    return errors


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
