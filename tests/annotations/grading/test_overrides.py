"""People may change a score; what it was stays known."""

from dataclasses import replace

import pytest

from assay.annotations.grading.explanation import explain, losses
from assay.annotations.grading.overrides import Override, Target, apply_overrides
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box


def score() -> SubmissionScore:
    truth = annotation_set(
        box("a.jpg", "Car", 0, 0, 100, 100, color="red"), box("a.jpg", "Car", 300, 0, 400, 100, color="red")
    )
    student = annotation_set(
        box("a.jpg", "Bus", 0, 0, 50, 100, color="blue"), box("a.jpg", "Car", 600, 0, 700, 100, color="red")
    )
    return score_submission(prepare_truth(truth), student)


def change(target: Target, value: float, truth: int = -1, student: int = -1, attribute: str = "") -> Override:
    return Override(target, value, "Ada", "2026-01-02T10:00", "hidden by a tree", "d", truth, student, attribute)


def test_a_match_can_be_given_another_score() -> None:
    changed = apply_overrides(score(), [change("match", 80, truth=0, student=0)], "d")
    assert changed.tally.quality == 80
    assert changed.match(0).original_score == pytest.approx(score().match(0).score)


def test_a_label_and_an_attribute_can_be_accepted() -> None:
    changed = apply_overrides(
        score(), [change("label", 100, 0, 0), change("attribute", 100, 0, 0, attribute="Color")], "d"
    )
    assert (changed.match(0).label, changed.match(0).attributes) == (100, 100)
    assert changed.match(0).comparisons[0].similarity == 100


def test_a_miss_can_be_excused_and_an_extra_accepted() -> None:
    changed = apply_overrides(score(), [change("miss", 100, truth=1), change("extra", 100, student=1)], "d")
    assert (changed.tally.missed, changed.tally.extra, changed.tally.completeness) == (0, 0, 100)
    assert [miss.excused for miss in changed.misses()] == [True]
    assert [extra.accepted for extra in changed.extras()] == [True]


def test_the_later_change_of_one_thing_wins_and_an_empty_list_restores() -> None:
    first = score()
    changed = apply_overrides(first, [change("match", 80, 0, 0), change("match", 60, 0, 0)], "d")
    assert changed.match(0).score == 60
    assert apply_overrides(changed, [], "d") is first


def test_all_mistakes_are_reported_together() -> None:
    wrong = [
        replace(change("match", 120, 0, 0), reason=" "),
        change("miss", 100, truth=0),
        change("attribute", 50, 0, 0, attribute="size"),
    ]
    with pytest.raises(InputError) as caught:
        apply_overrides(score(), wrong, "d")
    message = str(caught.value)
    assert "gives 120" in message
    assert "no reason" in message
    assert "names a miss that this submission does not have" in message
    assert "names an attribute that" in message


def test_an_explanation_shows_the_override_and_still_adds_up() -> None:
    changed = apply_overrides(score(), [change("match", 80, 0, 0)], "d")
    quality = explain(changed).children[0]
    assert [part.name for part in quality.children[0].children][-1] == "override"
    assert changed.overall + losses(changed).total() == pytest.approx(100)
