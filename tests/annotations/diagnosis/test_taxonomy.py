"""Each kind of error is found where it is, and nowhere else."""

import pytest

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.diagnosis.taxonomy import INSIDE, PRECISE, TYPO
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric, Thresholds
from assay.annotations.shapes.annotation_set import AnnotationSet
from tests.annotations.drawn import annotation_set, box, rectangle


def errors(truth: AnnotationSet, submission: AnnotationSet) -> dict[ErrorKind, int]:
    return score_submission(prepare_truth(truth), submission).errors()


LEFT = box("a.jpg", "car", 0, 0, 50, 100)
RIGHT = box("a.jpg", "car", 52, 0, 102, 100)
BOTH = box("a.jpg", "car", 0, 0, 102, 100)


def test_one_box_around_two_objects_is_merged() -> None:
    result = score_submission(prepare_truth(annotation_set(LEFT, RIGHT)), annotation_set(BOTH))
    assert result.errors() == {ErrorKind.MERGED: 2}  # 49 % each: neither matches
    assert {miss.why for miss in result.misses()} == {ErrorKind.MERGED}
    assert {extra.why for extra in result.extras()} == {ErrorKind.MERGED}


def test_two_boxes_on_one_object_are_split() -> None:
    assert errors(annotation_set(BOTH), annotation_set(LEFT, RIGHT)) == {ErrorKind.SPLIT: 2}


def test_two_halves_that_each_reach_the_threshold_are_split_and_not_doubled() -> None:
    whole = annotation_set(box("i.jpg", "car", 0, 0, 200, 100))
    halves = annotation_set(box("i.jpg", "car", 0, 0, 100, 100), box("i.jpg", "car", 100, 0, 200, 100))
    assert errors(whole, halves) == {ErrorKind.SPLIT: 1, ErrorKind.TOO_SMALL: 1}
    twice = annotation_set(box("i.jpg", "car", 0, 0, 190, 100), box("i.jpg", "car", 20, 0, 200, 100))
    assert errors(whole, twice) == {ErrorKind.DUPLICATE: 1}


def test_a_missed_object_inside_the_box_of_another_class_is_not_merged() -> None:
    person, hat = box("a.jpg", "person", 0, 0, 100, 200), box("a.jpg", "hat", 20, 0, 80, 50)
    assert errors(annotation_set(person, hat), annotation_set(person)) == {ErrorKind.NOT_FOUND: 1}


def test_labels_are_wrong_or_misspelt() -> None:
    truth = annotation_set(LEFT, box("a.jpg", "truck", 200, 0, 300, 100))
    submission = annotation_set(
        box("a.jpg", "truck", 0, 0, 50, 100),
        box("a.jpg", "trukc", 200, 0, 300, 100),
    )
    assert errors(truth, submission) == {ErrorKind.WRONG_CLASS: 1, ErrorKind.MISSPELT_LABEL: 1}


def test_attributes_are_wrong_or_forgotten() -> None:
    truth = annotation_set(box("a.jpg", "car", 0, 0, 50, 50, color="red", doors="4"))
    result = score_submission(
        prepare_truth(truth), annotation_set(box("a.jpg", "car", 0, 0, 50, 50, color="blue", doors=" "))
    )
    assert result.errors() == {ErrorKind.WRONG_ATTRIBUTE: 1, ErrorKind.FORGOTTEN_ATTRIBUTE: 1}
    assert result.findings.examples(ErrorKind.FORGOTTEN_ATTRIBUTE, 5)[0].attribute == "doors"


def test_rough_matches_are_too_large_too_small_or_shifted() -> None:
    truth = annotation_set(*(box("a.jpg", "car", 200 * i, 0, 200 * i + 100, 100) for i in range(3)))
    submission = annotation_set(
        box("a.jpg", "car", 0, 0, 130, 110),
        box("a.jpg", "car", 200, 0, 260, 100),
        box("a.jpg", "car", 425, 0, 525, 100),
    )
    assert errors(truth, submission) == {ErrorKind.TOO_LARGE: 1, ErrorKind.TOO_SMALL: 1, ErrorKind.SHIFTED: 1}


def test_a_perfect_copy_has_no_errors() -> None:
    assert errors(annotation_set(LEFT, RIGHT), annotation_set(LEFT, RIGHT)) == {}


# where one kind ends and the next begins


@pytest.mark.parametrize(("right", "kinds"), [(100 * PRECISE, {}), (74.9, {ErrorKind.TOO_SMALL: 1})])
def test_a_match_is_called_rough_below_cocos_strict_threshold(right: float, kinds: dict[ErrorKind, int]) -> None:
    whole = box("a.jpg", "car", 0, 0, 100, 100)
    assert errors(annotation_set(whole), annotation_set(box("a.jpg", "car", 0, 0, right, 100))) == kinds


@pytest.mark.parametrize(("left", "kind"), [(10, ErrorKind.TOO_LARGE), (11, ErrorKind.SHIFTED)])
def test_a_rough_match_that_covers_nine_tenths_of_the_object_is_too_large(left: float, kind: ErrorKind) -> None:
    truth = annotation_set(box("a.jpg", "car", 0, 0, 100, 100))
    assert errors(truth, annotation_set(box("a.jpg", "car", left, 0, 145, 100))) == {kind: 1}


