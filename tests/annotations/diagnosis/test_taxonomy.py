"""Each kind of error is found where it is, and nowhere else."""

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import AnnotationSet
from tests.annotations.drawn import annotation_set, box


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


def test_every_kind_has_a_word_and_a_meaning_of_its_own() -> None:
    assert len(ErrorKind) == 16
    assert len({kind.word for kind in ErrorKind}) == len(ErrorKind)
    assert all(kind.meaning.endswith(".") for kind in ErrorKind)
