"""Exact and adjacent agreement."""

import numpy as np
import pytest

from assay.metrics.agreement import adjacent_agreement, exact_agreement

HUMAN = [1, 2, 3, 4, 3]
SYSTEM = [1, 3, 3, 2, 2.5]


def test_exact_agreement_is_the_share_of_equal_scores() -> None:
    assert exact_agreement(HUMAN, SYSTEM) == 40


def test_adjacent_agreement_forgives_a_difference_of_one() -> None:
    assert adjacent_agreement(HUMAN, SYSTEM) == 80
    assert adjacent_agreement([1, 1, 1], [2, 2.0000001, 0]) == pytest.approx(200 / 3)


def test_nothing_is_rounded_before_scores_are_compared() -> None:
    assert exact_agreement([2, 3], [2.0000001, 3]) == 50


def test_a_response_counts_by_its_weight() -> None:
    weights = [1, 1, 1, 5, 2]
    assert exact_agreement(HUMAN, SYSTEM, weights=weights) == 20
    assert adjacent_agreement(HUMAN, SYSTEM, weights=weights) == 50


@pytest.mark.parametrize(("system", "exact"), [([1, 2], 100), ([2, 1], 0)])
def test_the_ends_of_the_range_are_reached(system: list[float], exact: float) -> None:
    assert exact_agreement([1, 2], system) == exact


def test_one_response_agrees_or_not() -> None:
    assert [exact_agreement([3], [3]), exact_agreement([3], [4])] == [100, 0]
    assert np.isfinite(adjacent_agreement([3], [9]))
