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
