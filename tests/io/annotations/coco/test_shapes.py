"""COCO's boxes, rings and masks in columns, put right and told."""

import numpy as np
import pytest

from assay.annotations.shapes.shapes import Mask, ShapeKind
from assay.io.annotations.coco.boxes import no_shapes
from assay.io.annotations.coco.document import CocoAnnotation, Rle, Segmentation
from assay.io.annotations.coco.shapes import NONE, boxes_of, masks_of, ring_bounds, rings_of, shapes_of
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.shape_validation import FARTHEST

SQUARE = [0.0, 0, 4, 0, 4, 4, 0, 4]


def rows(*boxes: list[float] | None) -> list[CocoAnnotation[Segmentation]]:
    return [CocoAnnotation(1, 1, id=i, bbox=box) for i, box in enumerate(boxes, start=10)]


def told(tally: ProblemTally) -> list[tuple[str, int]]:
    return [(problem.where, problem.count) for problem in tally.problems()]


def test_boxes_that_cannot_be_are_left_aside_and_told() -> None:
    tally = ProblemTally()
    boxes = boxes_of(rows([1, 2, 3, 4], None, [1, 2], [0, 0, -1, 1], [1e9, 0, 1, 1]), tally)
    assert boxes[[0, 3]].tolist() == [[1, 2, 4, 6], [-1, 0, 0, 1]]
    assert np.isnan(boxes[[1, 2, 4]]).all()
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
    owner, masks = masks_of({0: Rle((2, 2), counts), 1: Rle((2, 2), [1, 3])}, rows(None, None), tally)
    assert (owner.tolist(), len(masks)) == ([1], 1)
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


def test_a_mask_is_a_mask_with_its_own_bounds_and_keypoints_come_before_both() -> None:
    annotations, tally = rows([9, 9, 1, 1], [8, 8, 1, 1], None), ProblemTally()
    for one in annotations[1:]:
        one.keypoints = [1.0, 2, 2, 5, 6, 2]
    boxes = boxes_of(annotations, tally)
    outlines: dict[int, Segmentation] = {0: Rle((4, 4), [5, 2, 9]), 1: [SQUARE]}
    shapes = shapes_of(annotations, outlines, boxes, np.zeros(3, np.int32), [("a", "b")], tally)
    assert shapes.kind.tolist() == [ShapeKind.MASK, ShapeKind.SKELETON, ShapeKind.SKELETON]
    assert shapes.bounds.tolist() == [[1, 1, 2, 3], [8, 8, 9, 9], [1, 2, 5, 6]]
    assert shapes.masked.tolist() == [0]
    assert tally.problems() == ()


def test_numbers_may_be_as_large_as_the_largest_image() -> None:
    tally = ProblemTally()
    boxes = boxes_of(rows([-FARTHEST, FARTHEST, 0, FARTHEST]), tally)
    assert boxes.tolist() == [[-FARTHEST, FARTHEST, -FARTHEST, 2 * FARTHEST]]
    rings = rings_of({0: [[-FARTHEST, 0, FARTHEST, 0, 0, FARTHEST]]}, rows(None), tally)
    assert rings.count.tolist() == [3]
    assert tally.problems() == ()
    beyond = FARTHEST * 1.001
    assert np.isnan(boxes_of(rows([0, 0, 1, 1], [0, -beyond, 1, 1]), tally)[1]).all()
    assert told(tally) == [("annotation 11", 1)]


def test_only_the_ring_that_is_far_away_is_left_aside() -> None:
    for place in range(3):
        tally = ProblemTally()
        outlines = [[1.0, 1, 2, 1, 2, 2], [3.0, 3, 4, 3, 4, 4], [5.0, 5, 6, 5, 6, 6]]
        outlines[place][4] = -2 * FARTHEST
        rings = rings_of({0: outlines[:1], 1: outlines[1:]}, rows(None, None), tally)
        near = [i for i in range(3) if i != place]
        assert rings.owner.tolist() == [min(i, 1) for i in near]
        assert rings.points[:, 0].tolist() == [x for i in near for x in outlines[i][::2]]
        assert told(tally) == [(f"annotation {10 + min(place, 1)}", 1)]


