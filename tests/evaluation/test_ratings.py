"""`Ratings` and `GroupColumn`."""

from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.ratings import NO_INFO, GroupColumn, Ratings
from assay.metrics.intervals import BLOCKS

HUMAN = np.array([[1.0, 2], [2, 2], [3, np.nan]])
SYSTEM = np.array([1.5, 2.5, 3])


def test_groups_are_numbered_by_name_and_the_unknown_have_a_group_of_their_own() -> None:
    column = GroupColumn.of("school", ["West", None, "East", "", "West"])
    assert column.levels == ("East", NO_INFO, "West")
    assert [column.levels[code] for code in column.codes] == ["West", NO_INFO, "East", NO_INFO, "West"]


def test_groups_keep_names_that_look_alike_apart() -> None:
    column = GroupColumn.of("g", ["1", "1.0", " 1", "ß", "SS"])
    assert len(column.levels) == 5


@pytest.mark.parametrize(
    "given",
    [
        {"human": np.ones(3)},
        {"system": np.ones(2)},
        {"system": np.ones((3, 1))},
        {"weights": np.ones(2)},
        {"length": np.ones(4)},
        {"candidate": np.zeros(1, dtype=np.int64)},
        {"flagged": np.zeros(2, dtype=bool)},
        {"groups": (GroupColumn.of("g", ["a"]),)},
    ],
)
def test_columns_of_different_lengths_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="for each response"):
        Ratings(**{"human": HUMAN, "system": SYSTEM, **given})


def test_responses_are_counted_off_into_blocks_over_the_whole_table() -> None:
    n = BLOCKS + 3
    whole = Ratings(np.ones((n, 1)), np.ones(n))
    tail = Ratings(np.ones((5, 1)), np.ones(5), first_row=BLOCKS - 2)
    assert whole.blocks().tolist() == [*range(BLOCKS), 0, 1, 2]
    assert tail.blocks().tolist() == [BLOCKS - 2, BLOCKS - 1, 0, 1, 2]


def test_all_responses_of_a_candidate_are_in_one_block() -> None:
    ratings = Ratings(HUMAN, SYSTEM, candidate=np.array([7, BLOCKS + 8, 7]), first_row=100)
    assert ratings.blocks().tolist() == [7, 8, 7]


def test_kept_responses_take_everything_they_have_along() -> None:
    ratings = Ratings(
        HUMAN,
        SYSTEM,
        groups=(GroupColumn.of("g", ["a", "b", "c"]),),
        weights=np.array([1.0, 2, 3]),
        length=np.array([10.0, 20, 30]),
        first_row=5,
    )
    kept = ratings.where(np.array([True, False, True]))
    assert len(ratings) == 3
    assert len(kept) == 2
    assert kept.blocks.tolist() == [5, 7]
    assert kept.groups[0].codes.tolist() == [0, 2]
    assert kept.groups[0].levels == ("a", "b", "c")
    assert kept.weights is not None
    assert kept.weights.tolist() == [1, 3]
    assert kept.length is not None
    assert kept.length.tolist() == [10, 30]
    assert kept.human[:, 0].tolist() == [1, 3]


def test_plain_lists_become_ratings() -> None:
    ratings = Ratings.of(
        [1, 2, 3],
        ["1.5", "2", "3"],
        groups={"school": ["West", None, "East"]},
        weights=[1, 2, 3],
        length=(10, 20, 30),
        candidate=["zoe", "al", "zoe"],
    )
    assert (ratings.human.tolist(), ratings.system.tolist()) == ([[1], [2], [3]], [1.5, 2, 3])
    assert [(g.name, g.levels, g.codes.tolist()) for g in ratings.groups] == [
        ("school", ("East", NO_INFO, "West"), [2, 1, 0])
    ]
    assert ratings.weights is not None
    assert ratings.weights.tolist() == [1, 2, 3]
    assert ratings.length is not None
    assert ratings.length.tolist() == [10, 20, 30]
    assert ratings.candidate is not None
    assert ratings.candidate.tolist() == [1, 0, 1]
    assert (ratings.first_row, ratings.flagged) == (0, None)


def test_a_row_of_human_scores_for_each_response_stays_as_it_is() -> None:
    ratings = Ratings.of(HUMAN[1:], [1, 2])
    assert ratings.human.shape == (2, 2)
    assert (ratings.groups, ratings.weights, ratings.length, ratings.candidate) == ((), None, None, None)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"human": ["x", 2]}, "human"),
        ({"system": ["x", 2]}, "system"),
        ({"weights": ["x", 2]}, "weights"),
        ({"length": ["x", 2]}, "length"),
        ({"human": [[[1]], [[2]]]}, "system"),
    ],
)
def test_what_is_no_column_of_numbers_is_refused_by_its_name(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as refused:
        Ratings.of(**{"human": [1, 2], "system": [1, 2], **given})
    assert refused.value.field == field


def test_kept_responses_without_weights_or_lengths_have_none() -> None:
    kept = Ratings(HUMAN, SYSTEM).where(np.array([False, True, False]))
    assert (kept.weights, kept.length, kept.groups, kept.blocks.tolist()) == (None, None, (), [1])


@pytest.mark.parametrize(("human", "system", "field"), [([1, -1e101], [1, 2], "human"), ([1, 2], [1e308, 2], "system")])
def test_a_score_whose_square_no_number_holds_is_refused(human: list[float], system: list[float], field: str) -> None:
    with pytest.raises(InputError, match="too large") as refused:
        Ratings.of(human, system)
    assert refused.value.field == field
    assert len(Ratings.of([1, np.inf, np.nan], [1e100, -np.inf, 2])) == 3  # counted under their reason later
