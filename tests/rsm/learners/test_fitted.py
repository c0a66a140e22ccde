"""Lines by least squares, and what any trained model predicts."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.learners.fitted import INTERCEPT, FittedModel, fit_line, takes_sparse

MATRIX = np.array([[0.0], [1.0], [2.0], [3.0]])
HUMAN = np.array([1.0, 3.0, 2.0, 4.0])


def test_a_line_is_that_of_the_textbook() -> None:
    fit = fit_line(("f",), MATRIX, HUMAN)

    # means 1.5 and 2.5, cross products 4, squares 5: slope 0.8, intercept 1.3, residual squares 1.8 of 5
    assert fit.names == (INTERCEPT, "f")
    assert fit.estimates.tolist() == pytest.approx([1.3, 0.8])
    assert (fit.residual_ss, fit.total_ss, fit.n, fit.rank, fit.residual_df) == pytest.approx((1.8, 5, 4, 2, 2))
    assert (fit.r2, fit.adjusted_r2) == pytest.approx((0.64, 1 - 3 / 2 * 0.36))
    error, t, p = fit.tests()
    assert error[1] == pytest.approx(np.sqrt(0.9 / 5))
    assert t[1] == pytest.approx(0.8 / np.sqrt(0.9 / 5))
    assert p[1] == pytest.approx(0.2)  # two-sided, two degrees of freedom: 1 - t / sqrt(2 + t^2)


def test_weights_count_responses_that_often() -> None:
    weights = np.array([1.0, 2.0, 1.0, 3.0])
    repeated = np.repeat(np.arange(4), [1, 2, 1, 3])

    weighted, plain = fit_line(("f",), MATRIX, HUMAN, weights), fit_line(("f",), MATRIX[repeated], HUMAN[repeated])

    assert weighted.estimates == pytest.approx(plain.estimates)
    assert (weighted.residual_ss, weighted.total_ss) == pytest.approx((plain.residual_ss, plain.total_ss))
    assert (weighted.n, plain.n) == (4, 7)


def test_collinear_features_lower_the_rank_and_share_the_weight() -> None:
    fit = fit_line(("f", "g"), np.hstack([MATRIX, MATRIX]), HUMAN)

    assert fit.estimates.tolist() == pytest.approx([1.3, 0.4, 0.4])
    assert fit.rank == 2


def test_without_degrees_of_freedom_or_spread_there_are_no_figures() -> None:
    fit = fit_line(("f",), MATRIX[:2], HUMAN[:2])

    assert np.isnan(fit.tests()).all()
    assert np.isnan(fit.adjusted_r2)
    assert np.isnan(fit_line(("f",), MATRIX, np.full(4, 2.0)).r2)


def test_a_line_predicts_and_names_its_weights() -> None:
    model = FittedModel("LinearRegression", ("f", "g"), 1.0, np.array([2.0, -1.0]))

    assert model.linear
    assert model.predict(np.array([[1.0, 0.5], [0.0, 0.0]])).tolist() == [2.5, 1.0]
    assert model.weights() == {"Intercept": 1.0, "f": 2.0, "g": -1.0}
    assert model.columns_of(("g", "x", "f")) == [2, 0]
    with pytest.raises(InputError, match="the model LinearRegression needs features that are not there: f, g"):
        model.columns_of(("x",))


class Two:
    """An estimator that finds the second class likeliest."""

    def predict(self, rows: object) -> np.ndarray:
        return np.full(rows.shape[0], 1)  # type: ignore[attr-defined]

    def predict_proba(self, rows: object) -> np.ndarray:
        return np.tile([0.25, 0.75], (rows.shape[0], 1))  # type: ignore[attr-defined]


def test_a_classifier_gives_points_or_the_mean_of_its_points() -> None:
    rows = np.zeros((2, 1))

    assert FittedModel("C", ("f",), estimator=Two(), points=(3.0, 5.0)).predict(rows).tolist() == [5, 5]
    expected = FittedModel("C", ("f",), estimator=Two(), points=(3.0, 5.0), expected=True)
    assert expected.predict(rows).tolist() == [4.5, 4.5]
    assert not expected.linear
    assert FittedModel("R", ("f",), estimator=Two()).predict(rows).tolist() == [1, 1]


class BayesianRidge(Two):
    """By its name an estimator that reads no sparse matrix."""


class Wrapped:
    regressor = BayesianRidge()


def test_estimators_get_sparse_matrices_unless_they_cannot_read_them() -> None:
    assert takes_sparse(Two())
    assert not takes_sparse(BayesianRidge())
    assert not takes_sparse(Wrapped())


class _Unfitted:
    """An estimator out of a damaged file."""

    def predict(self, _: object) -> object:
        raise AttributeError("object has no attribute 'tree_'")


def test_an_estimator_that_lacks_a_part_is_said_to_be_damaged() -> None:
    model = FittedModel("DecisionTreeRegressor", ("f",), estimator=_Unfitted())
    with pytest.raises(InputError, match=r"DecisionTreeRegressor cannot score: .*'tree_'.* Train it again"):
        model.predict(MATRIX)
