"""Score point by score point."""

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.metrics.intervals import wilson_interval
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale

RNG = np.random.default_rng(6)
HUMAN = RNG.choice([1.0, 2, 3, 5], 200, p=[0.1, 0.3, 0.4, 0.2])
SYSTEM = 3 + 0.6 * (HUMAN - 3) + RNG.normal(0, 0.4, 200)
SYSTEM[:2] = -4, 30  # trimmed before they are judged
PLAN = Plan(ScoreScale(1, 6))
FOUND = evaluate_engine(Ratings(HUMAN[:, None], SYSTEM), PLAN)


def final(system: Scores = SYSTEM) -> Scores:
    return PLAN.scale.round(PLAN.scale.trim(system)) if PLAN.scale else system


def test_the_shares_of_points_are_those_of_the_scores_and_add_up_to_a_hundred() -> None:
    for row in FOUND.distribution:
        assert row.human.value == pytest.approx(100 * np.mean(row.point == HUMAN))
        assert row.system.value == pytest.approx(100 * np.mean(final() == row.point))
        assert row.difference.value == pytest.approx(row.system.value - row.human.value)
    assert sum(row.human.value for row in FOUND.distribution) == pytest.approx(100)
    assert sum(row.system.value for row in FOUND.distribution) == pytest.approx(100)


def test_only_points_that_somebody_gave_are_listed() -> None:
    assert [row.point for row in FOUND.distribution] == sorted({*HUMAN, *final()})


def test_a_share_has_wilsons_interval() -> None:
    row = FOUND.distribution[0]
    expected = wilson_interval(row.human.value / 100, 200)
    assert (row.human.low, row.human.high) == pytest.approx([100 * end for end in expected])


def test_bias_and_rmse_by_level_are_those_of_the_responses_at_that_level() -> None:
    trimmed = ScoreScale(1, 6).trim(SYSTEM)
    assert [row.point for row in FOUND.levels] == [1, 2, 3, 5]
    for row in FOUND.levels:
        error = (trimmed - HUMAN)[row.point == HUMAN]
        assert row.n == error.size
        assert row.bias.value == pytest.approx(error.mean())
        assert row.rmse.value == pytest.approx(np.sqrt((error**2).mean()))
    assert sum(row.n for row in FOUND.levels) == 200


def test_the_interval_of_the_bias_is_students() -> None:
    """95 % points of Student's t on n - 1 degrees of freedom times sd / sqrt(n), as for any mean."""
    row = FOUND.levels[0]
    error = (ScoreScale(1, 6).trim(SYSTEM) - HUMAN)[HUMAN == 1]
    reach = (row.bias.high - row.bias.low) / 2
    standard_error = error.std(ddof=1) / np.sqrt(row.n)
    assert 1.96 < reach / standard_error < 2.2
    assert row.bias.value - row.bias.low == pytest.approx(reach)


def test_weights_count_in_shares_and_bias() -> None:
    weights = np.where(HUMAN == 1, 3.0, 1.0)
    found = evaluate_engine(Ratings(HUMAN[:, None], SYSTEM, weights=weights), PLAN)
    assert found.distribution[0].human.value == pytest.approx(100 * weights[HUMAN == 1].sum() / weights.sum())
    assert found.levels[0].bias.value == pytest.approx(FOUND.levels[0].bias.value)  # equal weights within a level


def test_weights_within_a_level_count_in_bias_rmse_and_their_intervals() -> None:
    """A weight of 3 is the response three times, when the copies are known to be one candidate's."""
    times = np.arange(200) % 3 + 1
    plain = Ratings(HUMAN[:, None], SYSTEM, weights=times.astype(float))
    copied = Ratings(
        np.repeat(HUMAN, times)[:, None], np.repeat(SYSTEM, times), candidate=np.repeat(np.arange(200), times)
    )
    found, expected = (evaluate_engine(ratings, PLAN).levels for ratings in (plain, copied))
    for one, other in zip(found, expected, strict=True):
        for figure in ("bias", "rmse"):
            first, second = getattr(one, figure), getattr(other, figure)
            assert (first.value, first.low, first.high) == pytest.approx((second.value, second.low, second.high))


def test_without_a_scale_there_are_no_points() -> None:
    found = evaluate_engine(Ratings(HUMAN[:, None], SYSTEM), Plan(None))
    assert (found.distribution, found.levels, found.crossed) == ((), (), None)


def test_a_level_with_one_or_two_responses_has_a_bias_but_no_interval() -> None:
    human = np.array([[1.0], [2], [2], [3], [3], [3], [3]])
    found = evaluate_engine(Ratings(human, human[:, 0] + [0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.4]), PLAN)
    assert [np.isfinite(row.bias.low) for row in found.levels] == [False, False, True]
    assert {row.bias.reason for row in found.levels} == {"too few responses", ""}
