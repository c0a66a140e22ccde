"""`FittedModel`: a model that was trained, whatever its kind; and linear regression by least squares."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtr

from assay.errors import InputError
from assay.rsm.types import Matrix, Scores

INTERCEPT = "Intercept"
DENSE_ONLY = ("BayesianRidge", "HistGradientBoostingClassifier", "HistGradientBoostingRegressor", "Lars")
"""Estimators that, with TheilSenRegressor, cannot read sparse matrices; all others get one, as SKLL gives them."""


@dataclass(frozen=True, eq=False, slots=True)
class LinearFit:
    """A fitted line: the intercept first, then the features."""

    names: tuple[str, ...]
    estimates: Scores
    leverage: Scores
    """Diagonal of (X'WX)^+: the variance of each estimate in units of the residual variance."""
    n: int
    rank: int
    residual_ss: float
    total_ss: float
    """Weighted squares about the weighted mean."""

    @property
    def residual_df(self) -> int:
        return self.n - self.rank

    @property
    def r2(self) -> float:
        """1 - residual / total squares; NaN when all human scores are equal."""
        return 1 - self.residual_ss / self.total_ss if self.total_ss > 0 else float("nan")

    @property
    def adjusted_r2(self) -> float:
        """1 - (N - 1) / df * (1 - R2); NaN without degrees of freedom."""
        return 1 - (self.n - 1) / self.residual_df * (1 - self.r2) if self.residual_df > 0 else float("nan")

    def tests(self) -> tuple[Scores, Scores, Scores]:
        """Standard error, t and two-sided p of each estimate; NaN without degrees of freedom."""
        if self.residual_df <= 0:
            nan = np.full_like(self.estimates, np.nan)
            return nan, nan, nan
        error = np.sqrt(self.residual_ss / self.residual_df * self.leverage)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = self.estimates / error
        return error, t, np.asarray(2 * stdtr(self.residual_df, -np.abs(t)))


def fit_line(names: tuple[str, ...], matrix: Matrix, human: Scores, weights: Scores | None = None) -> LinearFit:
    """The best fit with an intercept; of several, as with collinear features, the one of smallest coefficients.

    Solved by the pseudo-inverse, singular values below 1e-15 of the largest taken as 0, as statsmodels does.
    """
    design = np.column_stack([np.ones(len(matrix)), matrix])
    root = np.ones(len(matrix)) if weights is None else np.sqrt(weights)
    left, singular, right = np.linalg.svd(design * root[:, None], full_matrices=False)
    inverse = np.divide(1, singular, out=np.zeros_like(singular), where=singular > 1e-15 * singular.max())
    estimates = right.T @ (inverse * (left.T @ (human * root)))
    mean = float(np.average(human, weights=weights))
    return LinearFit(
        names=(INTERCEPT, *names),
        estimates=estimates,
        leverage=((right.T * inverse) ** 2).sum(axis=1),
        n=len(human),
        rank=int((singular > singular.max() * design.shape[1] * np.finfo(float).eps).sum()),
        residual_ss=float((((human - design @ estimates) * root) ** 2).sum()),
        total_ss=float((((human - mean) * root) ** 2).sum()),
    )


@dataclass(frozen=True, eq=False, slots=True)
class FittedModel:
    """Prepared features in, raw scores out. A line has coefficients, any other model an estimator of scikit-learn."""

    name: str
    features: tuple[str, ...]
    """The features the model uses, by name: the order of the columns it takes."""
    intercept: float | None = None
    coefficients: Scores | None = None
    estimator: Any = None  # an estimator of scikit-learn, which has no types
    points: tuple[float, ...] = ()
    """The scores a classifier knows, lowest first."""
    expected: bool = False
    """Whether a classifier's score is the mean of its points, weighted by their probabilities."""

    @property
    def linear(self) -> bool:
        return self.coefficients is not None

    def predict(self, matrix: Matrix) -> Scores:
        """Raw scores of responses, from prepared features in the order of `features`."""
        if self.coefficients is not None:
            assert self.intercept is not None  # a line has both
            # row by row: the last digits of a matrix product depend on how many rows it has
            products = np.einsum("ij,j->i", np.ascontiguousarray(matrix), self.coefficients)
            return np.asarray(products + self.intercept)
        try:
            with np.errstate(all="ignore"):  # scores that are no numbers are seen by whoever uses them
                return self._estimated(matrix)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
            said = f"the model {self.name} cannot score: {problem}"
            raise InputError(said, remedy="It is damaged, or of another version. Train it again.") from problem

    def _estimated(self, matrix: Matrix) -> Scores:
        from scipy.sparse import csr_matrix  # noqa: PLC0415

        rows = csr_matrix(matrix) if takes_sparse(self.estimator) else np.asarray(matrix)
        if self.expected:
            return np.asarray(self.estimator.predict_proba(rows) @ np.asarray(self.points))
        predictions = np.asarray(self.estimator.predict(rows))
        return np.asarray(self.points)[predictions.astype(int)] if self.points else predictions.astype(float)

    def columns_of(self, names: tuple[str, ...]) -> list[int]:
        """Where the features of this model are among others. InputError names the missing ones."""
        missing = [name for name in self.features if name not in names]
        if missing:
            problem = f"the model {self.name} needs features that are not there: {', '.join(missing)}"
            raise InputError(problem, field="features")
        return [names.index(name) for name in self.features]

    def weights(self) -> dict[str, float]:
        """The intercept of a line, and the coefficient of each of its features."""
        assert self.coefficients is not None
        assert self.intercept is not None
        return {INTERCEPT: self.intercept, **dict(zip(self.features, self.coefficients.tolist(), strict=True))}


@dataclass(frozen=True, eq=False, slots=True)
class Trained:
    """What training gives: the model, and for built-in models the least squares fit and the order of features."""

    model: FittedModel
    fit: LinearFit | None = None
    used: tuple[str, ...] = ()
    """The features with a coefficient, in the order RSMTool lists their standardised coefficients."""
    listed: tuple[str, ...] = ()
    """Intercept and features in the order RSMTool lists their coefficients; empty: it lists none."""
    objective: str | None = None


def takes_sparse(estimator: Any) -> bool:
    """Whether an estimator, or the one it wraps, is given sparse matrices."""
    return type(getattr(estimator, "regressor", estimator)).__name__ not in (*DENSE_ONLY, "TheilSenRegressor")
