"""The lasso: optimal up to its tolerance, and the same as scikit-learn's where that is exact."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.learners.built_in import Penalty, cross_validated_lasso, penalised_line
from tests.rsm.tables import feature_table

TABLE = feature_table(60, names=("a", "b", "c", "d"))


def slopes(weights: np.ndarray, intercept: float) -> np.ndarray:
    """How the squared error changes with each coefficient."""
    missed = TABLE.human - intercept - TABLE.matrix @ weights
    return np.asarray(TABLE.matrix.T @ missed / len(TABLE))


def test_coefficients_meet_the_conditions_of_an_optimum() -> None:
    intercept, weights = penalised_line(TABLE.matrix, TABLE.human, Penalty(0.1, tolerance=1e-12))

    found = slopes(weights, intercept)
    assert found[weights != 0] == pytest.approx(0.1 * np.sign(weights[weights != 0]), abs=1e-9)
    assert (np.abs(found[weights == 0]) <= 0.1 + 1e-9).all()
    assert (TABLE.human - intercept - TABLE.matrix @ weights).mean() == pytest.approx(0, abs=1e-9)


def test_positive_coefficients_are_never_negative() -> None:
    _, weights = penalised_line(TABLE.matrix, TABLE.human, Penalty(0.01, positive=True))

    assert (weights >= 0).all()
    assert weights[3] == 0  # the last feature goes down


def test_the_elastic_net_is_the_one_of_scikit_learn() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    theirs = linear_model.ElasticNet(alpha=0.2, l1_ratio=0.3, tol=1e-12, max_iter=10000).fit(TABLE.matrix, TABLE.human)

    intercept, weights = penalised_line(
        TABLE.matrix, TABLE.human, Penalty(0.2, l1_share=0.3, tolerance=1e-12, most_rounds=10000)
    )

    assert weights == pytest.approx(theirs.coef_, abs=1e-8)
    assert intercept == pytest.approx(theirs.intercept_, abs=1e-8)


def test_the_penalty_is_chosen_as_scikit_learn_chooses_it() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    theirs = linear_model.LassoCV(cv=10, positive=True).fit(TABLE.matrix, TABLE.human)

    _, weights = cross_validated_lasso(TABLE.matrix, TABLE.human, positive=True)

    assert weights == pytest.approx(theirs.coef_, abs=1e-2)  # as exact as both tolerances allow
    assert ((weights != 0) == (theirs.coef_ != 0)).all()


def test_too_few_responses_for_ten_folds_are_refused() -> None:
    with pytest.raises(InputError, match="10 training responses"):
        cross_validated_lasso(TABLE.matrix[:9], TABLE.human[:9], positive=True)
