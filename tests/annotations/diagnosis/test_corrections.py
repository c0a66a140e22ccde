"""A submission without one of its habits: shapes moved, labels and values put right, annotations added or left out."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.diagnosis import corrections
from assay.annotations.diagnosis.feedback import rescored
from assay.annotations.grading.overrides import Override, apply_overrides
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.shapes import Cuboid, Ellipse, Mask, Points, Polygon, Polyline, ShapeKind, Tag
from tests.annotations.drawn import annotation_set, box, polygon, rectangle

TRUTH = annotation_set(
    box("a.jpg", "car", 0, 0, 100, 100, color="red"),
    box("a.jpg", "van", 200, 0, 300, 100, color="blue"),
    box("b.jpg", "car", 0, 0, 50, 50, color="red"),
)
PREPARED = prepare_truth(TRUTH)


def places(*rows: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.array(rows, np.intp)


def overall(submission: AnnotationSet) -> float:
    return score_submission(PREPARED, submission).overall


def test_labels_values_and_what_is_missing_or_too_much_are_put_right_one_by_one() -> None:
    own = annotation_set(
        box("a.jpg", "car", 0, 0, 100, 100, color="green"),
        box("a.jpg", "bus", 200, 0, 300, 100, color="blue"),
        box("a.jpg", "car", 2, 0, 100, 100, color="red"),
    )
    own = corrections.without(own, places(2))
    own = corrections.with_labels(own, places(1), ("van",))
    own = corrections.with_values(own, "Color", places(0), ["red"])
    assert overall(own) < 100
    own = corrections.with_objects(own, PREPARED, places(2))
    assert overall(own) == 100
    assert (len(own), own.images[-1].name, own.ids[-1]) == (4, "b.jpg", "3")


def test_a_flag_of_the_tool_is_put_right_as_the_flag_it_is() -> None:
    own = replace(TRUTH, occluded=np.array([False, True, False]))
    changed = corrections.with_values(own, "occluded", places(0, 1), [True, "false"])
    assert changed.occluded is not None
    assert changed.occluded.tolist() == [True, False, False]
    assert own.occluded is not None
    assert own.occluded.tolist() == [False, True, False]


def test_a_box_where_an_outline_was_asked_for_becomes_the_outline_and_the_other_way_round_its_box() -> None:
    outlines = annotation_set(polygon("a.jpg", "leaf", (0, 0), (100, 0), (50, 100)))
    drawn = annotation_set(box("a.jpg", "leaf", 2, 0, 100, 98))
    assert corrections.with_tools(drawn, outlines, places(0), places(0)).bounds.tolist() == [[0, 0, 100, 100]]
    fixed = corrections.with_tools(drawn, outlines, places(0), places(0))
    assert score_submission(prepare_truth(outlines), fixed).overall == pytest.approx(100)
    boxed = corrections.with_tools(
        annotation_set(rectangle("a.jpg", "car", 0, 0, 90, 100)), TRUTH, places(0), places(0)
    )
    assert (boxed.kind.tolist(), boxed.bounds.tolist()) == ([ShapeKind.BOX], [[0, 0, 90, 100]])


def test_an_outline_fills_its_new_bounds() -> None:
    own = annotation_set(polygon("a.jpg", "leaf", (0, 0), (100, 0), (50, 100)), box("a.jpg", "car", 0, 0, 10, 10))
    fixed = corrections.with_bounds(own, np.array([[10.0, 20, 60, 70], [1, 1, 9, 9]]))
    shape = fixed.shape(0)
    assert isinstance(shape, Polygon)
    assert shape.rings[0].tolist() == [[10, 20], [60, 20], [35, 70]]
    assert fixed.bounds[1].tolist() == [1, 1, 9, 9]


def test_every_kind_of_shape_can_be_moved() -> None:
    by = np.array([3.0, -1.0])
    line = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert corrections.moved(Polyline(line), by).points.tolist() == [[3, -1], [4, 0]]  # type: ignore[union-attr]
    assert corrections.moved(Points(line), by).points.tolist() == [[3, -1], [4, 0]]  # type: ignore[union-attr]
    assert corrections.moved(Cuboid(np.zeros((8, 2))), by).corners[0].tolist() == [3, -1]  # type: ignore[union-attr]
    assert corrections.moved(Ellipse(1, 1, 5, 5), by) == Ellipse(4, 0, 5, 5)
    mask = corrections.moved(Mask(5, 5, 2, 2, np.array([0, 4]), by_column=True), np.array([-7.4, 1.6]))
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top) == (0, 7)
    assert corrections.moved(Tag(), by) == Tag()


def test_a_mask_that_cannot_be_stretched_stays_as_it_is() -> None:
    mask = Mask(5, 5, 2, 2, np.array([0, 4]), by_column=True)
    drawn = replace(annotation_set(rectangle("a.jpg", "leaf", 5, 5, 7, 7)), shape_of=lambda _: mask)
    drawn = replace(drawn, kind=np.array([ShapeKind.MASK], np.uint8))
    assert corrections.with_bounds(drawn, np.array([[5.0, 5, 9, 9]])).shape(0) is mask


def test_a_submission_that_was_brought_to_the_size_of_the_ground_truth_is_not_brought_there_twice() -> None:
    half = annotation_set(
        box("a.jpg", "car", 0, 0, 50, 50, color="red"), images=[Image("a.jpg", 500, 500), Image("b.jpg", 500, 500)]
    )
    score = score_submission(prepare_truth(TRUTH, Rubric(resized_images="scale")), half)
    assert rescored(score, PREPARED, score.submission).localisation.tolist() == [1.0]


def test_what_people_changed_stays_changed() -> None:
    own = annotation_set(
        box("a.jpg", "car", 0, 0, 50, 100, color="red"), box("a.jpg", "tree", 600, 600, 700, 700), images=["a.jpg"]
    )
    score = score_submission(PREPARED, own)
    excused = Override("miss", 100, "Ada", "2026-01-02T10:00:00Z", "hidden", "digest", truth=1)
    accepted = Override("extra", 100, "Ada", "2026-01-02T10:00:00Z", "there", "digest", student=1)
    changed = Override("match", 90, "Ada", "2026-01-02T10:00:00Z", "cut", "digest", truth=0, student=0)
    final = apply_overrides(score, [excused, accepted, changed], "digest")
    again = rescored(final, PREPARED, final.submission)
    assert again.overall == pytest.approx(final.overall)
    assert again.tally == final.tally
    more = rescored(again, PREPARED, corrections.with_objects(again.submission, PREPARED, places(2)))
    assert (more.tally.matched, more.tally.missed, more.tally.extra) == (2, 0, 0)
    assert more.match_scores.tolist() == [90, 100]
