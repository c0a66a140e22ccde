import numpy as np
import pytest
from scipy import stats

from assay.evaluation.raters.uncertainty import Spread, crossed_estimate, crossed_variance, jackknife_variance
from assay.metrics.intervals import EVEN_SCALES

SAME = EVEN_SCALES["same"]


def leave_one_out(values: np.ndarray) -> np.ndarray:
    return np.asarray((values.sum() - values) / (values.size - 1))


def test_the_jackknife_variance_of_a_mean_is_its_squared_standard_error() -> None:
    values = np.random.default_rng(1).normal(size=40)

    assert jackknife_variance(leave_one_out(values), values.mean(), SAME) == pytest.approx(stats.sem(values) ** 2)


def test_items_alone_give_students_interval_of_a_mean() -> None:
    values = np.random.default_rng(2).normal(3, 1, size=25)
    low, high = stats.t.interval(0.95, 24, values.mean(), stats.sem(values))

    estimate = crossed_estimate(float(values.mean()), Spread(leave_one_out(values), np.zeros(0)))

    assert (estimate.low, estimate.high) == pytest.approx((low, high))


def test_noise_that_items_and_raters_both_hold_counts_once() -> None:
    """Without effects of items or raters, the variance is that of single ratings, not twice that."""
    rng = np.random.default_rng(3)
    ratios = []
    for _ in range(30):
        ratings = rng.normal(size=(30, 12))
        spread = Spread(leave_one_out(ratings.mean(axis=1)), leave_one_out(ratings.mean(axis=0)), ratings.var() / 360)
        ratios.append(crossed_variance(0.0, spread, SAME)[0] * 360)

    assert np.mean(ratios) == pytest.approx(1.15, abs=0.15)  # the largest of three estimates lies a little above 1


def test_raters_who_differ_widen_the_interval() -> None:
    rng = np.random.default_rng(4)
    ratings = rng.normal(size=(50, 1)) + rng.normal(0, 2, size=(1, 6)) + rng.normal(size=(50, 6))
    items, raters = leave_one_out(ratings.mean(axis=1)), leave_one_out(ratings.mean(axis=0))
    alone = crossed_estimate(float(ratings.mean()), Spread(items, np.zeros(0)))
    both = crossed_estimate(float(ratings.mean()), Spread(items, raters, 1 / 300))

    assert both.high - both.low > 2 * (alone.high - alone.low)


@pytest.mark.parametrize(
    ("value", "items", "even", "reason"),
    [
        (float("nan"), [1.0, 1, 1], "same", "undefined"),
        (0.5, [0.5, 0.4], "same", "too few items"),
        (0.5, [0.5, np.nan, 0.4], "same", "undefined without some of the items"),
        (1.0, [1.0, 1, 1], "fisher", "at the end of its range"),
        (0.5, [0.5, 0.5, 0.5], "same", "the same whichever item is left out"),
    ],
)
def test_a_figure_without_an_interval_says_why(value: float, items: list[float], even: str, reason: str) -> None:
    estimate = crossed_estimate(value, Spread(np.array(items), np.zeros(0)), even=even)

    assert not estimate.has_interval
    assert estimate.reason == reason


def test_two_raters_are_too_few_to_speak_of_others() -> None:
    values = np.random.default_rng(5).normal(size=20)
    items = leave_one_out(values)
    two = crossed_estimate(0.1, Spread(items, np.array([-5.0, 5.0])))

    assert two == crossed_estimate(0.1, Spread(items, np.zeros(0)))
