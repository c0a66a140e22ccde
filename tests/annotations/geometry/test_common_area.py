"""Areas in common and IoU from them."""

import numpy as np
import pytest

from assay.annotations.geometry import common_area as module
from assay.annotations.geometry.common_area import (
    Outlines,
    box_areas,
    box_iou,
    common_areas,
    common_box_areas,
    extents,
    highest_iou,
    intersection_over_union,
    outlines,
    own_areas,
)
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


def rings(*drawn: tuple[int, bool, np.ndarray]) -> Rings:
    return Rings(
        np.concatenate([points for *_, points in drawn]),
        np.array([len(points) for *_, points in drawn]),
        np.array([owner for owner, *_ in drawn]),
        np.array([hole for _, hole, _ in drawn]),
    )


def test_areas_are_those_of_rings_without_their_holes_whichever_way_they_run() -> None:
    drawn = outlines(
        rings((0, False, square(0, 0, 10)), (0, True, square(2, 2, 5)), (2, False, square(0, 0, 3)[::-1])), 3
    )
    assert drawn.area.tolist() == pytest.approx([75, 0, 9])
    assert drawn.count.tolist() == [4, 0, 2]


def test_edges_lie_in_order_of_their_left_ends() -> None:
    drawn = outlines(rings((0, False, ring((5, 0), (9, 4), (1, 6), (0, 3)))), 1)
    assert drawn.left.tolist() == sorted(drawn.left.tolist())
    assert (drawn.left < drawn.right).all()


def test_extents_are_those_of_the_corners() -> None:
    drawn = outlines(rings((0, False, ring((5, 1), (9, 4), (1, 6))), (1, False, square(20, 30, 2))), 2)
    assert extents(drawn, np.array([0, 1])).tolist() == pytest.approx(np.array([[1, 1, 9, 6], [20, 30, 22, 32]]))


def test_many_rings_in_portions_are_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    many = rings(*((i, False, square(i, 2 * i, 3)) for i in range(20)))
    whole = outlines(many, 20)
    monkeypatch.setattr(module, "POINTS_AT_ONCE", 12)
    parts = outlines(many, 20)
    for name in ("start", "count", "left", "right", "y", "slope", "sign", "area"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()
