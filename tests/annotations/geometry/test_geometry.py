"""Geometry is made once, when asked for, and is that of the shapes."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.regions import box_corners, hull, polygon_of, region_outlines, repair_polygon
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Points, Polygon, Shape, ShapeKind, Tag
from tests.annotations.shape_sets import ring, set_of, square

SHAPES: tuple[Shape, ...] = (
    Box(0, 0, 10, 5),
    Box(0, 0, 10, 5, 90),
    Polygon((square(0, 0, 10),), (square(2, 2, 2),)),
    Polygon((ring((0, 0), (10, 10), (10, 0), (0, 10)),)),
    Mask(3, 4, 5, 2, np.array([1, 2, 7]), by_column=True),
    Ellipse(50, 50, 4, 2, 90),
    Points(ring((1, 2))),
    Tag(),
)


def test_areas_are_those_of_the_shapes() -> None:
    area = Geometry(set_of(*SHAPES)).area

    assert area.tolist() == pytest.approx([50, 50, 96, 50, 2, 8 * np.pi, 0, 0])


def test_extents_are_those_of_the_shapes_as_they_lie_in_the_image() -> None:
    extent = Geometry(set_of(*SHAPES)).extent

    assert extent[1] == pytest.approx([2.5, -2.5, 7.5, 7.5])
    assert extent[4].tolist() == [3, 4, 5, 6]
    assert extent[5] == pytest.approx([48, 46, 52, 54], abs=1e-3)


def test_shapes_are_asked_for_only_when_needed_and_once() -> None:
    asked: list[int] = []

    def shape_of(index: int) -> Shape:
        asked.append(index)
        return SHAPES[index]

    geometry = Geometry(replace(set_of(*SHAPES[:3]), shape_of=shape_of))
    assert not asked

    for _ in range(2):
        assert geometry.outlines.area[2] == pytest.approx(96)

    assert asked == [2]


def test_what_is_kept_cannot_be_changed() -> None:
    geometry = Geometry(set_of(*SHAPES))

    for column in (geometry.area, geometry.extent, geometry.family):
        assert not column.flags.writeable


def test_annotations_have_a_place_among_their_kind() -> None:
    geometry = Geometry(set_of(Tag(), Points(ring((1, 1))), Tag(), Points(ring((2, 2)))))

    assert geometry.place_among(ShapeKind.POINTS)[[1, 3]].tolist() == [0, 1]
    assert [points.tolist() for points in geometry.points] == [[[1, 1]], [[2, 2]]]


def test_an_empty_set_has_empty_geometry() -> None:
    geometry = Geometry(set_of())

    assert geometry.area.shape == (0,)
    assert geometry.extent.shape == (0, 4)
    assert geometry.outlines.left.shape == (0,)
    assert geometry.masks.area.shape == (0,)


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