def test_inner_shapes_must_lie_inside_by_four_fifths_to_be_merged() -> None:
    truth = annotation_set(box("a.jpg", "car", 0, 0, 50, 100), box("a.jpg", "car", 50, 0, 100, 100))
    inside, outside = (annotation_set(box("a.jpg", "car", left, 0, 100, 100)) for left in (10, 10.5))
    assert errors(truth, inside)[ErrorKind.MERGED] >= 1
    assert ErrorKind.MERGED not in errors(truth, outside)
    assert INSIDE == (100 - 2 * 10) / 100


def test_shapes_that_fill_less_than_half_are_not_merged() -> None:
    small = (box("a.jpg", "car", 0, 0, 25, 100), box("a.jpg", "car", 75, 0, 100, 100))
    assert errors(annotation_set(*small), annotation_set(box("a.jpg", "car", 0, 0, 100, 100))) == {ErrorKind.MERGED: 2}
    assert ErrorKind.MERGED not in errors(annotation_set(*small), annotation_set(box("a.jpg", "car", 0, 0, 100, 101)))


def test_shapes_stacked_on_each_other_are_no_parts() -> None:
    outer = annotation_set(box("a.jpg", "car", 0, 0, 100, 100))
    parts = [annotation_set(*(box("a.jpg", "car", x, 0, x + side, 100) for x in (0, 28, 55))) for side in (41, 43)]
    assert errors(outer, parts[0]) == {ErrorKind.SPLIT: 3}  # 1.23 of the whole in all
    assert ErrorKind.SPLIT not in errors(outer, parts[1])  # 1.29


def test_one_shape_that_is_a_good_partner_by_itself_is_not_merged_with_what_it_holds() -> None:
    person, child = box("a.jpg", "person", 0, 0, 80, 100), box("a.jpg", "person", 80, 0, 100, 100)
    result = score_submission(
        prepare_truth(annotation_set(person, child)), annotation_set(box("a.jpg", "person", 0, 0, 100, 100))
    )
    assert result.errors() == {ErrorKind.NOT_FOUND: 1}


def test_objects_of_different_classes_are_not_merged() -> None:
    truth = annotation_set(LEFT, box("a.jpg", "bus", 52, 0, 102, 100))
    assert ErrorKind.MERGED not in errors(truth, annotation_set(BOTH))


@pytest.mark.parametrize(("given", "kind"), [("trxx", ErrorKind.MISSPELT_LABEL), ("txxx", ErrorKind.WRONG_CLASS)])
def test_a_label_that_is_half_right_is_misspelt(given: str, kind: ErrorKind) -> None:
    truth = annotation_set(box("a.jpg", "tram", 0, 0, 50, 50))
    assert errors(truth, annotation_set(box("a.jpg", given, 0, 0, 50, 50))) == {kind: 1}
    assert TYPO == 2 / 4


def test_a_near_miss_begins_at_the_rubrics_similarity() -> None:
    truth, beside = (
        annotation_set(box("a.jpg", "car", 0, 0, 100, 100)),
        annotation_set(box("a.jpg", "car", 60, 0, 160, 100)),
    )
    for near_miss, kinds in (
        (0.25, {ErrorKind.NEAR_MISS: 1}),
        (0.26, {ErrorKind.NOT_FOUND: 1, ErrorKind.NOTHING_THERE: 1}),
    ):
        assert score_submission(prepare_truth(truth, Rubric(near_miss=near_miss)), beside).errors() == kinds


def test_a_duplicate_names_the_object_it_is_most_like() -> None:
    truth = annotation_set(box("a.jpg", "car", 0, 0, 100, 100), box("a.jpg", "car", 30, 0, 130, 100))
    again = annotation_set(*(box("a.jpg", "car", left, 0, left + 100, 100) for left in (0, 30, 20)))
    (extra,) = score_submission(prepare_truth(truth), again).extras()
    assert (extra.why, extra.truth_id) == (ErrorKind.DUPLICATE, "2")
    assert extra.similarity == pytest.approx(90 / 110)


def test_the_wrong_tool_explains_both_sides_once() -> None:
    truth = annotation_set(rectangle("a.jpg", "car", 0, 0, 100, 100))
    twice = annotation_set(box("a.jpg", "car", 0, 0, 100, 100), box("a.jpg", "car", 0, 0, 90, 100))
    result = score_submission(prepare_truth(truth), twice, Rubric(box_files="outlines"))
    assert result.errors() == {ErrorKind.NOTHING_THERE: 1, ErrorKind.WRONG_TOOL: 1}
    assert [(extra.student_id, extra.why) for extra in result.extras()] == [
        ("1", ErrorKind.WRONG_TOOL),
        ("2", ErrorKind.NOTHING_THERE),
    ]
    low = Rubric(thresholds=Thresholds(box=0.99, area=0.99), box_files="outlines")
    assert ErrorKind.WRONG_TOOL in score_submission(prepare_truth(truth, low), twice).errors()
