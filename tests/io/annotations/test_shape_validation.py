"""Coordinates, boxes and polygons: what is refused and what is repaired."""

import numpy as np
import pytest

from assay.annotations.shapes.shapes import Box
from assay.errors import InputError
from assay.io.annotations.shape_validation import (
    FARTHEST,
    box_about,
    box_of_corners,
    box_of_edges,
    checked_size,
    place,
    places,
    polygon_of,
    self_intersections,
)
from tests.annotations.shape_sets import ring, square


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "x is missing"), ("a", "x is not a number"), ("nan", "not finite"), (str(FARTHEST * 2), "beyond")],
)
def test_what_is_no_coordinate_is_refused(text: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        place(text, "x")


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "missing or empty"), ("1,2;3", "pairs x,y"), ("1,b", "not a number"), ("1,inf", "not finite")],
)
def test_what_are_no_points_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        places(text)


def test_points_may_end_in_a_semicolon_and_cannot_be_changed() -> None:
    points = places("1,2;3,4;")
    assert points.tolist() == [[1, 2], [3, 4]]
    assert not points.flags.writeable


def test_a_triangle_keeps_its_three_points() -> None:
    repairs: list[str] = []
    assert len(polygon_of(ring((0, 0), (1, 1), (0, 0)), repairs.append).rings[0]) == 3
    assert not repairs
    assert len(polygon_of(np.concatenate([square(0, 0, 1), square(0, 0, 1)[:1]]), repairs.append).rings[0]) == 4
    assert len(repairs) == 1


def test_polygons_and_boxes_tell_their_repairs() -> None:
    repairs: list[str] = []
    with pytest.raises(InputError, match="fewer than three"):
        polygon_of(ring((0, 0), (1, 1)), repairs.append)
    assert box_of_edges(4, 1, 2, 1, repairs.append, 10) == Box(2, 1, 4, 1, 10)
    assert [repair.split(":")[0] for repair in repairs] == [
        "a box's right or lower edge lies before its left or upper edge",
        "a box has no area",
    ]


@pytest.mark.parametrize("turn", [0, 10, 45, 80, 90, 135, 200, 300])
def test_corners_give_back_the_box_they_were_made_of_whichever_comes_first(turn: float) -> None:
    angle = np.radians(turn)
    turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = (square(-20, -20, 40) * [1, 0.5]) @ turned + [100, 50]
    for start in range(4):
        box = box_of_corners(np.roll(corners, start, axis=0))
        assert box is not None
        middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        assert middle == pytest.approx((100, 50))
        sides = box.right - box.left, box.bottom - box.top
        assert sorted(sides) == pytest.approx([20, 40])
        assert min(box.rotation % 90, 90 - box.rotation % 90) == pytest.approx(min(turn % 90, 90 - turn % 90), abs=1e-6)


def test_corners_of_no_rectangle_are_no_box() -> None:
    assert box_of_corners(ring((0, 0), (40, 0), (60, 30), (0, 30))) is None
    assert box_of_corners(ring((0, 0), (40, 0), (40.5, 30), (0, 30))) is not None
    assert box_about(0, 0, 4, 2, -90) == Box(-1, -2, 1, 2, 0)


def test_outlines_that_cross_themselves_are_found() -> None:
    bow_tie = ring((0, 0), (10, 10), (10, 0), (0, 10))
    crossing = self_intersections(np.concatenate([square(0, 0, 4), bow_tie]), np.array([4, 4]))
    assert crossing is not None
    assert crossing.tolist() == [False, True]


def test_a_negative_size_is_refused() -> None:
    assert checked_size(0, 4) == (0, 4)
    with pytest.raises(InputError, match="the size 3 x -1 is negative"):
        checked_size(3, -1)
