"""A regressor whose scores get the mean and spread of the human scores."""

import numpy as np
import pytest

linear = pytest.importorskip("sklearn.linear_model")

from assay.rsm.learners.rescaled import Rescaled  # noqa: E402

MATRIX = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
HUMAN = np.array([1.0, 3.0, 2.0, 4.0, 4.0])


def test_training_scores_have_the_mean_and_spread_of_the_human_ones() -> None:
    scores = Rescaled(linear.Ridge(alpha=20), constrain=False).fit(MATRIX, HUMAN).predict(MATRIX)

    assert (scores.mean(), scores.std()) == pytest.approx((HUMAN.mean(), HUMAN.std()))


def test_scores_beyond_the_human_ones_are_pulled_in_unless_they_need_not() -> None:
    far = np.array([[-50.0], [50.0]])

    inside = Rescaled(linear.LinearRegression()).fit(MATRIX, HUMAN).predict(far)
    outside = Rescaled(linear.LinearRegression(), constrain=False).fit(MATRIX, HUMAN).predict(far)

    assert inside.tolist() == [1, 4]
    assert (outside[0] < 1, outside[1] > 4) == (True, True)


def test_without_rescaling_the_scores_are_those_of_the_regressor() -> None:
    plain = linear.Ridge(alpha=20).fit(MATRIX, HUMAN).predict(MATRIX)

    assert Rescaled(linear.Ridge(alpha=20), rescale=False).fit(MATRIX, HUMAN).predict(MATRIX) == pytest.approx(plain)


def test_a_regressor_without_spread_gives_the_highest_score() -> None:
    scores = Rescaled(linear.Lasso(alpha=1e6)).fit(MATRIX, HUMAN).predict(MATRIX)

    assert scores.tolist() == [4.0] * 5
