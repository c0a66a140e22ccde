"""Which responses are left out, and that the counts add up."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluation.exclusions import (
    FEW_ITEMS,
    FLAGGED,
    INFINITE,
    NO_HUMAN,
    NO_SYSTEM,
    NO_WEIGHT,
    REASONS,
    TIED,
    ZERO_HUMAN,
    Exclusions,
    counted,
    exclusion_reasons,
    judged_by,
    without_zeros,
)
from assay.evaluation.ratings import Ratings
from assay.evaluation.reference import Reference

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
    rest = [NO_SYSTEM, INFINITE, *[NO_WEIGHT] * 2, FEW_ITEMS]
    assert found == [FLAGGED, NO_HUMAN, INFINITE, *[ZERO_HUMAN] * 2, *rest]


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
    weights = np.array([1e-12, 0, INF, NAN])
    assert reasons_of([1.0] * 4, [1.0] * 4, weights=weights) == ["", *[NO_WEIGHT] * 3]


RATED = np.array([[1, NAN, 2], [NAN, NAN, 3], [NAN, INF, NAN], [INF, 2, 2], [0, 2, 3], [0, 0, NAN], [1, 2, NAN]])


def of_reference(reference: Reference, *, zeros: bool) -> list[str]:
    ratings = Ratings(RATED, np.ones(len(RATED)))
    found = exclusion_reasons(ratings, leave_out_zeros=zeros, reference=reference)
    return [REASONS[number] if number >= 0 else "" for number in found]


def test_a_response_that_any_rater_read_is_kept() -> None:
    assert of_reference("first", zeros=False) == ["", "", INFINITE, "", "", "", ""]
    assert of_reference("mean", zeros=False) == ["", "", INFINITE, "", "", "", ""]


def test_without_zeros_the_first_score_must_not_be_one_and_averages_take_the_others() -> None:
    assert of_reference("first", zeros=True) == ["", "", INFINITE, "", ZERO_HUMAN, ZERO_HUMAN, ""]
    assert of_reference("median", zeros=True) == ["", "", INFINITE, "", "", ZERO_HUMAN, ""]
    found = judged_by(RATED[4:6], reference="mean", leave_out_zeros=True)
    assert found.tolist() == [2.5, 0]


def test_scores_that_tie_have_no_majority() -> None:
    assert of_reference("majority", zeros=False) == [TIED, "", INFINITE, "", TIED, "", TIED]


def test_a_reason_for_more_than_a_twentieth_is_notable() -> None:
    found = Exclusions(100, {FLAGGED: 5, NO_SYSTEM: 6})
    assert found.notable == {NO_SYSTEM: 6}


def test_a_flag_is_looked_at_before_all_else_and_its_absence_is_none() -> None:
    flags = np.array([True, False])
    assert reasons_of([NAN, NAN], [1.0, 1.0], flagged=flags) == [FLAGGED, NO_HUMAN]
    assert reasons_of([2.0, 2], [1.0, 1], few=np.array([False, True])) == ["", FEW_ITEMS]


def test_nothing_read_is_nothing_left_out() -> None:
    assert (Exclusions(7).used, dict(Exclusions(7).left_out)) == (7, {})
    assert Exclusions(7, {FLAGGED: 2, NO_WEIGHT: 1}).used == 4
