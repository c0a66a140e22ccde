"""`FittedModel`: a model that was trained, whatever its kind."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.rsm.least_squares import LinearFit
from assay.rsm.types import Matrix, Scores


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


DENSE_ONLY = frozenset(
    {"BayesianRidge", "HistGradientBoostingClassifier", "HistGradientBoostingRegressor"}
) | frozenset({"Lars", "TheilSenRegressor"})
"""Estimators that cannot read sparse matrices; all others get one, as SKLL gives them."""


def takes_sparse(estimator: Any) -> bool:
    """Whether an estimator, or the one it wraps, is given sparse matrices."""
    inner = getattr(estimator, "regressor", estimator)
    return type(inner).__name__ not in DENSE_ONLY
