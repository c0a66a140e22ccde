"""The scoring plan's worked example step by step, and the defects of its own program (ce9db7a) put right.

Source: Annotator AI, Scoring Plan & Methodology, version 1.0, section 5.
"""

import numpy as np
import pytest

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import PROFILES
from assay.annotations.shapes.annotation_set import AnnotationSet
from tests.annotations.drawn import annotation_set, box, rectangle, skeleton


def plan_truth() -> AnnotationSet:
    return annotation_set(
        box("image1.jpg", "Car", 0, 0, 100, 100, color="red"),
        box("image1.jpg", "Person", 200, 0, 300, 100, occluded="true"),
        box("image1.jpg", "Car", 400, 0, 500, 100, color="blue"),
    )


def plan_submission() -> AnnotationSet:
    """IoU 0.95 and 0.92 with the first two objects, nothing at the third, and one box where nothing is."""
    return annotation_set(
        box("image1.jpg", "Car", 0, 0, 95, 100, color="red"),
        box("image1.jpg", "persn", 200, 0, 292, 100, occluded="false"),
        box("image1.jpg", "Car", 600, 600, 700, 700, color="red"),
    )


@pytest.fixture(name="plan")
def plan_score() -> SubmissionScore:
    return scored(plan_truth(), plan_submission())


def scored(truth: AnnotationSet, submission: AnnotationSet, profile: str = "annotator-ai-1.0") -> SubmissionScore:
    return score_submission(prepare_truth(truth, suggest_rubric(truth, profile)), submission)


def test_the_default_profile_has_the_weights_of_the_plan() -> None:
    rubric = PROFILES["annotator-ai-1.0"]
    assert rubric.weights.of_match == (0.5, 0.25, 0.25)
    assert rubric.weights.of_overall == (0.5, 0.5)
    assert rubric.beta == 0.5


def test_step_1_the_first_match_scores_97_5(plan: SubmissionScore) -> None:
    first = plan.match(0)
    assert (first.localisation, first.label, first.attributes) == pytest.approx((95, 100, 100))
    assert first.score == pytest.approx(47.5 + 25 + 25)


def test_step_1_the_second_match_scores_66_75_with_the_label_cut_to_83(plan: SubmissionScore) -> None:
    second = plan.match(1)
    assert second.localisation == pytest.approx(92)
    assert second.label == pytest.approx(100 * 5 / 6)  # the plan cuts it to 83
    assert second.attributes == 0
    assert second.score == pytest.approx(46 + 25 * 5 / 6)
    assert 46 + 0.25 * 83 == 66.75


def test_step_1_the_attributes_are_compared_one_by_one(plan: SubmissionScore) -> None:
    (color,), (occluded,) = plan.match(0).comparisons, plan.match(1).comparisons
    assert (color.name, color.truth, color.student, color.similarity) == ("color", "red", "red", 100)
    assert (occluded.name, occluded.truth, occluded.student, occluded.similarity) == ("occluded", "true", "false", 0)


def test_step_2_average_match_quality_is_82_13(plan: SubmissionScore) -> None:
    # 82.125 with the label cut to 83; exactly (97.5 + 66.8333) / 2
    assert plan.tally.quality == pytest.approx((97.5 + 46 + 25 * 5 / 6) / 2)
    assert plan.tally.quality == pytest.approx(82.13, abs=0.05)


def test_step_3_completeness_is_66_67_where_the_plan_cuts_its_way_to_66_5(plan: SubmissionScore) -> None:
    assert (plan.tally.matched, plan.tally.missed, plan.tally.extra) == (2, 1, 1)
    assert plan.tally.precision == pytest.approx(66.667, abs=0.001)
    assert plan.tally.recall == pytest.approx(66.667, abs=0.001)
    assert plan.tally.completeness == pytest.approx(200 / 3)
    cut_on_the_way = 0.555 / 0.834
    assert 100 * cut_on_the_way == pytest.approx(66.5, abs=0.05)


