"""The errors of a system score by group and human score: cells, weights, merging, what is refused."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.metrics.error_tally import ErrorTally

HUMAN = [1, 1, 1, 2, 2, 3]
SYSTEM = [1, 2, 4, 2.5, 1.5, 3]
GROUP = np.array([0, 0, 1, 1, 1, 0])


def test_a_cell_weighs_its_errors() -> None:
    """Group 0 at score 1: errors 0 and 1 with the weights 3 and 1, squares 0 and 1."""
    tally = ErrorTally.of(HUMAN, SYSTEM, GROUP, 2, weights=[3, 1, 2, 1, 1, 5])
    assert tally.n.tolist() == [[2, 0, 1], [1, 2, 0]]
    assert tally.weight.tolist() == [[4, 0, 5], [2, 2, 0]]
    assert tally.mean_error.tolist() == [[0.25, 0, 0], [3, 0, 0]]
    assert tally.ss_error.tolist() == [[3 * 0.25**2 + 0.75**2, 0, 0], [0, 0.5, 0]]
    assert tally.mean_square.tolist() == [[0.25, 0, 0], [9, 0.25, 0]]
    assert tally.ss_square.tolist() == [[3 * 0.25**2 + 0.75**2, 0, 0], [0, 0, 0]]


def test_merged_cells_hold_the_squares_about_their_common_mean() -> None:
    """Errors 0 and 2 in one part, 4 and 2 in the other: mean 2, squares 4 + 0 + 4 + 0; the like of 0, 4, 16, 4."""
    one = ErrorTally.of([1, 1], [1, 3], np.array([0, 0]), 1)
    other = ErrorTally.of([1, 1, 2], [5, 3, 2], np.array([0, 0, 0]), 1)
    for both in (one + other, other + one):
        assert (both.levels.tolist(), both.n.tolist(), both.weight.tolist()) == ([1, 2], [[4, 1]], [[4, 1]])
        assert both.mean_error.tolist() == [[2, 0]]
        assert both.ss_error[0].tolist() == pytest.approx([8, 0])
        assert both.mean_square[0].tolist() == pytest.approx([6, 0])
        assert both.ss_square[0].tolist() == pytest.approx([36 + 4 + 100 + 4, 0])


@pytest.mark.parametrize("human", [[1.25, -2.5, 1.25, 999.75], [1.25, -2.5, 1.25, 1e15], [0.1, -0.2, 0.1, 7]])
def test_human_scores_are_found_again_whether_counted_or_sorted(human: list[float]) -> None:
    tally = ErrorTally.of(human, [0, 0, 0, 0], np.array([0, 1, 1, 0]), 2)
    low, middle, high = sorted(set(human))
    assert tally.levels.tolist() == [low, middle, high]
    assert tally.n.tolist() == [[0, 1, 1], [1, 1, 0]]
    assert tally.mean_error.tolist() == [[0, -middle, -high], [-low, -middle, 0]]


def test_several_system_scores_have_an_axis_in_front() -> None:
    tally = ErrorTally.of([1, 2], [[1, 2], [3, 5], [0, 0]], np.array([0, 1]), 2)
    assert tally.mean_error.shape == (3, 2, 2)
    assert tally[1].mean_error.tolist() == [[2, 0], [0, 3]]
    assert tally[1:].mean_error.tolist() == [[[2, 0], [0, 3]], [[-1, 0], [0, -2]]]
    assert tally[1].levels.tolist() == [1, 2]


def test_a_response_of_no_weight_or_no_group_needs_no_scores() -> None:
    tally = ErrorTally.of([1, np.nan, 2], [2, 1, np.inf], np.array([0, 0, -1]), 1, weights=[2, 0, np.nan])
    assert (tally.levels.tolist(), tally.n.tolist(), tally.weight.tolist()) == ([1], [[1]], [[2]])
    plain = ErrorTally.of([1, np.nan], [2, 1], np.array([0, -1]), 1)
    assert (plain.levels.tolist(), plain.n.tolist()) == ([1], [[1]])


@pytest.mark.parametrize("weights", [[1, np.nan], [1, np.inf], [1, -0.5]])
def test_a_weight_that_is_none_is_refused(weights: list[float]) -> None:
    with pytest.raises(InputError, match="Response weights must be numbers and not negative") as refused:
        ErrorTally.of([1, 2], [1, 2], np.array([0, 0]), 1, weights=weights)
    assert refused.value.field == "weights"


def test_a_table_of_human_scores_is_refused_although_its_shapes_agree() -> None:
    with pytest.raises(InputError, match="as many of each"):
        ErrorTally.of([[1, 2]], [[1, 2]], np.array([[0, 0]]), 1)


def test_the_lowest_and_the_highest_group_code_are_taken() -> None:
    assert ErrorTally.of([1, 2, 3], [1, 2, 3], np.array([-1, 0, 2]), 3).n.sum(axis=1).tolist() == [1, 0, 1]
    with pytest.raises(InputError, match="got group codes -2 to 0") as refused:
        ErrorTally.of([1, 2], [1, 2], np.array([-2, 0]), 3)
    assert refused.value.field == "group"


def test_tallies_of_one_and_of_several_system_scores_are_not_merged() -> None:
    one, several = (ErrorTally.of([1, 2], m, np.array([0, 1]), 2) for m in ([1, 2], [[1, 2]]))
    with pytest.raises(InputError, match=r"shapes \(2,\) and \(1, 2\) cannot be merged"):
        one + several
