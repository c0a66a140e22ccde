"""How many reviews a figure needs, held against what more reviews really bring."""

import numpy as np
import pytest
from scipy.special import stdtrit

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.evaluation.trust.precision import MOST, half_width, planned_reviews, reviews_needed
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.scale import ScoreScale


def figures(n: int, seed: int) -> dict[str, Estimate]:
    rng = np.random.default_rng(seed)
    quality = rng.normal(3.5, 1.2, n)
    human, system = (np.clip(np.rint(quality + rng.normal(0, 0.6, n)), 1, 6) for _ in range(2))
    return evaluate_engine(Ratings.of(human, system), Plan(ScoreScale(1, 6))).figures()


@pytest.mark.parametrize("name", ["qwk", "r", "smd", "exact_agreement", "rmse"])
def test_after_so_many_reviews_the_interval_is_about_as_short_as_asked(name: str) -> None:
    start, even = 150, PAIR_METRICS[name].even
    first = [figures(start, seed)[name] for seed in range(8)]
    within = 0.5 * float(np.median([half_width(estimate) for estimate in first]))
    needed = [reviews_needed(estimate, start, within, "same" if even == "share" else even) for estimate in first]

    reached = [half_width(figures(int(np.median([n for n in needed if n])), seed)[name]) for seed in range(20, 28)]

    assert all(n is not None and n > start for n in needed)
    assert float(np.median(reached)) == pytest.approx(within, rel=0.15)


def test_a_figure_that_is_known_closely_enough_needs_no_more() -> None:
    assert reviews_needed(Estimate(0.8, 0.78, 0.82), 900, 0.05, "fisher") == 900


def test_without_an_interval_nothing_can_be_told() -> None:
    assert reviews_needed(Estimate(1.0, reason="at the end of its range"), 30, 0.05, "fisher") is None
    assert reviews_needed(Estimate(0.5, 0.5, 0.5), 30, 0.05) is None


def test_a_half_width_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="above 0"):
        reviews_needed(Estimate(0.7, 0.6, 0.8), 30, 0.0)


def test_the_plan_before_any_review_is_fishers() -> None:
    # the interval of r = 0.7 from n pairs: tanh(artanh r -+ 1.96 / sqrt(n - 3)); 105 is the first n within 0.1
    reach = 1.959964 / np.sqrt(np.array([104, 105]) - 3)
    halves = (np.tanh(np.arctanh(0.7) + reach) - np.tanh(np.arctanh(0.7) - reach)) / 2
    assert halves[0] > 0.1 > halves[1]
    assert planned_reviews(0.7, 0.1) == 105


def student(n: int) -> float:
    return float(stdtrit(n - 1, 0.975)) / float(np.sqrt(n))


@pytest.mark.parametrize(("n", "within"), [(20, 0.05), (100, 0.09), (7, 0.02)])
def test_the_number_is_the_first_whose_interval_is_short_enough(n: int, within: float) -> None:
    """On its own scale the reach shrinks as t(n - 1) / sqrt(n)."""
    needed = reviews_needed(Estimate(0.5, 0.4, 0.6), n, within)
    assert needed is not None
    assert student(needed) <= student(n) * within / 0.1 * (1 + 1e-9)
    assert student(needed - 1) > student(n) * within / 0.1


def test_on_a_logarithm_the_interval_may_lie_unevenly_about_the_figure() -> None:
    """0.5 to 2 about 1: a reach of log 2. Half of (x - 1/x) = 0.2 at x = 0.2 + sqrt(1.04), a reach of 0.198690."""
    needed = reviews_needed(Estimate(1.0, 0.5, 2.0), 30, 0.2, "log")
    allowed = np.log(0.2 + np.sqrt(1.04)) / np.log(2)
    assert needed is not None
    assert student(needed) <= student(30) * allowed * (1 + 1e-9) < student(needed - 1)


def test_an_interval_just_as_short_as_asked_needs_no_more() -> None:
    assert reviews_needed(Estimate(0.5, 0.25, 0.75), 10, 0.25) == 10
    assert reviews_needed(Estimate(0.5, 0.25, 0.75), 10, 0.2499) == 11


@pytest.mark.parametrize(
    ("estimate", "n"),
    [
        (Estimate(0.5, 0.4, 0.6), 1),
        (Estimate(0.5, -np.inf, np.inf), 30),
        (Estimate(0.5, 0.4), 30),
        (Estimate(0.9, 0.2, 1.0), 30),  # artanh 1 is endless
    ],
)
def test_what_has_no_finite_spread_cannot_be_planned(estimate: Estimate, n: int) -> None:
    assert reviews_needed(estimate, n, 0.05, "fisher") is None


def test_two_reviews_are_enough_to_plan_from() -> None:
    assert reviews_needed(Estimate(0.5, 0.4, 0.6), 2, 0.05) is not None


def test_what_would_take_more_than_ten_million_reviews_is_not_planned() -> None:
    assert reviews_needed(Estimate(0.5, 0.4, 0.6), 100, 1e-6) is None
    assert MOST == 10_000_000


@pytest.mark.parametrize("within", [0.0, -0.1, np.inf, np.nan])
def test_a_half_width_must_be_a_number_above_zero(within: float) -> None:
    with pytest.raises(InputError, match="above 0") as refused:
        reviews_needed(Estimate(0.7, 0.6, 0.8), 30, within)
    assert refused.value.field == "within"


def test_half_a_width_is_half_of_the_interval() -> None:
    assert half_width(Estimate(0.5, 0.25, 1.0)) == 0.375
    assert np.isnan(half_width(Estimate(0.5)))


def test_a_plan_for_uncorrelated_scores_is_fishers_too() -> None:
    """tanh(reach) = 0.2 about 0: n = 3 + (1.959964 / artanh 0.2)^2 = 3 + 93.47, rounded up."""
    assert planned_reviews(0.0, 0.2) == 97
