"""COCO's boxes, rings and masks in columns, put right and told."""

import numpy as np
import pytest

from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.coco.boxes import no_shapes
from assay.io.annotations.coco.document import CocoAnnotation, Rle, Segmentation
from assay.io.annotations.coco.shapes import NONE, boxes_of, masks_of, ring_bounds, rings_of, shapes_of
from assay.io.annotations.columns import ProblemTally

SQUARE = [0.0, 0, 4, 0, 4, 4, 0, 4]


def rows(*boxes: list[float] | None) -> list[CocoAnnotation[Segmentation]]:
    return [CocoAnnotation(1, 1, id=i, bbox=box) for i, box in enumerate(boxes, start=10)]


def told(tally: ProblemTally) -> list[tuple[str, int]]:
    return [(problem.where, problem.count) for problem in tally.problems()]


def test_boxes_that_cannot_be_are_left_aside_and_told() -> None:
    tally = ProblemTally()
    boxes = boxes_of(rows([1, 2, 3, 4], None, [1, 2], [0, 0, -1, 1], [1e9, 0, 1, 1]), tally)
    assert boxes[0].tolist() == [1, 2, 4, 6]
    assert np.isnan(boxes[1:]).all()
    assert told(tally) == [("annotation 12", 1), ("annotation 14", 1), ("annotation 13", 1)]


def test_rings_lose_closing_points_and_what_is_too_short_or_far() -> None:
    tally = ProblemTally()
    outlines = {0: [[*SQUARE, 0, 0]], 1: [[0.0, 0, 1, 1], SQUARE], 2: [[0.0, 0, 1e9, 0, 1, 1]], 3: [[0.0, 0, 1]]}
    rings = rings_of(outlines, rows(None, None, None, None), tally)
    assert (rings.owner.tolist(), rings.count.tolist()) == ([0, 1], [4, 4])
    assert len(tally.problems()) == 4
    assert ring_bounds(rings, 3)[:2].tolist() == [[0, 0, 4, 4], [0, 0, 4, 4]]


def test_points_written_one_by_one_are_one_ring() -> None:
    tally = ProblemTally()
    rings = rings_of({0: [[0.0, 0], [4, 0], [4, 4]]}, rows(None), tally)
    assert rings.points.tolist() == [[0, 0], [4, 0], [4, 4]]
    assert "list of points" in tally.problems()[0].what


@pytest.mark.parametrize("counts", [[1, 2], [2**70], [-1, 5]])
def test_masks_whose_runs_do_not_add_up_are_left_aside(counts: list[int]) -> None:
    tally = ProblemTally()
    masks = masks_of({0: Rle((2, 2), counts), 1: Rle((2, 2), [1, 3])}, rows(None, None), tally)
    assert list(masks) == [1]
    assert told(tally) == [("annotation 10", 1)]


def test_an_annotation_is_its_outline_else_its_box_else_nothing() -> None:
    annotations, tally = rows([9, 9, 1, 1], [9, 9, 1, 1], None), ProblemTally()
    boxes = boxes_of(annotations, tally)
    shapes = shapes_of(annotations, {0: [SQUARE]}, boxes, np.zeros(3, np.int32), [()], tally)
    assert shapes.kind.tolist() == [ShapeKind.POLYGON, ShapeKind.BOX, NONE]
    assert shapes.bounds[:2].tolist() == [[0, 0, 4, 4], [9, 9, 10, 10]]
    assert shapes.of(np.array([0, 1]))(0) is not None


def test_a_set_of_boxes_has_no_shapes() -> None:
    assert len(no_shapes().rings.count) == 0
