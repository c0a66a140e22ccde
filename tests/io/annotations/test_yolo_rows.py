"""Rows of YOLO's label files, and what they look like."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.yolo import YoloRow, in_image, may_be_poses, pose_layouts, rows_of


def rows(*numbers: list[float]) -> list[YoloRow]:
    return [YoloRow("a.txt, line 1", 0, 0, tuple(row)) for row in numbers]


def test_rows_that_are_none_are_told_with_their_line() -> None:
    problems = ProblemTally()
    found = rows_of("a.txt", b"1 0.5 0.5 1 1\n\n2 0.5\nx\n", 3, problems)
    assert [(row.label, row.image, row.numbers) for row in found] == [(1, 3, (0.5, 0.5, 1, 1))]
    assert [problem.where for problem in problems.problems()] == ["a.txt, line 3", "a.txt, line 4"]


def test_what_is_stated_goes_before_the_truth_and_before_looks() -> None:
    seen = rows([0.5, 0.5, 1, 1] + [0.1, 0.1, 2] * 6)
    assert pose_layouts(seen, (2, 3), [5]) == {10: (2, 3)}
    assert pose_layouts(seen, None, [5, 0]) == {14: (5, 2), 19: (5, 3)}
    assert pose_layouts(seen, None, []) == {22: (6, 3)}


def test_few_points_or_other_numbers_are_no_visibilities() -> None:
    assert pose_layouts(rows([0.5, 0.5, 1, 1, 0.1, 0.1, 1, 0.2, 0.2, 0]), None, []) == {}
    assert pose_layouts(rows([0.5, 0.5, 1, 1] + [0.1, 0.1, 0.7] * 6), None, []) == {}


def test_points_that_all_lie_in_their_boxes_may_be_poses() -> None:
    inside = [0.5, 0.5, 0.4, 0.4, 0.4, 0.5, 0.5, 0.6, 0, 0]
    assert may_be_poses(rows(inside, inside))
    assert not may_be_poses(rows(inside))
    assert not may_be_poses(rows(inside, [*inside[:-2], 0.9, 0.9]))


def test_shares_may_leave_the_image_by_a_rounding_and_no_more() -> None:
    assert in_image(np.array([-0.01, 1.01])).tolist() == [-0.01, 1.01]
    with pytest.raises(InputError, match="not between 0 and 1"):
        in_image(np.array([0.5, 1.02]))


def test_rows_are_poses_when_the_places_of_visibilities_hold_nothing_else() -> None:
    box = [0.5, 0.5, 1, 1]
    assert pose_layouts(rows([*box, 0.1, 0.1, 2]), None, []) == {7: (1, 3)}
    assert pose_layouts(rows([*box, 0.9], [*box, 0.1, 0.1, 2]), None, []) == {7: (1, 3)}  # a box with a confidence
    assert pose_layouts(rows([*box, 0.9, 0.9], [*box, 0.1, 0.1, 2]), None, []) == {}
    two = [*box, 0.1, 0.1, 2, 0.2, 0.2, 1]
    assert pose_layouts(rows(two, two, two), None, []) == {10: (2, 3)}
    assert pose_layouts(rows(two, two), None, []) == {}
    for place in (6, 9):
        other = [*two[:place], 0.3, *two[place + 1 :]]
        assert pose_layouts(rows(two, two, other), None, []) == {}
    for length in (8, 9, 11, 12):
        assert pose_layouts(rows(*[[0.5] * 4 + [1.0] * (length - 4)] * 9), None, []) == {}
    assert pose_layouts([], None, []) == {}


def test_poses_without_visibility_lie_in_their_boxes_up_to_a_rounding() -> None:
    box = [0.5, 0.5, 0.5, 0.25]
    for point, fits in (
        ((0.759, 0.5), True),
        ((0.761, 0.5), False),
        ((0.241, 0.5), True),
        ((0.239, 0.5), False),
        ((0.5, 0.634), True),
        ((0.5, 0.636), False),
        ((0.0, 0.0), True),
        ((0.0, 0.5), False),
    ):
        row = [*box, 0.5, 0.5, 0.5, 0.5, *point]
        assert may_be_poses(rows(row, row)) == fits
    assert not may_be_poses(rows(*[[*box, 0.5, 0.5, 0.5, 0.5]] * 2))  # four corners
    assert not may_be_poses(rows(*[[*box, 0.5, 0.5, 0.5, 0.5, 0.5]] * 2))  # half a point
    assert not may_be_poses(rows([*box, *[0.5] * 6], [*box, *[0.5] * 8]))


def test_the_number_of_a_class_is_whole_and_below_a_million() -> None:
    problems = ProblemTally()
    assert [row.label for row in rows_of("a.txt", b"0 0 0 1 1\n999999 0 0 1 1\n", 0, problems)] == [0, 999999]
    assert problems.problems() == ()
    assert rows_of("a.txt", b"1000000 0 0 1 1\n1.5 0 0 1 1\n-1 0 0 1 1\n", 0, problems) == []
    (problem,) = problems.problems()
    assert (problem.count, problem.where, problem.lost) == (3, "a.txt, line 1", True)


def test_shares_below_the_rounding_are_refused() -> None:
    for number in (-0.0101, 1.0101):
        with pytest.raises(InputError, match="not between 0 and 1"):
            in_image(np.array([0.5, number]))
