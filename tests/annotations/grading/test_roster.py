"""Everything that was handed in has a state; the same work twice, empty work and work of other images are told."""

from dataclasses import replace

import pytest

from assay.annotations.grading.graded import Batch, Graded
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.roster import STATES, HandInLog, ScoresOf, fingerprint, remarks, roster_of
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from tests.annotations.drawn import annotation_set, box, polygon, rectangle

DRAWN = [box("a.jpg", "car", 100 * i, 0, 100 * i + 50, 50, color="red") for i in range(8)]
TRUTH = annotation_set(*DRAWN)
PREPARED = prepare_truth(TRUTH)
EMPTY = annotation_set(images=["a.jpg"])


def scored(own: AnnotationSet, rubric: Rubric | None = None) -> SubmissionScore:
    return score_submission(PREPARED, own, rubric)


def test_the_same_annotations_have_the_same_fingerprint_and_any_difference_another() -> None:
    one = fingerprint(scored(TRUTH))
    assert fingerprint(scored(annotation_set(*DRAWN))) == one
    others = [
        annotation_set(*DRAWN[:-1]),
        annotation_set(replace(DRAWN[0], box=(0, 0, 50, 50.01)), *DRAWN[1:]),
        annotation_set(replace(DRAWN[0], label="van"), *DRAWN[1:]),
        annotation_set(replace(DRAWN[0], attributes={"color": "blue"}), *DRAWN[1:]),
    ]
    assert one not in {fingerprint(scored(other)) for other in others}


def logged(**scores: SubmissionScore) -> HandInLog:
    log = HandInLog()
    for name, score in scores.items():
        log.add(name, score)
    return log


def test_everything_handed_in_is_listed_the_important_first() -> None:
    scores = {"ada": scored(TRUTH), "ben": scored(TRUTH), "zoe": scored(EMPTY)}
    log = logged(**scores)
    log.other_images.add("eva")
    entries = roster_of(
        scores, {"eva": "other images", "kim": "broken"}, log.hand_ins(missing=("liu",), not_listed={"ada"})
    )
    assert [(entry.student, entry.state, entry.detail) for entry in entries] == [
        ("liu", "missing", ""),
        ("kim", "unreadable", "broken"),
        ("eva", "other images", "other images"),
        ("zoe", "no annotations", ""),
        ("ben", "identical", "the same as ada"),
        ("ada", "scored", "not on the roster"),
    ]
    assert {entry.state for entry in entries} == set(STATES)


def test_two_empty_files_are_not_called_identical() -> None:
    assert logged(ada=scored(EMPTY), ben=scored(EMPTY)).hand_ins().identical == {}
    assert logged(ada=scored(EMPTY), ben=scored(EMPTY)).empty == {"ada", "ben"}


def test_empty_work_is_left_out_of_what_is_said_of_the_class() -> None:
    scores = {"ada": scored(TRUTH), "zoe": scored(EMPTY)}
    batch = Batch(PREPARED, scores, frozenset({"zoe"}))
    assert batch.missed_by.sum() == 0
    assert batch.hardest_objects() == ()
    assert batch.hardest_images()[0].of == 1
    assert batch.confusion.counts.sum() == 8
    assert [ranked.name for ranked in batch.ranking] == ["ada", "zoe"]
    nobody = Batch(PREPARED, {"zoe": scored(EMPTY)}, frozenset({"zoe"}))
    assert nobody.missed_by.sum() == 8  # with nobody else there is no class to protect


def test_students_who_handed_in_the_same_file_are_not_asked_about_shared_errors() -> None:
    cars = [box("a.jpg", "car", 20 * i, 0, 20 * i + 15, 50) for i in range(40)]
    truth = prepare_truth(annotation_set(*cars))
    off = annotation_set(*(replace(one, box=(one.box[0], 0, one.box[2], 40 + i / 8)) for i, one in enumerate(cars)))
    scores = {"ada": score_submission(truth, off), "ben": score_submission(truth, off)}
    asked = Graded.of(Batch(truth, scores), {})
    told = Graded.of(Batch(truth, scores), {}, logged(**scores).hand_ins())
    assert len(asked.shared) == 1
    assert told.shared == ()
    assert told.roster[0].detail == "the same as ada"


def test_the_scores_of_some_students_are_those_of_all_without_the_others() -> None:
    scores = {"ada": scored(TRUTH), "zoe": scored(EMPTY)}
    some = ScoresOf(scores, {"zoe"})
    assert (list(some), len(some), some["ada"] is scores["ada"]) == (["ada"], 1, True)


@pytest.mark.parametrize(("form", "charged"), [("YOLO", False), ("Pascal VOC", False), ("COCO", True)])
def test_attributes_that_a_format_cannot_hold_are_not_charged(form: str, charged: bool) -> None:
    bare = replace(annotation_set(*(replace(one, attributes={}) for one in DRAWN)), format=form)
    rubric = suggest_rubric(TRUTH)
    assert scored(bare).overall == (87.5 if charged else 100)
    assert scored(bare, replace(rubric, unsupported_attributes="wrong")).overall == 87.5
    said = "" if charged else f"{form} holds no attributes: they are not scored"
    assert remarks(scored(bare)) == said


def test_an_attribute_that_a_tool_wrote_into_the_format_all_the_same_is_scored() -> None:
    some = [replace(one, attributes={"color": "red"} if place < 4 else {}) for place, one in enumerate(DRAWN)]
    own = replace(annotation_set(*some), format="Pascal VOC")
    assert scored(own).overall == pytest.approx(100 - 12.5 / 2)


OUTLINES = annotation_set(
    *(polygon("a.jpg", "leaf", (100 * i, 0), (100 * i + 50, 0), (100 * i + 25, 50)) for i in range(3))
)


def test_a_file_of_boxes_against_outlines_is_compared_with_their_boxes_and_says_so() -> None:
    boxes = annotation_set(*(box("a.jpg", "leaf", 100 * i, 0, 100 * i + 50, 50) for i in range(3)))
    score = score_submission(prepare_truth(OUTLINES), boxes)
    assert score.overall == 100
    assert score.truth is OUTLINES  # what is drawn and listed is the ground truth as it is
    assert remarks(score) == "compared by the boxes around them: this file has boxes only"
    strict = score_submission(prepare_truth(OUTLINES), boxes, Rubric(box_files="outlines"))
    assert (strict.tally.matched, strict.tally.extra) == (0, 3)


def test_boxes_among_outlines_are_still_the_wrong_tool() -> None:
    mixed = annotation_set(box("a.jpg", "leaf", 0, 0, 50, 50), rectangle("a.jpg", "leaf", 100, 0, 150, 50))
    assert score_submission(prepare_truth(OUTLINES), mixed).tally.matched == 1
    both = annotation_set(rectangle("a.jpg", "leaf", 0, 0, 50, 50), box("a.jpg", "car", 200, 0, 250, 50))
    boxes = annotation_set(box("a.jpg", "leaf", 0, 0, 50, 50), box("a.jpg", "car", 200, 0, 250, 50))
    assert score_submission(prepare_truth(both), boxes).tally.matched == 1
