"""True-score figures: Haberman's formulas, weights, merging, a simulation with a known truth."""

from functools import reduce
from math import nan
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.metrics.bins import Bins, leaving_out_each
from assay.metrics.pairs import Scores
from assay.metrics.true_score import (
    RatingTally,
    prmse,
    rater_error_variance,
    true_score_mse,
    true_score_variance,
)

READ = np.array([[1, 1, nan], [2, 3, 2], [3, nan, nan], [4, 4, 3], [5, 4, nan], [2, 2, 2]])
SYSTEM = np.array([1.2, 2.5, 2.9, 4.1, 4.2, 1.8])


def all_figures(tally: RatingTally) -> Scores:
    error = rater_error_variance(tally)
    return np.array([error, true_score_variance(tally, error), *true_score_mse(tally, error), *prmse(tally, error)])


def by_loop(ratings: Scores, system: Scores) -> list[float]:
    """The formulas of the docstrings, a response at a time."""
    readings = [row[~np.isnan(row)] for row in ratings]
    c = np.array([len(r) for r in readings])
    means = np.array([r.mean() for r in readings])
    error = sum(((r - r.mean()) ** 2).sum() for r in readings) / (c - 1).sum()
    centre = np.concatenate(readings).mean()
    between = (c * (means - centre) ** 2).sum()
    variance = (between - (len(c) - 1) * error) / (c.sum() - (c**2).sum() / c.sum())
    mse = ((c * (means - system) ** 2).sum() - len(c) * error) / c.sum()
    return [float(x) for x in (error, variance, mse, 1 - mse / variance)]


def test_the_figures_are_those_of_the_formulas() -> None:
    assert all_figures(RatingTally.of(READ, SYSTEM[None])) == pytest.approx(by_loop(READ, SYSTEM))


def test_two_raters_give_half_the_mean_squared_difference() -> None:
    tally = RatingTally.of(READ[:, :2], SYSTEM[None])
    both = ~np.isnan(READ[:, 1])
    assert float(rater_error_variance(tally)) == pytest.approx(np.mean((READ[both, 0] - READ[both, 1]) ** 2) / 2)


def test_several_systems_are_judged_at_once() -> None:
    both = all_figures(RatingTally.of(READ, np.stack([SYSTEM, SYSTEM + 0.5])))
    alone = all_figures(RatingTally.of(READ, SYSTEM[None] + 0.5))
    assert both[[3, 5]] == pytest.approx(alone[2:])


