"""RSMTool's eleven models: what each promises about its coefficients."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.learners.built_in import BUILT_IN, COMPAT
from assay.rsm.learners.fitted import fit_line
from tests.rsm.tables import feature_table

TABLE = feature_table(100)


def weights(model: str) -> dict[str, float]:
    found = BUILT_IN[model](model, TABLE.names, TABLE.matrix, TABLE.human).model
    assert found.coefficients is not None
    return dict(zip(found.features, found.coefficients.tolist(), strict=True))


@pytest.mark.parametrize("model", BUILT_IN)
def test_every_model_gives_scores_that_go_with_the_human_ones(model: str) -> None:
    trained = BUILT_IN[model](model, TABLE.names, TABLE.matrix, TABLE.human)
    columns = trained.model.columns_of(TABLE.names)

    scores = trained.model.predict(TABLE.matrix[:, columns])

    assert trained.model.features == tuple(sorted(trained.model.features))
    # the rebalanced model turns the sign of a feature that goes down, and must lose by it
    least = 0.1 if model in ("RebalancedLR", "EqualWeightsLR") else 0.6
    assert np.corrcoef(scores, TABLE.human)[0, 1] > least


def test_least_squares_leaves_residuals_that_no_feature_explains() -> None:
    fit = fit_line(TABLE.names, TABLE.matrix, TABLE.human)

    missed = TABLE.human - fit.estimates[0] - TABLE.matrix @ fit.estimates[1:]
    assert TABLE.matrix.T @ missed == pytest.approx(0, abs=1e-9)
    assert fit.r2 == pytest.approx(1 - missed.var() / TABLE.human.var())


def test_standard_errors_are_those_of_the_textbook() -> None:
    # Longley-like check by hand: one feature, se(b) = s / sqrt(sum (x - mean)^2)
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 2.0, 4.0])
    fit = fit_line(("x",), x[:, None], y)

    error, t, p = fit.tests()

    residual = np.sqrt(0.7 / 2)
    assert fit.estimates == pytest.approx([0.0, 0.9])
    assert error[1] == pytest.approx(residual / np.sqrt(5))
    assert t[1] == pytest.approx(0.9 / error[1])
    assert p[1] == pytest.approx(0.0766, abs=1e-4)  # two-sided, 2 degrees of freedom


def test_equal_weights_are_equal() -> None:
    assert len({round(weight, 12) for weight in weights("EqualWeightsLR").values()}) == 1


def test_score_weights_give_every_point_the_same_say() -> None:
    trained = BUILT_IN["ScoreWeightedLR"]("ScoreWeightedLR", TABLE.names, TABLE.matrix, TABLE.human)
    missed = TABLE.human - trained.model.predict(TABLE.matrix[:, trained.model.columns_of(TABLE.names)])

    by_point = [missed[TABLE.human == point].mean() for point in np.unique(TABLE.human)]

    assert sum(by_point) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("model", ["NNLR", "NNLRIterative", "LassoFixedLambda", "PositiveLassoCV"])
def test_models_without_negative_weights_have_none(model: str) -> None:
    assert all(weight >= 0 for weight in weights(model).values())


def test_rebalanced_weights_are_positive_where_least_squares_had_negative_ones() -> None:
    assert weights("LinearRegression")["c"] < 0
    assert weights("RebalancedLR")["c"] > 0


def test_rsmtool_forgets_what_the_lasso_chose() -> None:
    compat = COMPAT["LassoFixedLambdaThenNNLR"]("LassoFixedLambdaThenNNLR", TABLE.names, TABLE.matrix, TABLE.human)

    nnlr = BUILT_IN["NNLR"]("NNLR", TABLE.names, TABLE.matrix, TABLE.human)
    assert compat.model.features == nnlr.model.features


def test_a_model_that_keeps_no_feature_says_so() -> None:
    with pytest.raises(InputError, match="keeps no feature"):
        BUILT_IN["NNLR"]("NNLR", ("c",), TABLE.matrix[:, 2:], TABLE.human)


def test_collinear_features_share_the_weight() -> None:
    twice = np.column_stack([TABLE.matrix[:, 0], TABLE.matrix[:, 0]])
    fit = fit_line(("x", "x again"), twice, TABLE.human)

    assert fit.estimates[1] == pytest.approx(fit.estimates[2])
    assert fit.rank == 2
