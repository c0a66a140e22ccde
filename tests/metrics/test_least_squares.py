"""Least squares on the cells of a table: a published t test, dense regressions on every response, undefined cases."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.metrics.least_squares import MOST_COEFFICIENTS, AdditiveFit, CellTable, fit_additive, nested_p
from assay.metrics.pairs import Scores

Codes = NDArray[np.int64]

# Student (1908), The probable error of a mean: additional hours of sleep with two drugs, ten patients each
DEXTRO = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
LAEVO = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])


def table_of(rows: Codes, columns: Codes, y: Scores, weights: Scores | None = None) -> CellTable:
    """The cells of responses, added up one by one."""
    w = np.ones(y.size) if weights is None else weights
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    weight, mean, within = np.zeros(shape), np.zeros(shape), 0.0
    for i, j in np.ndindex(shape):
        cell = (rows == i) & (columns == j)
        if cell.any():
            weight[i, j], mean[i, j] = w[cell].sum(), np.average(y[cell], weights=w[cell])
            within += float((w[cell] * (y[cell] - mean[i, j]) ** 2).sum())
    return CellTable(float(y.size), weight, mean, within, rounding=1e-20)


def design(rows: Codes, columns: Codes) -> Scores:
    """1, the rows but the first, the columns but the first."""
    dummies = [rows == i for i in range(1, int(rows.max()) + 1)]
    dummies += [columns == j for j in range(1, int(columns.max()) + 1)]
    return np.stack([np.ones(rows.size), *dummies], axis=1).astype(float)


def sleep() -> CellTable:
    return table_of(np.repeat([0, 1], 10), np.zeros(20, dtype=np.int64), np.concatenate([DEXTRO, LAEVO]))


def fit(*, n: float = 6, rank: int = 3, residual: float = 2.0, total: float = 8.0) -> AdditiveFit:
    return AdditiveFit(np.array([1.0, -0.5]), np.array([0.25, 1.0]), n, rank, residual, total)


def test_a_model_has_a_coefficient_for_the_intercept_and_each_further_row_and_column() -> None:
    table = CellTable(12.0, np.ones((4, 3)), np.zeros((4, 3)), 0.0, 0.0)
    assert table.coefficients == 1 + 3 + 2


def test_pooling_takes_the_weighted_mean_and_moves_what_rows_differ_by_into_the_cells() -> None:
    table = CellTable(8.0, np.array([[1.0, 3], [2, 2]]), np.array([[1.0, 5], [2, 4]]), 0.5, 1e-9)
    without_rows, without_columns = table.pooled(0), table.pooled(1)
    assert without_rows.weight.tolist() == [[3, 5]]
    assert without_rows.mean == pytest.approx(np.array([[5 / 3, 23 / 5]]))
    # 1 (2/3)^2 + 2 (1/3)^2 in the first column, 3 (0.4)^2 + 2 (0.6)^2 in the second
    assert without_rows.within_ss == pytest.approx(0.5 + 2 / 3 + 1.2)
    assert without_columns.weight.tolist() == [[4], [4]]
    assert without_columns.mean.tolist() == [[4], [3]]
    # 1 (3)^2 + 3 (1)^2 in the first row, 2 (1)^2 + 2 (1)^2 in the second
    assert without_columns.within_ss == pytest.approx(0.5 + 12 + 4)
    assert [(t.n, t.rounding) for t in (without_rows, without_columns)] == [(8, 1e-9), (8, 1e-9)]


def test_two_rows_are_compared_as_in_students_t_test() -> None:
    """R: t.test(extra ~ group, data = sleep, var.equal = TRUE)."""
    fitted = fit_additive(sleep())
    p, low, high = fitted.t_tests()
    assert fitted.estimates == pytest.approx([0.75, 1.58])
    assert (fitted.n, fitted.rank, fitted.residual_df) == (20, 2, 18)
    assert (p[1], low[1], high[1]) == pytest.approx((0.07918671, -0.203874, 3.363874), abs=1e-6)


def test_the_f_test_of_one_further_coefficient_is_its_t_test() -> None:
    table = sleep()
    larger, smaller = fit_additive(table), fit_additive(table.pooled(0))
    assert nested_p(smaller, larger) == pytest.approx(float(larger.t_tests()[0][1]), rel=1e-9)
    assert smaller.rank == 1


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("weighted", [False, True])
def test_the_fit_is_that_of_a_dense_regression_on_every_response(seed: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    y = rows + 0.5 * columns + rng.normal(size=60)
    weights = rng.uniform(0.2, 3, 60) if weighted else np.ones(60)
    x, root = design(rows, columns), np.sqrt(weights)
    estimates = np.linalg.lstsq(x * root[:, None], y * root, rcond=None)[0]
    residual = float((weights * (y - x @ estimates) ** 2).sum())
    total = float((weights * (y - np.average(y, weights=weights)) ** 2).sum())

    fitted = fit_additive(table_of(rows, columns, y, weights))

    assert fitted.estimates == pytest.approx(estimates)
    assert fitted.leverage == pytest.approx(np.linalg.inv(x.T @ (x * weights[:, None])).diagonal())
    assert (fitted.rank, fitted.residual_df) == (6, 54)
    assert (fitted.residual_ss, fitted.total_ss) == pytest.approx((residual, total))
    assert fitted.adjusted_r2 == pytest.approx(1 - (residual / 54) / (total / 59))


@pytest.mark.parametrize("often", [1, 1000])
def test_rows_that_share_no_column_get_the_smallest_coefficients_that_fit_best(often: int) -> None:
    """The Moore-Penrose inverse of the design, whatever the sizes of the cells."""
    rows = np.array([0, 0, 0, 1, 1, 2, 2, 2] + [2] * often)
    columns = np.array([0, 1, 1, 1, 0, 2, 3, 3] + [3] * often)
    y = np.random.default_rng(9).normal(size=rows.size) + rows
    x = design(rows, columns)

    fitted = fit_additive(table_of(rows, columns, y))

    assert fitted.rank == np.linalg.matrix_rank(x) == 5
    assert fitted.estimates == pytest.approx(np.linalg.pinv(x) @ y)
    assert fitted.leverage == pytest.approx(np.linalg.pinv(x.T @ x).diagonal(), abs=1e-12)
    assert fitted.residual_ss == pytest.approx(float(((y - x @ np.linalg.pinv(x) @ y) ** 2).sum()))


def test_squares_up_to_the_rounding_count_as_none() -> None:
    table = replace(sleep(), mean=np.zeros((2, 1)), within_ss=2.0)  # nothing between the rows: both sums are 2
    above, at = (fit_additive(replace(table, rounding=rounding)) for rounding in (1.999, 2.0))
    assert (above.residual_ss, above.total_ss) == (2, 2)
    assert (at.residual_ss, at.total_ss) == (0, 0)


def test_adjusted_r2_needs_a_degree_of_freedom_and_a_spread() -> None:
    assert fit().adjusted_r2 == pytest.approx(1 - 5 / 3 * 2 / 8)
    assert fit(n=4).adjusted_r2 == pytest.approx(1 - 3 / 1 * 2 / 8)
    assert isnan(fit(n=3).adjusted_r2)
    assert isnan(fit(total=0.0).adjusted_r2)
    assert fit(total=1.0, residual=1.0).adjusted_r2 == pytest.approx(1 - 5 / 3)


def test_t_tests_worked_by_hand_with_one_degree_of_freedom() -> None:
    """Student's t with 1 df is Cauchy's: P(|t| > x) = 1 - 2 atan(x) / pi, and 12.7062 is its 97.5 % point."""
    p, low, high = fit(n=4).t_tests()
    error = np.sqrt([2 * 0.25, 2 * 1.0])
    assert p == pytest.approx(1 - 2 / np.pi * np.arctan([1.0 / error[0], 0.5 / error[1]]))
    assert low == pytest.approx(np.array([1.0, -0.5]) - 12.7062047 * error)
    assert high == pytest.approx(np.array([1.0, -0.5]) + 12.7062047 * error)


@pytest.mark.parametrize("fitted", [fit(n=3), fit(residual=0.0)])
def test_without_residue_there_is_nothing_to_test(fitted: AdditiveFit) -> None:
    assert all(np.isnan(column).all() and column.shape == (2,) for column in fitted.t_tests())


def test_the_f_test_worked_by_hand() -> None:
    """F(2, d) has the tail (1 + 2 F / d)^(-d / 2). F = (6 / 2) / (2 / 3) = 4.5 with d = 3."""
    smaller, larger = fit(rank=1, residual=8.0), fit(rank=3, residual=2.0)
    assert nested_p(smaller, larger) == pytest.approx((1 + 2 * 4.5 / 3) ** -1.5)
    assert nested_p(fit(n=4, rank=1, residual=8.0), fit(n=4)) == pytest.approx((1 + 2 * 1.5 / 1) ** -0.5)


@pytest.mark.parametrize(
    ("smaller", "larger", "p"),
    [
        (fit(rank=3, residual=8.0), fit(rank=3), float("nan")),  # no further rank
        (fit(n=3, rank=1, residual=8.0), fit(n=3), float("nan")),  # no residual degree of freedom
        (fit(rank=1, residual=0.0), fit(rank=3, residual=0.0), float("nan")),  # nothing left to explain
        (fit(rank=1, residual=8.0), fit(rank=3, residual=0.0), 0.0),  # everything explained
        (fit(rank=2, residual=1.0), fit(rank=3, residual=1.0), 1.0),  # nothing explained
        (fit(rank=2, residual=2.0), fit(rank=3, residual=2.0 + 1e-15), 1.0),  # rounding makes no loss of a gain
    ],
)
def test_where_there_is_no_f_test_p_says_so(smaller: AdditiveFit, larger: AdditiveFit, p: float) -> None:
    assert nested_p(smaller, larger) == pytest.approx(p, nan_ok=True)


def test_models_of_two_thousand_coefficients_are_the_largest_that_are_fitted() -> None:
    """What `fairness` promises its readers."""
    assert MOST_COEFFICIENTS == 2000
