"""What the rules let objects weigh and cost: classes, misses, extras, duplicates, and what is left out."""

from dataclasses import replace
from typing import Any

import pytest

from assay.annotations.grading.class_scores import class_scores
from assay.annotations.grading.explanation import explain, losses
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import LabelRule, Rubric
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box

TRUTH = annotation_set(
    box("a.jpg", "car", 0, 0, 100, 100),
    box("a.jpg", "bus", 200, 0, 300, 100),
    box("a.jpg", "car", 400, 0, 410, 8),
)
STUDENT = annotation_set(
    box("a.jpg", "car", 0, 0, 100, 100),
    box("a.jpg", "car", 2, 0, 100, 100),
    box("a.jpg", "bus", 600, 0, 700, 100),
)
"""Finds one car, draws it twice, misses the bus and the small car, and draws a bus where there is none."""
LABELS = (LabelRule("car"), LabelRule("bus"))
PLAIN = Rubric(labels=LABELS, beta=1.0)


def scored(rubric: Rubric) -> SubmissionScore:
    return score_submission(prepare_truth(TRUTH, rubric), STUDENT)


def completeness(matched: float, missed: float, extra: float) -> float:
    return 100 * 2 * matched / (2 * matched + missed + extra)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, completeness(1, 2, 2)),
        ({"extra_cost": 0.0}, completeness(1, 2, 0)),
        ({"miss_cost": 0.0}, completeness(1, 0, 2)),
        ({"miss_cost": 0.0, "extra_cost": 0.0}, 100),
        ({"extra_cost": 0.5}, completeness(1, 2, 1)),
        ({"duplicate_cost": 3.0}, completeness(1, 2, 4)),
        ({"labels": (LabelRule("car", weight=2.0), LABELS[1])}, completeness(2, 2 + 1, 2 + 1)),
        ({"labels": (LABELS[0], LabelRule("bus", miss_cost=3.0))}, completeness(1, 1 + 3, 2)),
        ({"labels": (LABELS[0], LabelRule("bus", extra_cost=0.0))}, completeness(1, 2, 1)),
        ({"smallest": 20.0}, completeness(1, 1, 2)),
        ({"only_labels": ("bus",), "smallest": 20.0}, 0),
    ],
)
def test_completeness_follows_the_costs(changes: dict[str, Any], expected: float) -> None:
    result = scored(replace(PLAIN, **changes))
    assert result.tally.completeness == pytest.approx(expected)
    # counts, precision and recall stay plain, and what was lost still adds up
    assert losses(result).total() + result.overall == pytest.approx(100)
    assert sum(part.points for part in explain(result).children) == pytest.approx(result.overall)


def test_counts_stay_counts_whatever_they_weigh() -> None:
    tally = scored(replace(PLAIN, labels=(LabelRule("car", weight=5.0), LABELS[1]), extra_cost=0.0)).tally
    assert (tally.matched, tally.missed, tally.extra) == (1, 2, 2)
    assert tally.recall == pytest.approx(100 / 3)


def test_quality_is_a_mean_weighed_by_class() -> None:
    student = annotation_set(box("a.jpg", "car", 0, 0, 100, 100), box("a.jpg", "bus", 200, 0, 300, 80))
    rubric = Rubric(labels=(LabelRule("car", weight=3.0), LABELS[1]))
    result = score_submission(prepare_truth(TRUTH, rubric), student)
    # car 100; bus 0.5 x 80 + 25 + 25 = 90
    assert result.tally.quality == pytest.approx((3 * 100 + 90) / 4)
    assert losses(result).total() + result.overall == pytest.approx(100)
    assert explain(result).children[0].points == pytest.approx(
        sum(c.points for c in explain(result).children[0].children)
    )


def test_a_class_that_weighs_nothing_changes_nothing() -> None:
    rubric = replace(PLAIN, labels=(LABELS[0], LabelRule("bus", weight=0.0)))
    assert scored(rubric).overall == pytest.approx(scored(replace(PLAIN, only_labels=("car",))).overall)
    assert {one.label for one in class_scores(scored(rubric))} == {"car", "bus"}


def test_small_objects_are_counted_as_left_out() -> None:
    student = annotation_set(box("a.jpg", "car", 400, 0, 410, 8), box("a.jpg", "car", 500, 0, 505, 5))
    result = score_submission(prepare_truth(TRUTH, replace(PLAIN, smallest=20.0)), student)
    assert result.not_scored == {
        "ground truth: smaller than the rules count": 1,
        "submission: drawn for an object that the rules leave out": 1,
        "submission: smaller than the rules count": 1,
    }
    assert (result.tally.matched, result.tally.missed, result.tally.extra) == (0, 2, 0)


def test_objects_with_a_value_are_left_out() -> None:
    truth = replace(TRUTH, attributes={1: {"occluded": "true"}, 2: {"occluded": "false"}})
    rubric = replace(PLAIN, ignore_where=(("occluded", "true"),))
    result = score_submission(prepare_truth(truth, rubric), STUDENT)
    assert result.not_scored == {"ground truth: occluded is true": 1}
    assert result.tally.missed == 1


def test_full_credit_for_position_may_begin_early() -> None:
    student = annotation_set(box("a.jpg", "car", 0, 0, 100, 90))
    result = score_submission(prepare_truth(TRUTH, replace(PLAIN, full_overlap=0.9)), student)
    assert result.localisation.tolist() == pytest.approx([1.0])


def test_a_confusion_of_two_classes_has_its_own_credit() -> None:
    student = annotation_set(box("a.jpg", "bus", 0, 0, 100, 100))
    for changes, credit in (
        ({"label_credits": (("Bus", "car", 0.5),)}, 0.5),
        ({"known_wrong_label": "zero", "known_wrong_credit": 0.3}, 0.3),
        ({"known_wrong_label": "zero"}, 0.0),
    ):
        rubric = replace(PLAIN, **changes)
        assert score_submission(prepare_truth(TRUTH, rubric), student).label.tolist() == [credit]


@pytest.mark.parametrize(
    "changes",
    [
        {"extra_cost": -1.0},
        {"full_overlap": 0.0},
        {"pass_mark": 120.0},
        {"label_credits": (("car", "bus", 2.0),)},
        {"labels": (LabelRule("car", weight=0.0),)},
        {"labels": (LabelRule("car", miss_cost=float("nan")),)},
    ],
)
def test_costs_that_mean_nothing_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        replace(PLAIN, **changes)
