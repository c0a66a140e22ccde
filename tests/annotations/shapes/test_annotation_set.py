"""Annotation sets: columns, and exact shapes when they are asked for."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, image_sizes, with_plausible_areas
from assay.annotations.shapes.shapes import Box, Polygon, Tag
from tests.annotations.drawn import annotation_set, box, skeleton
from tests.annotations.shape_sets import set_of, square


def test_a_box_is_made_from_the_columns_and_other_shapes_are_asked_for() -> None:
    polygon = Polygon((square(0, 0, 4),))
    drawn = set_of(Box(1, 2, 3, 4, 30), polygon)
    assert drawn.shape(0) == Box(1, 2, 3, 4, 30)
    assert drawn.shape(1) is polygon
    assert len(drawn) == 2


def test_kinds_are_counted_by_their_words() -> None:
    drawn = set_of(Box(0, 0, 1, 1), Tag(), Box(0, 0, 1, 1))
    assert drawn.counts() == {"box": 2, "tag": 1}


def test_sizes_are_zero_where_no_file_states_them() -> None:
    assert image_sizes([Image("a", 3, 2), Image("b")]).tolist() == [[3, 2], [0, 0]]
    assert image_sizes([]).shape == (0, 2)
    assert image_sizes([Image("a", 3, 2)]).dtype == np.float64


def person(area: float) -> AnnotationSet:
    points = {"nose": (100.0, 100.0, 2), "foot": (534.0, 376.0, 2)}
    return replace(annotation_set(skeleton("a.jpg", "person", points)), area=np.array([area]))


@pytest.mark.parametrize(("area", "odd"), [(90.12, True), (1197.0, True), (1198.0, False), (1e6, False), (1.1e6, True)])
def test_a_stated_area_that_cannot_be_is_not_trusted_and_is_reported(area: float, odd: bool) -> None:
    """434 x 276 are 119,784 square pixels, on an image of 1000 x 1000."""
    checked = with_plausible_areas(person(area))
    assert checked.area is not None
    assert np.isnan(checked.area[0]) == odd
    if odd:
        (problem,) = checked.problems
        assert problem.where == "annotation 1"
        said = f"states an area of {area:g} for a box of 434 x 276; the area of the box is used"
        assert problem.what == said


def test_areas_of_other_shapes_are_left_as_they_are() -> None:
    own = replace(annotation_set(box("a.jpg", "car", 0, 0, 100, 100)), area=np.array([1.0]))
    assert with_plausible_areas(own) is own
    assert with_plausible_areas(person(50_000.0)).problems == ()
