"""Groups, line direction and covered boxes, as CVAT's quality control names them."""

import numpy as np
import pytest

from assay.annotations.detection_metrics.conflicts import Conflicts, covered_boxes, group_conflicts, is_reversed

IMAGE = np.zeros(4, np.int64)
ALL = np.arange(4, dtype=np.intp)


@pytest.mark.parametrize(
    ("truth", "student", "conflicts"),
    [
        ([1, 1, 2, 2], [7, 7, 9, 9], []),
        ([1, 1, 0, 0], [0, 0, 0, 0], []),  # half of a group of two is shared
        ([1, 1, 1, 1], [0, 0, 0, 0], [0, 1, 2, 3]),
        ([0, 0, 0, 0], [5, 5, 5, 5], [0, 1, 2, 3]),
        ([1, 1, 1, 0], [5, 5, 0, 5], [2, 3]),
        ([0, 0, 0, 0], [0, 0, 0, 0], []),
    ],
)
def test_a_group_shares_at_least_half_of_its_members(
    truth: list[int], student: list[int], conflicts: list[int]
) -> None:
    assert group_conflicts(np.array(truth), np.array(student), (IMAGE, IMAGE), (ALL, ALL)) == conflicts


def test_groups_are_those_of_one_image() -> None:
    images = np.array([0, 0, 1, 1])
    numbers = np.array([1, 1, 1, 1])
    assert group_conflicts(numbers, np.array([1, 1, 2, 2]), (images, images), (ALL, ALL)) == []


def test_a_line_drawn_from_its_other_end_is_reversed() -> None:
    line = np.array([[0.0, 0], [50, 0], [100, 20]])
    assert is_reversed(line, line[::-1], 10)
    assert not is_reversed(line, line + 2, 10)
    loop = np.array([[0.0, 0], [1, 0], [0, 0]])
    assert not is_reversed(loop, loop[::-1], 10)


def test_a_box_under_later_ones_is_covered() -> None:
    below, left, right = [0.0, 0, 10, 10], [0.0, 0, 5, 10], [5.0, 0, 10, 9.6]
    bounds = np.array([below, left, right])
    assert covered_boxes(bounds, np.zeros(3, np.int64)) == [0]
    assert covered_boxes(bounds[::-1], np.zeros(3, np.int64)) == [0, 1]
    assert covered_boxes(bounds, np.array([0, 1, 1])) == []
    assert covered_boxes(np.array([[1.0, 1, 1, 1], [0, 0, 5, 5]]), np.zeros(2, np.int64)) == []


def test_conflicts_are_counted() -> None:
    assert Conflicts((1,), (), (2, 3)).counts() == {"groups": 1, "direction": 0, "covered": 2}
