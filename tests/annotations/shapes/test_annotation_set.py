"""Annotation sets: columns, and exact shapes when they are asked for."""

import numpy as np

from assay.annotations.shapes.annotation_set import Image, image_sizes
from assay.annotations.shapes.shapes import Box, Polygon, Tag
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
