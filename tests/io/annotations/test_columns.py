"""Annotations collected one by one, and problems counted by kind."""

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import FileProblem, Image
from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Points, Polygon, Shape, Skeleton, Tag
from assay.io.annotations.columns import AnnotationColumns, ProblemTally, bounds_of
from tests.annotations.shape_sets import ring, square


def test_problems_of_one_kind_are_one_line_with_the_place_of_the_first() -> None:
    tally = ProblemTally()
    tally.lost("gone", "a")
    tally.repaired("swapped", "b", 0)
    tally.lost("gone", "c", 2)
    tally.repaired("gone", "d")
    assert tally.problems() == (FileProblem("a", "gone", 3, lost=True), FileProblem("d", "gone", 1, lost=False))


def test_the_frozen_set_has_a_row_for_each_annotation() -> None:
    columns = AnnotationColumns()
    image = columns.add_image(Image("a.jpg", 10, 10))
    columns.add(Box(1, 2, 3, 4, 30), image=image, label="cat", track=4, group=2, occluded=True, name="x")
    columns.add(Tag(), image=image, label="dog", attributes={"wet": True})
    columns.add(Tag(), image=image, label="cat")
    found = columns.finished(source="s", format="F")

    assert (found.ids, found.labels, found.label.tolist()) == (("x", "2", "3"), ("cat", "dog"), [0, 1, 0])
    assert found.rotation.tolist() == [30, 0, 0]
    assert found.attributes == {1: {"wet": True}}
    assert found.track is not None
    assert found.group is not None
    assert found.occluded is not None
    assert (found.track.tolist(), found.group.tolist(), found.occluded.tolist()) == (
        [4, -1, -1],
        [2, 0, 0],
        [True, False, False],
    )


def test_columns_that_nothing_states_are_absent() -> None:
    columns = AnnotationColumns(images=[Image("a.jpg")])
    columns.add(Tag(), image=0, label="cat")
    found = columns.finished(source="s", format="F")
    assert (found.track, found.group, found.occluded) == (None, None, None)


@pytest.mark.parametrize(
    ("shape", "bounds"),
    [
        (Box(1, 2, 3, 4, 45), (1, 2, 3, 4)),
        (Polygon((square(1, 2, 3), square(7, 7, 1))), (1, 2, 8, 8)),
        (Points(ring((3, 1), (2, 9))), (2, 1, 3, 9)),
        (Ellipse(5, 5, 3, 1, 90), (4, 2, 6, 8)),
        (Mask(10, 20, 2, 3, np.array([4, 1, 1]), by_column=True), (11, 21, 12, 22)),
        (Mask(10, 20, 2, 3, np.array([3, 1, 2]), by_column=False), (11, 21, 12, 22)),
        (Mask(10, 20, 2, 3, np.array([6]), by_column=True), (10, 20, 10, 20)),
        (Skeleton(("a", "b"), ring((1, 1), (9, 9)), np.array([2, 0], np.int8)), (1, 1, 1, 1)),
        (Skeleton(("a", "b"), ring((1, 1), (9, 9)), np.array([0, 0], np.int8)), (1, 1, 9, 9)),
        (Tag(), (0, 0, 0, 0)),
    ],
)
def test_bounds_are_those_of_the_shape(shape: Shape, bounds: tuple[float, ...]) -> None:
    assert bounds_of(shape) == bounds