def test_step_4_the_overall_score_is_74(plan: SubmissionScore) -> None:
    assert plan.overall == pytest.approx(74.417, abs=0.001)
    label_cut_to_83 = (97.5 + 66.75) / 2
    assert 0.5 * label_cut_to_83 + 0.5 * plan.tally.completeness == pytest.approx(74.40, abs=0.005)
    assert plan.rounded == 74


# Section 2 of the study of its program: case, its answer, ours.


def three_objects() -> AnnotationSet:
    return annotation_set(*(box("a.jpg", "Car", 100 * i, 0, 100 * i + 50, 50) for i in range(3)))


def test_an_empty_submission_scores_0_not_90() -> None:
    assert scored(three_objects(), annotation_set(images=["a.jpg"])).overall == 0


def test_an_empty_ground_truth_counts_the_extras() -> None:
    score = scored(annotation_set(images=["a.jpg"]), three_objects())
    assert (score.tally.extra, score.overall) == (3, 0)


def test_an_annotation_on_an_image_without_objects_is_extra() -> None:
    truth = annotation_set(box("a.jpg", "Car", 0, 0, 50, 50), images=["a.jpg", "b.jpg"])
    submission = annotation_set(box("a.jpg", "Car", 0, 0, 50, 50), box("b.jpg", "Car", 0, 0, 50, 50))
    assert scored(truth, submission).tally.extra == 1


def test_images_are_matched_by_file_name_whatever_their_order() -> None:
    boxes = [box(name, "Car", 0, 0, 50 + i, 50) for i, name in enumerate(("a.jpg", "b.jpg", "c.jpg"))]
    assert scored(annotation_set(*boxes), annotation_set(*reversed(boxes))).overall == 100


def test_a_wrong_label_counts_on_an_image_with_one_object() -> None:
    truth = annotation_set(box("a.jpg", "Car", 0, 0, 50, 50))
    score = scored(truth, annotation_set(box("a.jpg", "Dog", 0, 0, 50, 50)))
    assert score.tally.quality == 75
    assert score.overall == 87.5


def test_a_boolean_attribute_of_coco_works() -> None:
    truth = annotation_set(box("a.jpg", "Car", 0, 0, 50, 50, occluded=True))
    assert scored(truth, annotation_set(box("a.jpg", "Car", 0, 0, 50, 50, occluded="yes"))).overall == 100


def test_polygons_with_an_extra_work() -> None:
    truth = annotation_set(rectangle("a.jpg", "Car", 0, 0, 50, 50))
    submission = annotation_set(rectangle("a.jpg", "Car", 0, 0, 50, 50), rectangle("a.jpg", "Car", 200, 0, 250, 50))
    score = scored(truth, submission)
    assert (score.tally.matched, score.tally.extra) == (1, 1)
    assert score.tally.quality == pytest.approx(100)


def test_a_perfect_skeleton_of_20_points_scores_100() -> None:
    points = {f"p{i}": (10.0 * i, 5.0 * i * (i % 3), 2) for i in range(20)}
    truth = annotation_set(skeleton("a.jpg", "hand", points))
    assert scored(truth, truth).overall == pytest.approx(100)


def test_one_of_ten_skeletons_found_is_not_100() -> None:
    hands = [skeleton("a.jpg", "hand", {"tip": (100.0 * i, 0, 2), "root": (100.0 * i + 50, 50, 2)}) for i in range(10)]
    score = scored(annotation_set(*hands), annotation_set(hands[0]))
    assert score.tally.recall == pytest.approx(10)
    assert score.overall < 70


def test_equal_annotation_ids_on_several_images_lose_nothing() -> None:
    boxes = [box(f"{i}.jpg", "Car", 0, 0, 50, 50) for i in range(4)]
    same_ids = annotation_set(*boxes)
    assert scored(same_ids, same_ids).tally.matched == 4
    assert np.unique(scored(same_ids, same_ids).match_truth).size == 4
