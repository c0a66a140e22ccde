"""Least squares on two crossed factors, from the cells of their table instead of from responses.

The model is y ~ 1 + row + column with dummy variables, the first row and the first column as reference. All
responses of a cell share one row of the design, so counts, means and squares within cells say everything.
"""

from dataclasses import dataclass

import numpy as np

from assay.metrics.distributions import f_survival, t_cdf, t_quantile
from assay.metrics.pairs import Scores

MOST_COEFFICIENTS = 2000
"""Larger models are not fitted: the time grows with the cube, and 2000 take some seconds."""


@dataclass(frozen=True, eq=False, slots=True)
class CellTable:
    """Responses gathered in the cells of a table; every row and every column holds some."""

    n: float
    """How many responses there are."""
    weight: Scores
    mean: Scores
    within_ss: float
    """Squares of the responses about the mean of their cell."""
    rounding: float
    """A sum of squares up to this is rounding and counts as 0."""

    @property
    def coefficients(self) -> int:
        return sum(self.weight.shape) - 1

    def pooled(self, axis: int) -> "CellTable":
        """The table with all its rows (axis 0) or all its columns (axis 1) thrown together."""
        weight = self.weight.sum(axis=axis, keepdims=True)
        mean = (self.weight * self.mean).sum(axis=axis, keepdims=True) / weight
        between_ss = float((self.weight * (self.mean - mean) ** 2).sum())
        return CellTable(self.n, weight, mean, self.within_ss + between_ss, self.rounding)


@dataclass(frozen=True, eq=False, slots=True)
class AdditiveFit:
    """The fitted model: intercept, rows but the first, columns but the first."""

    estimates: Scores
    leverage: Scores
    """Diagonal of (X'X)^+: the variance of each estimate in units of the residual variance."""
    n: float
    rank: int
    residual_ss: float
    total_ss: float

    @property
    def residual_df(self) -> float:
        return self.n - self.rank

    @property
    def adjusted_r2(self) -> float:
        """1 - (N - 1) / df * residual / total squares; NaN when y is constant or df is 0."""
        if self.residual_df < 1 or self.total_ss == 0:
            return float("nan")
        return 1 - (self.n - 1) / self.residual_df * self.residual_ss / self.total_ss

    def t_tests(self) -> tuple[Scores, Scores, Scores]:
        """Two-sided p and both ends of the 95 % interval of each estimate; NaN when there is no residue."""
        if self.residual_df < 1 or self.residual_ss == 0:
            nan = np.full_like(self.estimates, np.nan)
            return nan, nan, nan
        error = np.sqrt(self.residual_ss / self.residual_df * self.leverage)
        reach = t_quantile(self.residual_df, 0.975) * error
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.abs(self.estimates / error).tolist()
        p = np.array([2 * t_cdf(self.residual_df, -ratio) for ratio in ratios])
        return p, self.estimates - reach, self.estimates + reach


def fit_additive(table: CellTable) -> AdditiveFit:
    """The least-squares fit of the table.

    An estimate that the responses leave open (a row that shares no column with the first, not even through
    others) is settled by the pseudo-inverse as in statsmodels: the best fit with the smallest coefficients.
    """
    normal, right = _normal_equations(table.weight, table.mean)
    inverse, rank = _pseudo_inverse(normal)
    estimates = inverse @ right
    misfit = table.mean - _fitted(estimates, table.weight.shape[0])
    # one step of refinement: with cells of 1 and of a billion responses the first solution loses digits
    estimates += inverse @ _normal_equations(table.weight, misfit)[1]
    misfit = table.mean - _fitted(estimates, table.weight.shape[0])
    residual_ss = table.within_ss + float((table.weight * misfit**2).sum())
    total_ss = table.pooled(0).pooled(1).within_ss
    return AdditiveFit(
        estimates=estimates,
        leverage=np.maximum(inverse.diagonal(), 0.0),
        n=table.n,
        rank=rank,
        residual_ss=residual_ss if residual_ss > table.rounding else 0.0,
        total_ss=total_ss if total_ss > table.rounding else 0.0,
    )


def nested_p(smaller: AdditiveFit, larger: AdditiveFit) -> float:
    """Probability of so large a gain in fit by chance, from the F test of a model against one it contains.

    F = (gain in residual squares / gain in rank) / (residual squares / residual df), the latter of the larger

    NaN when the larger model gains no rank or has no residual df, or when the smaller one leaves no residue.
    """
    further = larger.rank - smaller.rank
    gain = max(smaller.residual_ss - larger.residual_ss, 0.0)
    if further < 1 or larger.residual_df < 1 or smaller.residual_ss == 0:
        return float("nan")
    if larger.residual_ss == 0:
        return 0.0
    return f_survival(further, larger.residual_df, gain / further / (larger.residual_ss / larger.residual_df))


def _normal_equations(weight: Scores, mean: Scores) -> tuple[Scores, Scores]:
    """X'X and X'y without the dummy of the first row and of the first column."""
    rows, columns = weight.sum(axis=1, keepdims=True), weight.sum(axis=0, keepdims=True)
    full = np.block(
        [
            [weight.sum(keepdims=True), rows.T, columns],
            [rows, np.diag(rows[:, 0]), weight],
            [columns.T, weight.T, np.diag(columns[0])],
        ]
    )
    y = weight * mean
    right = np.concatenate(([y.sum()], y.sum(axis=1), y.sum(axis=0)))
    columns_used = np.delete(np.arange(right.size), [1, 1 + weight.shape[0]])
    return full[np.ix_(columns_used, columns_used)], right[columns_used]


def _fitted(estimates: Scores, n_rows: int) -> Scores:
    rows, columns = estimates[1:n_rows], estimates[n_rows:]
    fitted: Scores = estimates[0] + np.append(0.0, rows)[:, None] + np.append(0.0, columns)
    return fitted


def _pseudo_inverse(normal: Scores) -> tuple[Scores, int]:
    """The Moore-Penrose inverse of a matrix X'X, and its rank."""
    # cells of very unequal size are brought to one scale, or small cells would look like missing rank
    scale = 1 / np.sqrt(normal.diagonal())
    scaled = normal * scale * scale[:, None]
    try:
        lower = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError:
        lower = None
    if lower is not None and lower.diagonal().min() > 1e-5:  # the quick way, when no rank is missing
        root = np.linalg.inv(lower).T
        root *= scale[:, None]
        return root @ root.T, scale.size
    values, vectors = np.linalg.eigh(scaled)
    open_ = values <= scale.size * np.finfo(float).eps * values[-1]
    root = vectors[:, ~open_] / np.sqrt(values[~open_]) * scale[:, None]
    # one of many inverses when rank is missing; Moore's and Penrose's has no part in the null space
    null_space = np.linalg.qr(vectors[:, open_] * scale[:, None])[0]
    root -= null_space @ (null_space.T @ root)
    return root @ root.T, root.shape[1]
