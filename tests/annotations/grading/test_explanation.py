"""Why a score is what it is, in the submission's own figures."""

from dataclasses import replace

import pytest

from assay.annotations.grading.explanation import answers, compare_students, explain, improvements, losses
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Weights
from assay.annotations.shapes.annotation_set import AnnotationSet
from tests.annotations.drawn import annotation_set, box


def plan_truth() -> AnnotationSet:
    return annotation_set(
        box("image1.jpg", "Car", 0, 0, 100, 100, color="red"),
        box("image1.jpg", "Person", 200, 0, 300, 100, occluded="true"),
        box("image1.jpg", "Car", 400, 0, 500, 100, color="blue"),
    )


def plan_score() -> SubmissionScore:
    submission = annotation_set(
        box("image1.jpg", "Car", 0, 0, 95, 100, color="red"),
        box("image1.jpg", "persn", 200, 0, 292, 100, occluded="false"),
        box("image1.jpg", "Car", 600, 600, 700, 700, color="red"),
    )
    return score_submission(prepare_truth(plan_truth()), submission)


def test_the_tree_has_the_branches_of_the_plans_mindmap() -> None:
    root = explain(plan_score())
    quality, completeness = root.children
    assert (root.name, quality.name, completeness.name) == ("overall", "average match quality", "completeness")
    assert (quality.weight, completeness.weight) == (0.5, 0.5)
    assert [part.name for part in quality.children[0].children] == ["localisation", "label", "attributes"]
    assert [part.weight for part in quality.children[0].children] == [0.5, 0.25, 0.25]
    assert [part.name for part in completeness.children[1:]] == ["1 missed", "1 extra"]


def test_a_missed_object_costs_a_quarter_of_an_extra_at_beta_one_half() -> None:
    lost = losses(plan_score())
    assert lost.extra == pytest.approx(4 * lost.missed)
    assert lost.missed + lost.extra == pytest.approx(50 / 3)


def test_the_first_question_is_answered_with_missed_and_extra() -> None:
    first, _ = answers(plan_score())
    assert "You found 2 of 3 objects and drew 1 that is not in the ground truth" in first.answer
    assert first.applies


def test_the_second_question_is_answered_with_the_label_that_was_wrong() -> None:
    _, second = answers(plan_score())
    assert "'persn' for 'Person' earned 83 of 100" in second.answer


def test_the_second_question_does_not_apply_when_all_labels_are_right() -> None:
    truth = prepare_truth(plan_truth())
    _, second = answers(score_submission(truth, plan_truth()))
    assert not second.applies


def test_two_students_are_compared_by_cause() -> None:
    truth = prepare_truth(plan_truth())
    perfect = score_submission(truth, plan_truth())
    answer = compare_students(perfect, plan_score(), ("Ada", "Ben"))
    assert "Ada has 100.0 and Ben 74.4, a difference of +25.6 points" in answer.answer
    assert "extra annotations +13.3" in answer.answer


def test_improvements_name_the_largest_loss_first() -> None:
    first, *_ = improvements(plan_score())
    assert first.startswith("Leaving out what is not in the ground truth would bring up to 13.3 points")


def test_an_empty_submission_can_be_explained() -> None:
    score = score_submission(prepare_truth(plan_truth()), annotation_set(images=["image1.jpg"]))
    assert explain(score).points == 0
    assert losses(score).nothing_matched == 50
    assert "0 of 3 objects" in answers(score)[0].answer


def test_other_weights_need_no_new_matching() -> None:
    score = plan_score()
    changed = replace(score, rubric=replace(score.rubric, weights=Weights(100, 0, 0, 100, 0)))
    assert changed.overall == pytest.approx((95 + 92) / 2)
    assert changed.match_truth is score.match_truth
