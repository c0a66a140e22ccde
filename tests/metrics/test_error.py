"""MSE, RMSE, MAE and R2."""

from math import nan

import numpy as np
import pytest

from assay.metrics.error import mean_absolute_error, mean_squared_error, r_squared, root_mean_squared_error
from assay.metrics.tally import Metric

HUMAN = [1, 2, 3, 4]
SYSTEM = [1, 2, 5, 3]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (mean_squared_error, 1.25),
        (root_mean_squared_error, 1.25**0.5),
        (mean_absolute_error, 0.75),
        (r_squared, 0.0),
    ],
)
def test_worked_by_hand(metric: Metric, value: float) -> None:
    """Errors 0, 0, 2, -1; the human scores have a sum of squares of 5 about their mean."""
    assert metric(HUMAN, SYSTEM) == pytest.approx(value)


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (mean_squared_error, 5 / 8),
        (root_mean_squared_error, (5 / 8) ** 0.5),
        (mean_absolute_error, 3 / 8),
        (r_squared, 1 - 5 / 8),
    ],
)
def test_weights_count_in_mean_and_in_spread(metric: Metric, value: float) -> None:
    """Squared errors of 4 + 1 on a weight of 8; the weighted human mean is 2, the squares about it 3 + 0 + 1 + 4."""
    assert metric(HUMAN, SYSTEM, weights=[3, 3, 1, 1]) == pytest.approx(value)


@pytest.mark.parametrize("metric", [mean_squared_error, root_mean_squared_error, mean_absolute_error])
def test_no_error_is_zero_and_one_response_is_enough(metric: Metric) -> None:
    assert metric([0.1, 0.2], [0.1, 0.2]) == 0
    assert metric([1], [3]) in (2, 4)


@pytest.mark.parametrize(
    ("human", "system", "r2"),
    [
        ([1, 2], [1, 2], 1),
        ([1, 2], [2, 1], -3),
        ([2, 2], [2, 2], nan),
        ([0.1, 0.1, 0.1], [1, 2, 3], nan),
        ([2], [3], nan),
        ([1, 3], [2, 2], 0),
    ],
)
def test_r2_is_one_when_perfect_zero_for_the_mean_and_undefined_without_spread(
    human: list[float], system: list[float], r2: float
) -> None:
    assert r_squared(human, system) == pytest.approx(r2, nan_ok=True)


def test_r2_is_not_symmetric() -> None:
    assert r_squared(HUMAN, SYSTEM) != pytest.approx(r_squared(SYSTEM, HUMAN))


def test_errors_in_steps_of_a_tenth_are_exact_enough() -> None:
    human = np.round(np.arange(0, 5, 0.1), 1)
    assert mean_absolute_error(human, human + 0.1) == pytest.approx(0.1)
    assert root_mean_squared_error(-human, -human - 0.1) == pytest.approx(0.1)
