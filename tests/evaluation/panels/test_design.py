"""Ratings as a long table, and which raters are linked."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels.design import MOST_LEVELS, LongRatings, as_ratings, linked_raters

NAN = float("nan")


def test_a_table_and_its_long_form_are_the_same_ratings() -> None:
    table = LongRatings.of([[1, NAN, 2], [NAN, NAN, NAN], [0, 3, NAN]], weights=[1, 1, 2])
    long = LongRatings.of_long([2, 0, 0, 2], [0, 2, 0, 1], [0, 2, 1, 3], weights=[1, 1, 2])

    assert table.item.tolist() == [0, 0, 2, 2] == long.item.tolist()
    assert sorted(zip(table.item, table.rater, table.score, strict=True)) == sorted(
        zip(long.item, long.rater, long.score, strict=True)
    )
    assert (table.items, table.raters, table.criteria) == (3, 3, 1) == (long.items, long.raters, long.criteria)
    assert table.weight.tolist() == [1, 1, 2]
    assert as_ratings(table) is table


def test_criteria_are_the_third_axis() -> None:
    ratings = LongRatings.of(np.array([[[1, 2], [NAN, 3]]]))

    assert (ratings.criterion.tolist(), ratings.score.tolist(), ratings.criteria) == ([0, 1, 1], [1, 2, 3], 2)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[NAN, NAN]], "every cell is empty"),
        ([1, 2, 3], "1 axes"),
        ([[1, float("inf")]], "infinite"),
        ([["a", "b"]], "no number"),
    ],
)
def test_what_is_no_table_of_ratings_is_refused(table: list[list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        LongRatings.of(table)


@pytest.mark.parametrize("score", [0.5, -1, MOST_LEVELS])
def test_levels_are_whole_numbers_from_0(score: float) -> None:
    with pytest.raises(InputError, match="whole numbers from 0"):
        LongRatings.of([[score, 1]]).levels()


@pytest.mark.parametrize(
    ("item", "message"), [([0], "1 entries for 2"), ([0, -1], "no code"), ([0, 0.5], "no code"), ([0, 1e12], "no code")]
)
def test_codes_that_are_none_are_refused(item: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        LongRatings.of_long(item, [0, 1], [1, 2])


def test_raters_are_linked_through_others() -> None:
    chain = [[1, 1, NAN, NAN, NAN], [NAN, 1, 1, NAN, NAN], [NAN, NAN, NAN, 1, NAN]]

    assert linked_raters(chain).tolist() == [0, 0, 0, 1, -1]


def test_ten_thousand_raters_are_linked_in_a_chain() -> None:
    raters = np.repeat(np.arange(10_000), 2)[1:-1]
    ratings = LongRatings.of_long(np.repeat(np.arange(9_999), 2), raters, np.ones(raters.size))

    assert not linked_raters(ratings).any()
