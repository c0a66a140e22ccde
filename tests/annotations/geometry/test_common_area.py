"""Areas in common and IoU from them."""

import numpy as np
import pytest

from assay.annotations.geometry.common_area import (
    box_areas,
    box_iou,
    common_areas,
    common_box_areas,
    highest_iou,
    intersection_over_union,
    own_areas,
)
from assay.annotations.geometry.outlines import Outlines, outlines
from assay.annotations.shapes.columns import Rings
from tests.annotations.shape_sets import ring, square

HOURGLASS = ring((0, 0), (10, 10), (10, 0), (0, 10))
TWICE_AROUND = np.concatenate([square(0, 0, 4), square(0, 0, 4)])


def edges_of(*rings: np.ndarray) -> Outlines:
    count = np.array([len(one) for one in rings])
    return outlines(Rings(np.concatenate(rings), count, np.arange(len(rings)), np.zeros(len(rings), bool)), len(rings))


def test_boxes_whose_ends_are_swapped_have_no_area() -> None:
    assert box_areas(np.array([[0.0, 0, 2, 3], [2, 0, 0, 3]])).tolist() == [6, 0]
    assert common_box_areas(np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 1, 5, 5]])).tolist() == [1]
    assert box_iou(np.array([[0.0, 0, 2, 2]]), np.array([[3.0, 0, 5, 2]])).tolist() == [0]


def test_iou_is_zero_without_area_and_never_leaves_zero_to_one() -> None:
    common, first, second = np.array([0.0, 1 + 1e-12, 2.0]), np.array([0.0, 1.0, 4.0]), np.array([0.0, 1.0, 4.0])
    assert intersection_over_union(common, first, second).tolist() == pytest.approx([0, 1, 1 / 3])
    assert intersection_over_union(common, first, second).max() <= 1


def test_no_iou_is_higher_than_areas_and_bounds_allow() -> None:
    assert highest_iou(np.array([100.0, 1.0]), np.array([4.0, 4.0]), np.array([8.0, 4.0])).tolist() == pytest.approx(
        [0.5, 1 / 7]
    )


def test_outlines_share_what_lies_in_both() -> None:
    first, second = edges_of(square(0, 0, 10), square(50, 0, 10)), edges_of(square(5, 5, 10), square(0, 0, 2))
    pairs = np.array([0, 0, 1]), np.array([0, 1, 0])
    assert common_areas(first, second, *pairs).tolist() == pytest.approx([25, 4, 0])


def test_a_part_wound_around_twice_counts_four_times_in_its_own_area() -> None:
    assert own_areas(edges_of(square(0, 0, 4)), np.array([0])).tolist() == pytest.approx([16])
    assert own_areas(edges_of(TWICE_AROUND), np.array([0])).tolist() == pytest.approx([64])


def test_nothing_shares_nothing() -> None:
    flat = edges_of(ring((1, 0), (1, 5), (1, 9)))  # upright edges alone
    assert common_areas(flat, edges_of(square(0, 0, 9)), np.array([0]), np.array([0])).tolist() == [0]
    assert own_areas(flat, np.array([0])).tolist() == [0]