@settings(deadline=None)
@given(st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_parts_add_up_to_the_whole(parts: list[int]) -> None:
    numbers = np.array(parts)
    whole = all_figures(RatingTally.of(READ, SYSTEM[None]))
    tallies = [RatingTally.of(READ[numbers == k], SYSTEM[None, numbers == k]) for k in sorted(set(parts))]
    blocks = RatingTally.of(READ, SYSTEM[None], bins=Bins.of(numbers, (3,)))
    assert all_figures(reduce(add, tallies)) == pytest.approx(whole, abs=1e-12)
    assert all_figures(blocks.merged()) == pytest.approx(whole, abs=1e-12)


def test_the_jackknife_leaves_out_one_response_at_a_time() -> None:
    replicates = RatingTally.of(READ, SYSTEM[None], bins=Bins.of(np.arange(6), (6,))).combined(leaving_out_each)
    for left_out in range(6):
        rest = np.arange(6) != left_out
        expected = all_figures(RatingTally.of(READ[rest], SYSTEM[None, rest]))
        assert all_figures(replicates[left_out]) == pytest.approx(expected)


def test_a_replicate_has_the_mean_of_the_ratings_that_are_left() -> None:
    replicates = RatingTally.of(READ, SYSTEM[None], bins=Bins.of(np.arange(6), (6,))).combined(leaving_out_each)
    rest = [READ[np.arange(6) != left_out] for left_out in range(6)]
    assert replicates.mean == pytest.approx([np.nanmean(ratings) for ratings in rest])


def test_only_the_proportions_of_weights_matter() -> None:
    weights = np.array([1, 2, 0.5, 1, 1, 3])
    once, ten = (all_figures(RatingTally.of(READ, SYSTEM[None], weights=w)) for w in (weights, 10 * weights))
    assert once == pytest.approx(ten)
    even = all_figures(RatingTally.of(READ, SYSTEM[None], weights=np.full(6, 4.0)))
    assert even == pytest.approx(all_figures(RatingTally.of(READ, SYSTEM[None])))
    assert once[0] != pytest.approx(even[0])


def test_weighted_error_variance_worked_by_hand() -> None:
    """Squared deviations within: 0 and 2 on one degree of freedom each; weights 3 and 1."""
    tally = RatingTally.of(np.array([[1.0, 1], [2, 4]]), np.zeros((1, 2)), weights=np.array([3.0, 1]))
    assert float(rater_error_variance(tally)) == pytest.approx(2 / 4)


def test_scores_near_a_billion_keep_their_figures() -> None:
    near, far = RatingTally.of(READ, SYSTEM[None]), RatingTally.of(READ + 1e9, SYSTEM[None] + 1e9)
    assert all_figures(far) == pytest.approx(all_figures(near), abs=1e-6)


def test_singly_read_responses_need_an_error_variance_from_elsewhere() -> None:
    tally = RatingTally.of(READ[:, :1], SYSTEM[None])
    assert np.isnan(rater_error_variance(tally))
    assert np.isnan(prmse(tally, rater_error_variance(tally))).all()
    assert np.isfinite(prmse(tally, np.array(0.2))).all()


def test_without_true_variance_nothing_can_be_explained() -> None:
    """Readings that differ only within responses have no more than error; RSMTool says a huge or negative figure."""
    tally = RatingTally.of(np.array([[1.0, 3], [3, 1], [2, 2]]), np.array([[2.0, 2, 2]]))
    error = rater_error_variance(tally)
    assert float(true_score_variance(tally, error)) < 0
    assert np.isnan(prmse(tally, error)).all()


def test_one_response_has_no_variance_and_none_no_error() -> None:
    one = RatingTally.of(np.array([[1.0, 2]]), np.array([[1.0]]))
    assert np.isnan(true_score_variance(one, np.array(0.1)))
    nobody = RatingTally.of(np.zeros((0, 2)), np.zeros((1, 0)))
    assert np.isnan(true_score_mse(nobody, np.array(0.1))).all()


def test_a_response_nobody_read_is_refused_by_position() -> None:
    with pytest.raises(InputError, match="position 1 has no human score"):
        RatingTally.of(np.array([[1.0, 2], [nan, nan]]), np.zeros((1, 2)))


def test_an_infinite_rating_was_not_read() -> None:
    infinite = np.where(np.isnan(READ), np.inf, READ)
    expected = all_figures(RatingTally.of(READ, SYSTEM[None]))
    assert all_figures(RatingTally.of(infinite, SYSTEM[None])) == pytest.approx(expected)


def test_prmse_finds_the_truth_it_was_simulated_with() -> None:
    """True scores of variance 1, reading errors of variance .5, a system that misses them by variance .2."""
    rng = np.random.default_rng(3)
    true = rng.normal(0, 1, 40_000)
    ratings = true[:, None] + rng.normal(0, np.sqrt(0.5), (40_000, 3))
    ratings[rng.random(40_000) < 0.6, 1:] = nan
    tally = RatingTally.of(ratings, (true + rng.normal(0, np.sqrt(0.2), 40_000))[None])
    assert all_figures(tally) == pytest.approx([0.5, 1, 0.2, 0.8], abs=0.03)


def test_a_tally_counts_responses_and_ratings_by_weight() -> None:
    """Readings per response: 2, 3, 1, 3, 2, 3."""
    plain = RatingTally.of(READ, SYSTEM[None])
    assert [float(x) for x in (plain.n, plain.weight, plain.ratings, plain.ratings_squared)] == [6, 6, 14, 36]
    assert [float(x) for x in (plain.within_df, plain.single)] == [8, 1]
    assert float(plain.mean) == pytest.approx(38 / 14)
    heavy = RatingTally.of(READ, SYSTEM[None], weights=np.array([1, 2, 4, 1, 1, 1.0]))
    assert [float(x) for x in (heavy.n, heavy.weight, heavy.ratings, heavy.ratings_squared)] == [6, 10, 20, 48]
    assert [float(x) for x in (heavy.within_df, heavy.single)] == [10, 1]
    assert float(heavy.mean) == pytest.approx(54 / 20)


def test_a_bin_nobody_is_in_stays_empty_without_a_warning() -> None:
    tally = RatingTally.of(READ, SYSTEM[None], bins=Bins.of(np.array([0, 0, 2, 2, 2, 0]), (3,)))
    empty, whole = tally[1], tally.combined(leaving_out_each)
    assert [float(x) for x in (empty.n, empty.ratings, empty.between_ss)] == [0, 0, 0]
    assert np.isnan(all_figures(empty)).all()
    assert whole.n.tolist() == [3, 6, 3]
    nobody = RatingTally.of(READ, SYSTEM[None], bins=Bins.of(np.zeros(6, dtype=np.int64), (2, 3)))[1]
    assert float(nobody.merged().n) == 0


def test_groups_of_blocks_are_combined_each_on_its_own() -> None:
    tally = RatingTally.of(READ, SYSTEM[None], bins=Bins.of(np.array([0, 1, 2, 3, 4, 5]), (2, 3)))
    for group, rows in enumerate((slice(0, 3), slice(3, 6))):
        expected = all_figures(RatingTally.of(READ[rows], SYSTEM[None, rows]))
        assert all_figures(tally.merged()[group]) == pytest.approx(expected)
        assert all_figures(tally[group].merged()) == pytest.approx(expected)


def test_two_responses_are_enough_for_a_variance() -> None:
    """Means 1 and 4 of two readings each: between 9, v_e = 1, v_T = (9 - 1) / (4 - 8 / 4)."""
    tally = RatingTally.of(np.array([[1.0, 1], [3, 5]]), np.array([[1.0, 3]]))
    assert float(rater_error_variance(tally)) == 1
    assert float(true_score_variance(tally, np.array(1.0))) == pytest.approx((9 - 1) / (4 - 8 / 4))
    assert true_score_mse(tally, np.array(1.0)) == pytest.approx([(2 * 1 - 2 * 1) / 4])
    assert prmse(tally, np.array(1.0)) == pytest.approx([1.0])


def test_equal_readings_everywhere_leave_prmse_undefined_not_infinite() -> None:
    tally = RatingTally.of(np.full((4, 2), 3.0), np.array([[3.0, 3, 3, 4]]))
    error = rater_error_variance(tally)
    assert (float(error), float(true_score_variance(tally, error))) == (0, 0)
    assert np.isnan(prmse(tally, error)).all()
