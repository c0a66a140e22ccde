"""Which responses are left out, and that the counts add up."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluation.exclusions import (
    FEW_ITEMS,
    FLAGGED,
    NO_HUMAN,
    NO_SYSTEM,
    NO_WEIGHT,
    REASONS,
    ZERO_HUMAN,
    Exclusions,
    counted,
    exclusion_reasons,
    without_zeros,
)
from assay.evaluation.ratings import Ratings

NAN, INF = np.nan, np.inf


def reasons_of(human: list[float], system: list[float], *, zeros: bool = True, **more: Any) -> list[str]:
    few = more.pop("few", None)
    ratings = Ratings(np.array(human)[:, None], np.array(system), **more)
    found = exclusion_reasons(ratings, leave_out_zeros=zeros, few=few)
    return [REASONS[number] if number >= 0 else "" for number in found]


def test_a_response_is_left_out_for_the_first_reason_that_holds() -> None:
    found = reasons_of(
        [NAN, NAN, INF, 0, 0, 2, 2, 2, 2, 2],
        [NAN, 1, 1, NAN, 1, NAN, -INF, 1, 1, 1],
        flagged=np.array([True, *[False] * 9]),
        weights=np.array([1, 1, 1, 1, 1, 1, 1, 0, NAN, 1.0]),
        few=np.ones(10, dtype=bool),
    )
    human = [NO_HUMAN] * 2
    assert found == [FLAGGED, *human, *[ZERO_HUMAN] * 2, *[NO_SYSTEM] * 2, *[NO_WEIGHT] * 2, FEW_ITEMS]


def test_zeros_of_the_system_are_scores_and_zeros_of_people_may_be() -> None:
    assert reasons_of([0, 1], [1, 0]) == [ZERO_HUMAN, ""]
    assert reasons_of([0, 1], [1, 0], zeros=False) == ["", ""]


def test_a_missing_second_rating_leaves_nothing_out() -> None:
    ratings = Ratings(np.array([[1, NAN], [2, 0]]), np.ones(2))
    assert (exclusion_reasons(ratings, leave_out_zeros=True) == -1).all()


@given(st.lists(st.integers(-1, len(REASONS) - 1), max_size=30))
def test_the_counts_add_up(numbers: list[int]) -> None:
    found = counted(np.array(numbers, dtype=np.int8))
    assert found.read == len(numbers)
    assert found.used == numbers.count(-1)
    assert found.used + sum(found.left_out.values()) == found.read
    assert list(found.left_out) == [r for i, r in enumerate(REASONS) if i in numbers]


@given(st.lists(st.integers(-1, len(REASONS) - 1), max_size=30), st.integers(0, 30))
def test_the_counts_of_parts_are_those_of_the_whole(numbers: list[int], cut: int) -> None:
    whole = np.array(numbers, dtype=np.int8)
    assert counted(whole[:cut]) + counted(whole[cut:]) == counted(whole)


def test_reasons_keep_their_order_when_added() -> None:
    both = Exclusions(3, {NO_SYSTEM: 1}) + Exclusions(4, {FLAGGED: 2, NO_SYSTEM: 1})
    assert list(both.left_out.items()) == [(FLAGGED, 2), (NO_SYSTEM, 2)]
    assert both.used == 3


def test_a_zero_of_a_further_rater_is_no_reading() -> None:
    assert without_zeros(np.array([[0.0, 1], [2, 0]])) == pytest.approx(np.array([[NAN, 1], [2, NAN]]), nan_ok=True)


def test_a_weight_counts_from_just_above_zero() -> None:
    weights = np.array([1e-12, 0, -1, INF, NAN])
    assert reasons_of([1.0] * 5, [1.0] * 5, weights=weights) == ["", *[NO_WEIGHT] * 4]


def test_a_flag_is_looked_at_before_all_else_and_its_absence_is_none() -> None:
    flags = np.array([True, False])
    assert reasons_of([NAN, NAN], [1.0, 1.0], flagged=flags) == [FLAGGED, NO_HUMAN]
    assert reasons_of([2.0, 2], [1.0, 1], few=np.array([False, True])) == ["", FEW_ITEMS]


def test_nothing_read_is_nothing_left_out() -> None:
    assert (Exclusions(7).used, dict(Exclusions(7).left_out)) == (7, {})
    assert Exclusions(7, {FLAGGED: 2, NO_WEIGHT: 1}).used == 4
