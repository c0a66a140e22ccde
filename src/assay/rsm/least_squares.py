"""Linear regression by least squares, plain or weighted, with standard errors."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from assay.rsm.types import Matrix, Scores

INTERCEPT = "Intercept"


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
