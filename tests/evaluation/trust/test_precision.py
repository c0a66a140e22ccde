"""How many reviews a figure needs, held against what more reviews really bring."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.evaluation.trust.precision import half_width, planned_reviews, reviews_needed
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