def test_a_closing_point_is_dropped_from_four_points_on() -> None:
    tally = ProblemTally()
    outlines = {0: [[0.0, 0, 1, 1, 0, 0]], 1: [[1.0, 1, 2, 1, 2, 2, 1, 1], []], 2: [[0.0, 0, 5, 0, 5, 5, 0, 9]]}
    rings = rings_of(outlines, rows(None, None, None), tally)
    assert (rings.owner.tolist(), rings.count.tolist()) == ([0, 1, 2], [3, 3, 4])
    assert rings.points.tolist() == [
        *([0, 0], [1, 1], [0, 0], [1, 1], [2, 1], [2, 2], [0, 0], [5, 0], [5, 5], [0, 9]),
    ]
    assert not rings.hole.any()
    assert told(tally) == [("annotation 11", 1)]


def test_two_points_are_no_ring_and_points_beside_rings_stay_apart() -> None:
    tally = ProblemTally()
    assert len(rings_of({0: [[0.0, 0], [1, 1]]}, rows(None), tally).count) == 0
    mixed = rings_of({0: [[0.0, 0], SQUARE, [1, 1]]}, rows(None), tally)
    assert mixed.count.tolist() == [4]
    assert [problem.what for problem in tally.problems()] == ["a ring has fewer than three points: it was left aside"]


def test_bounds_are_those_of_all_rings_of_a_polygon() -> None:
    outlines = {1: [[1.0, 2, 3, 2, 3, 5], [7.0, 0, 8, 1, 7, 1]], 2: [[-1.0, -2, 0, 0, -1, 0]]}
    rings = rings_of(outlines, rows(None, None, None), ProblemTally())
    bounds = ring_bounds(rings, 4)
    assert bounds[1:3].tolist() == [[1, 0, 8, 5], [-1, -2, 0, 0]]
    assert np.isnan(bounds[[0, 3]]).all()


def test_a_mask_is_as_wide_as_its_second_size_and_column_by_column() -> None:
    owner, masks = masks_of({3: Rle((2, 5), [3, 4, 3])}, rows(*[None] * 4), ProblemTally())
    mask = masks.mask(0)
    assert owner.tolist() == [3]
    assert (mask.left, mask.top, mask.width, mask.height, mask.by_column) == (0, 0, 5, 2, True)
    assert (mask.runs.tolist(), mask.runs.flags.writeable) == ([3, 4, 3], False)
    tally = ProblemTally()
    masks_of({0: Rle((1, 1), [2**70])}, rows(None), tally)
    assert tally.problems()[0].what == (
        "the mask has a run that is negative or longer than the mask: it was left aside"
    )


def test_shapes_follow_the_annotations_that_are_scored() -> None:
    annotations, tally = rows(None, [1, 1, 1, 1], None, None), ProblemTally()
    outlines: dict[int, Segmentation] = {2: [SQUARE], 3: Rle((4, 4), [5, 2, 9])}
    shapes = shapes_of(annotations, outlines, boxes_of(annotations, tally), np.zeros(4, np.int32), [()], tally)
    columns = shapes.of(np.array([1, 2, 3]))
    assert columns.rings.owner.tolist() == [1]
    assert columns.masked.tolist() == [2]
    assert isinstance(columns(2), Mask)
    assert columns.crossing is not None
    assert columns.crossing.tolist() == [False]


def test_a_box_of_another_number_of_numbers_is_told_once() -> None:
    tally = ProblemTally()
    boxes = boxes_of(rows([1, 2, 3], [1, 2, 3, 4, 5], [], None, [0, 0, 0, 0], [FARTHEST * 2, 0, 1, 1]), tally)
    assert np.isnan(boxes).all(axis=1).tolist() == [True, True, True, True, False, True]
    assert [(problem.what.split(":")[0], problem.where, problem.count) for problem in tally.problems()] == [
        ("a box has not four numbers", "annotation 10", 2),
        (f"a box has a number beyond {FARTHEST:.0f}", "annotation 15", 1),
    ]
