"""The tally of rating patterns: counting, merging, resampling, choosing raters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.metrics.bins import leaving_out_each
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns, level_places, sums_by

rating = st.one_of(st.integers(1, 5).map(float), st.just(1.5), st.just(float("nan")))
tables = st.lists(st.tuples(rating, rating, rating), min_size=1, max_size=30).map(np.array)


def counted_by_hand(table: Scores) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in table.tolist():
        counts[str(row)] = counts.get(str(row), 0) + 1
    return counts


def as_counts(tally: RatingPatterns) -> dict[str, int]:
    return {str(row): int(n) for row, n in zip(tally.patterns.tolist(), tally.count, strict=True)}


def assert_same(one: RatingPatterns, other: RatingPatterns) -> None:
    np.testing.assert_array_equal(one.patterns, other.patterns)
    np.testing.assert_allclose(one.count, other.count, rtol=0, atol=1e-9)
    np.testing.assert_allclose(one.weight, other.weight, rtol=0, atol=1e-9)


@given(tables)
def test_each_distinct_row_is_counted_once_for_every_response_that_has_it(table: Scores) -> None:
    assert as_counts(RatingPatterns.of(table)) == counted_by_hand(table)


def test_patterns_are_in_ascending_order_with_gaps_last() -> None:
    tally = RatingPatterns.of(np.array([[2, 1], [1, np.nan], [1, 3], [np.nan, 1], [1, 2]]))
    expected = [[1, 2], [1, 3], [1, np.nan], [2, 1], [np.nan, 1]]
    np.testing.assert_array_equal(tally.patterns, expected)
    np.testing.assert_array_equal(tally.levels, [1, 2, 3])
    np.testing.assert_array_equal(tally.ratings_given, [2, 2, 1, 2, 1])


def test_weights_add_up_while_responses_are_still_counted() -> None:
    tally = RatingPatterns.of([[1, 1], [2, 2], [1, 1]], weights=[0.5, 3, 2])
    np.testing.assert_allclose(tally.weight, [2.5, 3])
    np.testing.assert_array_equal(tally.count, [2, 1])
    np.testing.assert_allclose(tally.scaled_weight(), [3 * 2.5 / 5.5, 3 * 3 / 5.5])


@settings(deadline=None)
@given(tables, st.integers(0, 30))
def test_merging_two_parts_gives_the_tally_of_the_whole(table: Scores, cut: int) -> None:
    weights = np.arange(1, len(table) + 1) / 7
    parts = [RatingPatterns.of(table[rows], weights=weights[rows]) for rows in (slice(cut), slice(cut, None))]
    assert_same(parts[0] + parts[1], RatingPatterns.of(table, weights=weights))


@given(tables, st.data())
def test_blocks_merge_to_the_whole(table: Scores, data: st.DataObject) -> None:
    blocks = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table))))
    tally = RatingPatterns.of(table, blocks=blocks, n_blocks=4)
    assert tally.count.shape == (4, len(tally.patterns))
    assert_same(tally.merged(), RatingPatterns.of(table))


def test_a_replicate_holds_each_block_as_often_as_it_was_drawn() -> None:
    table = np.array([[1, 1], [1, 2], [2, 2], [1, 2]])
    blocks = np.array([0, 0, 1, 2])
    tally = RatingPatterns.of(table, weights=[1, 2, 3, 4], blocks=blocks, n_blocks=3)
    replicates = tally.resampled(np.array([[1.0, 1, 1], [0, 3, 0], [2, 0, 1]]))
    np.testing.assert_array_equal(replicates.count, [[1, 2, 1], [0, 0, 3], [2, 3, 0]])
    np.testing.assert_array_equal(replicates.weight, [[1, 6, 3], [0, 0, 9], [2, 8, 0]])


@given(tables)
def test_choosing_raters_is_the_same_before_and_after_counting(table: Scores) -> None:
    assert_same(RatingPatterns.of(table).of_raters([2, 0]), RatingPatterns.of(table[:, [2, 0]]))


def test_fifty_raters_do_not_overflow_the_key() -> None:
    table = np.random.default_rng(1).integers(1, 7, size=(40, 50)).astype(float)
    tally = RatingPatterns.of(np.concatenate([table, table[:5]]))
    assert as_counts(tally) == counted_by_hand(np.concatenate([table, table[:5]]))
    order = np.lexsort(tally.patterns.T[::-1])
    np.testing.assert_array_equal(order, np.arange(40))


def test_minus_zero_and_zero_are_one_score() -> None:
    assert len(RatingPatterns.of([[-0.0, 0.25], [0.0, 0.25]]).patterns) == 1


def test_an_empty_part_changes_nothing() -> None:
    whole = RatingPatterns.of([[1, 2], [3, 3]])
    assert_same(whole + RatingPatterns.of(np.zeros((0, 2))), whole)


def test_a_tally_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        RatingPatterns.of([[1, 2]]).count[0] = 5


def test_too_many_patterns_are_refused_with_the_remedy() -> None:
    table = np.random.default_rng(2).normal(size=(20_001, 2))
    with pytest.raises(InputError, match=r"20,001 different combinations .* scale of points. Round the scores"):
        RatingPatterns.of(table)


def test_parts_that_together_hold_too_many_patterns_are_refused() -> None:
    rng = np.random.default_rng(3)
    parts = [RatingPatterns.of(rng.normal(size=(12_000, 2))) for _ in range(2)]
    with pytest.raises(InputError, match="24,000 different combinations"):
        parts[0] + parts[1]


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([1, 2, 3], "a row per response and a column per rater"),
        ([[1, np.inf]], "Response 1, rater 2: the rating is infinite"),
        ([["a", "b"]], "not a table of numbers"),
    ],
)
def test_what_is_not_a_table_of_ratings_is_refused(ratings: list[list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RatingPatterns.of(ratings)


def test_bad_weights_and_blocks_name_the_response() -> None:
    with pytest.raises(InputError, match=r"Response 2: its weight is -1.0"):
        RatingPatterns.of([[1, 2], [1, 2]], weights=[1, -1])
    with pytest.raises(InputError, match="one for each of 2 responses"):
        RatingPatterns.of([[1, 2], [1, 2]], weights=[1])
    with pytest.raises(InputError, match="from 0 to 1 for each of 2 responses"):
        RatingPatterns.of([[1, 2], [1, 2]], blocks=np.array([0, 2]), n_blocks=2)


def test_tallies_of_different_raters_cannot_be_added() -> None:
    with pytest.raises(InputError, match=r"2 and 3 raters, axes \(\) and \(\)"):
        RatingPatterns.of([[1, 2]]) + RatingPatterns.of([[1, 2, 3]])


def test_blocks_of_blocks_are_combined_each_on_its_own() -> None:
    table = np.array([[1, 1], [1, 2], [2, 2], [1, 2]])
    tally = RatingPatterns.of(table, weights=[1, 2, 3, 4], blocks=np.array([0, 0, 1, 2]), n_blocks=3)
    groups = RatingPatterns(tally.patterns, np.stack([tally.weight, 2 * tally.weight]), np.stack([tally.count] * 2))
    left_out = groups.combined(leaving_out_each)
    assert left_out.count[0].tolist() == left_out.count[1].tolist() == [[0, 1, 1], [1, 2, 0], [1, 1, 1]]
    assert left_out.weight[0].tolist() == [[0, 4, 3], [1, 6, 0], [1, 2, 3]]
    assert left_out.weight[1].tolist() == [[0, 8, 6], [2, 12, 0], [2, 4, 6]]
    assert groups.merged().count.tolist() == [[1, 2, 1], [1, 2, 1]]


@pytest.mark.parametrize("limit", [2, 3])
def test_the_most_patterns_allowed_are_still_counted(limit: int) -> None:
    table = [[1, 2], [2, 2], [1, 1]]
    if limit < 3:
        with pytest.raises(InputError, match="3 different combinations"):
            RatingPatterns.of(table, most_patterns=limit)
    else:
        assert len(RatingPatterns.of(table, most_patterns=limit).patterns) == 3


@pytest.mark.parametrize(("scores", "size"), [([0.0, 5000], 2), ([0.25, 0.5, 0.5], 2), ([-3.0, 4092, 4093, 4092], 3)])
def test_scores_wide_apart_or_between_points_are_told_apart_too(scores: list[float], size: int) -> None:
    values, places = level_places(np.array([*scores, np.nan]))
    assert values.tolist()[:-1] == sorted(set(scores))
    assert np.isnan(values[-1])
    assert values[places].tolist()[: len(scores)] == scores
    assert (values.size, places[-1]) == (size + 1, size)


def test_a_column_without_scores_has_one_place_for_all() -> None:
    values, places = level_places(np.full(3, np.nan))
    assert (values.size, places.tolist()) == (1, [0, 0, 0])
    assert np.isnan(values[0])
    assert level_places(np.zeros(0))[0].size == 0


@pytest.mark.parametrize("blocks", [[0, -1], [0], [0, 1, 1], [0, 2]])
def test_block_numbers_that_do_not_fit_are_refused(blocks: list[int]) -> None:
    with pytest.raises(InputError, match="block numbers do not fit") as refused:
        RatingPatterns.of([[1, 2], [1, 2]], blocks=np.array(blocks), n_blocks=2)
    assert refused.value.field == "blocks"


@pytest.mark.parametrize(("weights", "named"), [([1, np.nan], 2), ([np.inf, -1], 1), ([-0.5, 1], 1)])
def test_a_weight_that_is_none_is_refused_by_the_first_such_response(weights: list[float], named: int) -> None:
    with pytest.raises(InputError, match=f"Response {named}: its weight is"):
        RatingPatterns.of([[1, 2], [1, 2]], weights=weights)


def test_a_part_may_weigh_nothing_and_then_has_no_scale_for_its_weights() -> None:
    tally = RatingPatterns.of([[1, 2], [2, 2]], weights=[0, 0])
    assert (tally.weight.tolist(), tally.count.tolist()) == ([0, 0], [1, 1])
    assert np.isnan(tally.scaled_weight()).all()
    plain = RatingPatterns.of([[1, 2]])
    assert plain.scaled_weight() is plain.count


def test_a_part_without_weights_counts_one_for_each_response_beside_a_weighted_part() -> None:
    plain, heavy = RatingPatterns.of([[1, 2], [1, 2]]), RatingPatterns.of([[1, 2], [3, 3]], weights=[5, 7])
    for both in (plain + heavy, heavy + plain):
        assert (both.weight.tolist(), both.count.tolist()) == ([7, 7], [3, 1])
    twice = plain + plain
    assert twice.weight is twice.count


def test_tallies_of_different_blocks_cannot_be_added() -> None:
    blocks = np.array([0])
    one, two = (RatingPatterns.of([[1, 2]], blocks=blocks, n_blocks=n) for n in (1, 2))
    with pytest.raises(InputError, match=r"axes \(1,\) and \(2,\)"):
        one + two


def test_the_patterns_marked_are_kept_with_their_counts() -> None:
    tally = RatingPatterns.of([[1, 2], [2, 2], [1, 2]], weights=[1, 2, 3])
    kept = tally.where(np.array([True, False]))
    assert (kept.patterns.tolist(), kept.weight.tolist(), kept.count.tolist()) == ([[1, 2]], [4], [2])


def test_sums_by_number_follow_the_numbers() -> None:
    sums = sums_by(np.array([[1.0, 2, 4, 8], [1, 0, 0, 5]]), np.array([1, 0, 1, 2]))
    assert sums.tolist() == [[2, 5, 8], [0, 1, 5]]
    assert sums_by(np.zeros((2, 0)), np.zeros(0, dtype=np.int64)).shape == (2, 0)


def test_a_table_without_raters_is_refused() -> None:
    with pytest.raises(InputError, match=r"got ratings of shape \(2, 0\)"):
        RatingPatterns.of(np.zeros((2, 0)))


def test_weights_of_every_block_are_rescaled_to_the_responses_of_the_block() -> None:
    table = np.array([[1, 1], [1, 2], [2, 2], [1, 2]])
    tally = RatingPatterns.of(table, weights=[1, 3, 5, 7], blocks=np.array([0, 0, 1, 1]), n_blocks=2)
    # the first block has two responses of weight 4, the second two of weight 12
    np.testing.assert_allclose(tally.scaled_weight(), [[0.5, 1.5, 0], [0, 7 / 6, 5 / 6]])
