"""Outlines of areal shapes: corners turned, ellipses, rings that cross, hulls."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.geometry.regions import (
    ELLIPSE_CORNERS,
    REGIONS,
    box_corners,
    hull,
    polygon_of,
    region_outlines,
    repair_polygon,
)
from assay.annotations.shapes.arrays import Positions
from assay.annotations.shapes.columns import Rings, ShapeColumns, skeleton_table
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Polygon, Polyline, Shape, ShapeKind, Tag
from tests.annotations.shape_sets import ring, set_of, square

BOW_TIE = Polygon((ring((0, 0), (10, 10), (10, 0), (0, 10)),))


def test_a_box_is_turned_clockwise_about_its_centre() -> None:
    corners = box_corners(np.array([[0.0, 0, 4, 2]]), np.array([90.0]))[0]
    assert corners.tolist() == pytest.approx(np.array([[3, -1], [3, 3], [1, 3], [1, -1]]))


def test_a_bow_tie_is_two_triangles() -> None:
    repaired = repair_polygon(BOW_TIE)
    assert sorted(len(one) for one in repaired.rings) == [3, 3]
    assert repaired.holes == ()


def test_parts_are_united_and_holes_cut_out() -> None:
    repaired = repair_polygon(Polygon((square(0, 0, 10), square(5, 0, 10)), (square(2, 2, 2),)))
    assert (len(repaired.rings), len(repaired.holes)) == (1, 1)
    assert repaired.rings[0].max(axis=0).tolist() == [15, 10]


def test_what_encloses_nothing_has_no_rings() -> None:
    assert repair_polygon(Polygon((ring((0, 0), (5, 5), (9, 9)),))).rings == ()
    assert polygon_of(Tag()).rings == ()
    assert len(hull(ring((0, 0), (1, 1), (2, 2)))) == 0


def test_each_kind_of_region_has_its_area() -> None:
    corners = ring((0, 0), (0, 4), (4, 0), (4, 4), (2, 2), (2, 6), (6, 2), (6, 6))
    drawn = set_of(Box(0, 0, 4, 2, 30), Ellipse(50, 40, 3, 2, 10), Cuboid(corners), BOW_TIE, Tag())
    assert region_outlines(drawn).area.tolist() == pytest.approx([8, 6 * np.pi, 32, 50, 0])


def test_an_ellipse_becomes_a_polygon_of_the_same_area_about_its_centre() -> None:
    (around,) = polygon_of(Ellipse(50, 40, 30, 10, 90)).rings
    assert around.mean(axis=0) == pytest.approx([50, 40])
    assert np.ptp(around, axis=0) == pytest.approx([20, 60], rel=3e-4)  # turned by 90 degrees
    assert len(around) == ELLIPSE_CORNERS == 256
    assert region_outlines(set_of(Ellipse(50, 40, 30, 10, 25))).area == pytest.approx([300 * np.pi], rel=1e-12)


def test_an_ellipse_is_turned_clockwise_as_boxes_are() -> None:
    (around,) = polygon_of(Ellipse(0, 0, 10, 1, 45)).rings
    x, y = around[np.argmax(around[:, 0])]
    assert x == pytest.approx(y, rel=0.02)  # y points down: clockwise from the x axis is to y > 0


def test_a_polygon_is_itself_and_a_box_has_four_corners_in_a_round() -> None:
    drawn = Polygon((square(0, 0, 3),), (square(1, 1, 1),))
    assert polygon_of(drawn) is drawn
    assert polygon_of(Box(1, 2, 5, 4)).rings[0].tolist() == [[1, 2], [5, 2], [5, 4], [1, 4]]
    assert polygon_of(Polyline(ring((0, 0), (4, 4), (4, 0)))).rings == ()


def test_a_hull_leaves_inner_points_out_and_does_not_repeat_its_first_corner() -> None:
    around = hull(ring((0, 0), (4, 0), (2, 1), (4, 4), (0, 4)))
    assert sorted(map(tuple, around.tolist())) == [(0, 0), (0, 4), (4, 0), (4, 4)]


def pentagram(size: float) -> Polygon:
    turn = np.arange(5) * 4 * np.pi / 5
    return Polygon((size * np.stack([np.sin(turn), -np.cos(turn)], axis=1),))


def test_what_a_star_winds_around_twice_is_a_hole() -> None:
    # the pentagon inside a pentagram has 0.381966 times its radius
    star, inner = pentagram(10), 5 / 2 * (10 * 0.38196601125) ** 2 * np.sin(2 * np.pi / 5)
    tips = 5 * 10**2 * np.sin(np.pi / 5) * 0.38196601125 - inner
    assert region_outlines(set_of(star)).area == pytest.approx([tips])
    repaired = repair_polygon(star)
    assert repaired.holes == ()
    assert sorted(len(tip) for tip in repaired.rings) == [3] * 5


@pytest.mark.parametrize(
    ("drawn", "area"),
    [
        (Polygon((square(0, 0, 10), square(5, 0, 10))), 150),  # overlapping rings are united
        (Polygon((square(0, 0, 10), square(20, 0, 10))), 200),
        (Polygon((square(0, 0, 10), square(0, 0, 10)[::-1])), 100),  # the other way round is the same area
        (Polygon((square(0, 0, 10),), (square(5, 5, 10),)), 75),  # of a hole, what lies inside
        (Polygon((square(0, 0, 10), ring((1, 1), (2, 2)))), 100),  # two points are no ring
        (Polygon((ring((0, 0), (10, 0), (0, 10)), ring((10, 10), (0, 10), (10, 0)), square(0, 0, 5))), 100),
        (Polygon((ring((0, 0), (10, 0), (10, 10), (20, 10), (10, 10), (0, 10)),)), 100),  # a spike
        (Polygon(()), 0),
    ],
)
def test_rings_and_holes_make_one_region(drawn: Polygon, area: float) -> None:
    assert region_outlines(set_of(drawn)).area == pytest.approx([area])


def test_crossing_and_sound_shapes_and_boxes_keep_their_places() -> None:
    drawn = (Polygon((square(0, 0, 3),)), Box(0, 0, 2, 1), BOW_TIE, Tag(), Polygon((square(9, 9, 4),)), Box(0, 0, 5, 1))
    assert region_outlines(set_of(*drawn)).area == pytest.approx([9, 2, 50, 0, 16, 5])
    assert region_outlines(set_of(Box(0, 0, 2, 1))).area == pytest.approx([2])
    assert region_outlines(set_of(Tag())).area == pytest.approx([0])


NOBODY_LOOKED, NONE, FIRST = None, np.zeros(2, np.bool_), np.array([True, False])


@pytest.mark.parametrize("crossing", [NOBODY_LOOKED, FIRST])
def test_rings_in_columns_are_repaired_where_they_cross(crossing: np.ndarray | None) -> None:
    assert _area_in_columns(BOW_TIE, Polygon((square(0, 0, 2),)), crossing=crossing) == pytest.approx([50, 4])


def test_rings_in_columns_that_are_said_to_be_sound_are_not_looked_at_again() -> None:
    assert _area_in_columns(BOW_TIE, Polygon((square(0, 0, 2),)), crossing=NONE) == pytest.approx([0, 4])


def test_two_sound_rings_of_one_shape_are_looked_at_together() -> None:
    overlapping = Polygon((square(0, 0, 10), square(5, 0, 10)))
    assert _area_in_columns(overlapping, crossing=NONE) == pytest.approx([150])


def _area_in_columns(*shapes: Polygon, crossing: np.ndarray | None) -> list[float]:
    drawn: list[np.ndarray] = [one for shape in shapes for one in shape.rings]
    owner: Positions = np.repeat(np.arange(len(shapes)), [len(shape.rings) for shape in shapes])
    rings = Rings(np.concatenate(drawn), np.array([len(one) for one in drawn]), owner, np.zeros(len(drawn), np.bool_))
    columns = ShapeColumns(rings, crossing, skeleton_table([]), np.empty(0, np.int64), dict[int, Shape]())
    area: list[float] = region_outlines(replace(set_of(*shapes), shape_of=columns)).area.tolist()
    return area


def test_regions_are_the_kinds_that_cover_part_of_the_image() -> None:
    covering = {kind for kind in ShapeKind if REGIONS[kind]}
    assert covering == {ShapeKind.BOX, ShapeKind.POLYGON, ShapeKind.MASK, ShapeKind.ELLIPSE, ShapeKind.CUBOID}


def test_a_ring_that_crosses_itself_is_repaired_even_if_another_makes_up_for_it() -> None:
    """Two triangles of 200 and 50, the smaller wound the wrong way; the second ring winds it back to nothing."""
    crossing = ring((0, 0), (30, 15), (30, 5), (0, 20))
    drawn = Polygon((crossing, ring((20, 10), (30, 15), (30, 5))))
    assert region_outlines(set_of(drawn)).area == pytest.approx([250])


def test_stray_lines_of_a_repair_are_left_out() -> None:
    spiked = Polygon((ring((0, 0), (10, 10), (10, 0), (0, 10), (0, 15), (0, 10)),))
    assert region_outlines(set_of(spiked)).area == pytest.approx([50])
    assert len(repair_polygon(spiked).rings) == 2


def test_points_on_one_line_have_no_hull() -> None:
    assert hull(ring((0, 0), (1, 1), (2, 2))).shape == (0, 2)
