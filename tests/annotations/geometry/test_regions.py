"""What of the image each shape encloses, and how crossing outlines are repaired."""

import numpy as np
import pytest

from assay.annotations.geometry.regions import box_corners, hull, polygon_of, region_outlines, repair_polygon
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Polygon, Tag
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
