"""What a decision is about: the same digest as long as a person would see the same."""

import pytest

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.review_subject import is_review, reviewed_images, seen_digest
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from tests.annotations.drawn import annotation_set, box

TRUTH = (box("a.jpg", "Car", 0, 0, 100, 100), box("a.jpg", "Bus", 300, 0, 400, 100), box("b.jpg", "Car", 0, 0, 50, 50))
WORK = (box("a.jpg", "Car", 0, 0, 90, 100), box("a.jpg", "Car", 600, 0, 700, 100), box("b.jpg", "Car", 0, 0, 50, 50))
TARGETS = ("match:0:0", "label:0:0", "miss:1", "extra:1", "finding:miss:1", "image:a.jpg", "image:b.jpg", "score")


def graded(*work: object, **rules: object) -> SubmissionScore:
    truth = annotation_set(*TRUTH)
    return score_submission(prepare_truth(truth, Rubric(**rules)), annotation_set(*(work or WORK)))  # type: ignore[arg-type]


@pytest.mark.parametrize("target", TARGETS)
def test_other_weights_leave_what_was_seen_as_it_was(target: str) -> None:
    seen = seen_digest(graded(), target)

    assert seen
    assert seen == seen_digest(graded(beta=2.0), target)


def test_another_drawing_of_an_object_is_another_subject_and_others_stay() -> None:
    before = graded()
    moved = graded(box("a.jpg", "Car", 0, 0, 80, 100), *WORK[1:])
    changed = {target for target in TARGETS if seen_digest(before, target) != seen_digest(moved, target)}

    assert changed == {"match:0:0", "label:0:0", "image:a.jpg", "score"}


def test_what_the_score_does_not_have_has_no_digest() -> None:
    for target in ("miss:0", "extra:0", "match:0:1", "match:0", "image:c.jpg", "image:", "finding:", "x", "miss:x"):
        assert seen_digest(graded(), target) == "", target


def test_a_miss_that_rules_turn_into_a_match_is_no_longer_that_miss() -> None:
    near = (box("a.jpg", "Car", 0, 0, 100, 100), box("a.jpg", "Bus", 300, 0, 360, 100), WORK[2])
    strict, mild = (graded(*near, thresholds=Rubric().thresholds.__class__(box=limit)) for limit in (0.9, 0.1))

    assert seen_digest(strict, "miss:1")
    assert seen_digest(mild, "miss:1") == ""
    assert seen_digest(strict, "score") != seen_digest(mild, "score")


def test_images_that_were_looked_at_are_counted() -> None:
    assert reviewed_images(graded(), ["image:a.jpg", "score", "image:no.jpg", "miss:1"]) == (1, 2)


def test_only_overrides_change_a_score() -> None:
    assert [is_review(t) for t in ("score", "image:a", "finding:miss:1", "miss:1", "match:0:0")] == [True] * 3 + [
        False
    ] * 2
