"""Geometry is made once, when asked for, and is that of the shapes."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations import geometry as package
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.shapes.shapes import (
    FAMILIES,
    Box,
    Ellipse,
    Mask,
    Points,
    Polygon,
    Polyline,
    Shape,
    ShapeKind,
    Skeleton,
    Tag,
)
from tests.annotations.shape_sets import ring, set_of, square
from tests.frozen import comparable_arrays, mutable_dataclasses, without_slots

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
    assert geometry.outlines.edges.left.shape == (0,)
    assert len(geometry.masks) == 0


def test_each_annotation_knows_whether_it_covers_is_upright_and_its_family() -> None:
    geometry = Geometry(set_of(*SHAPES))
    assert geometry.covers.tolist() == [True] * 6 + [False] * 2
    assert geometry.upright.tolist() == [True] + [False] * 7
    assert [FAMILIES[family] for family in geometry.family] == ["box"] * 2 + ["area"] * 4 + ["points", "tag"]


def test_extents_of_upright_boxes_are_their_bounds_and_of_empty_outlines_those_of_the_file() -> None:
    boxes = set_of(Box(1, 2, 3, 4), Points(ring((7, 8))))
    assert Geometry(boxes).extent is boxes.bounds
    empty = replace(set_of(Polygon(()), Polygon((square(1, 1, 2),))), bounds=np.array([[9.0, 9, 9, 9], [0, 0, 50, 50]]))
    assert Geometry(empty).extent.tolist() == [[9, 9, 9, 9], [1, 1, 3, 3]]


def test_the_area_of_an_object_is_that_stated_else_of_its_bounds() -> None:
    shapes = (Box(0, 0, 4, 5), Box(0, 0, 4, 5), Box(0, 0, 4, 5))
    assert Geometry(set_of(*shapes, area=[7, 0, np.nan])).object_area.tolist() == [7, 20, 20]
    assert Geometry(set_of(*shapes)).object_area.tolist() == [20, 20, 20]


def test_the_area_of_an_image_is_unknown_without_its_size() -> None:
    assert Geometry(set_of(Tag(), Tag(), images=[0, 1], size=(100, 80))).image_area.tolist() == [8000, 8000]
    assert np.isnan(Geometry(set_of(Tag(), size=(0, 0))).image_area).all()


def test_any_region_can_be_had_in_pixels_of_its_image_once() -> None:
    geometry = Geometry(set_of(*SHAPES, size=(12, 9)))
    drawn = geometry.pixels(0)
    assert (drawn.width, drawn.height, drawn.runs[1::2].sum()) == (12, 9, 50)
    assert geometry.pixels(0) is drawn
    assert geometry.pixels(4) is SHAPES[4]
    unknown = Geometry(set_of(Polygon((square(0.5, 0.5, 3.2),)), size=(0, 0))).pixels(0)
    assert (unknown.width, unknown.height) == (4, 4)


def test_lines_and_skeletons_are_those_of_their_kind() -> None:
    line, body = Polyline(ring((0, 0), (10, 0))), Skeleton(("a",), ring((3, 4)), np.array([2], np.int8))
    geometry = Geometry(set_of(Tag(), line, body, Box(0, 0, 1, 1)))
    assert geometry.lines.shape[0] == 1
    assert geometry.lines[0, -1].tolist() == [10, 0]
    assert geometry.skeletons.names == (("a",),)
    assert geometry.place_among(ShapeKind.SKELETON)[2] == 0


def test_the_values_of_geometry_cannot_be_changed() -> None:
    assert mutable_dataclasses(package) == []


def test_values_with_arrays_are_compared_by_identity() -> None:
    assert comparable_arrays(package) == []


def test_values_of_which_there_are_many_have_slots() -> None:
    assert without_slots(package) == ["Geometry", "Outlines"]


def test_a_box_turned_either_way_is_not_upright() -> None:
    assert Geometry(set_of(Box(0, 0, 9, 9, -30), Box(0, 0, 9, 9), Box(0, 0, 9, 9, 30))).upright.tolist() == [0, 1, 0]


def test_masks_alone_have_their_area_and_so_have_polygons_alone() -> None:
    assert Geometry(set_of(SHAPES[4])).area.tolist() == [2]
    assert Geometry(set_of(SHAPES[2])).area.tolist() == pytest.approx([96])


def test_small_images_and_objects_have_the_area_they_have() -> None:
    assert Geometry(set_of(Tag(), size=(1, 1))).image_area.tolist() == [1]
    assert Geometry(set_of(Box(0, 0, 4, 5), area=[0.5])).object_area.tolist() == [0.5]


def test_what_lies_before_an_image_of_unknown_size_takes_a_pixel() -> None:
    drawn = Geometry(set_of(Polygon((square(-5, -5, 3),)), size=(0, 0))).pixels(0)
    assert (drawn.width, drawn.height) == (1, 1)
