"""A scored submission: its sums, its tally, and its parts on demand."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.grading.parts import AttributeComparison
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric, Weights
from tests.annotations.drawn import annotation_set, box

RULES = Rubric(
    labels=(LabelRule("car", (AttributeRule("color", "exact", weight=3), AttributeRule("doors", "number"))),),
    weights=Weights(60, 30, 10, 80, 20),
)
TRUTH = annotation_set(
    box("a.jpg", "car", 0, 0, 100, 100, color="red", doors=4),
    box("b.jpg", "car", 0, 0, 100, 100, color="red", doors=4),
    box("b.jpg", "bus", 300, 0, 400, 100),
    box("b.jpg", "bus", 600, 0, 700, 100),
    images=["a.jpg", "b.jpg", "c.jpg"],
)
DRAWN = annotation_set(
    box("b.jpg", "bus", 300, 0, 400, 50),
    box("a.jpg", "cat", 0, 0, 80, 100, color="red", doors=2),
    box("b.jpg", "car", 0, 0, 100, 100, color="blue", doors=4),
    box("b.jpg", "bus", 660, 0, 760, 100),
    box("d.jpg", "dog", 0, 0, 9, 9),
    images=["a.jpg", "b.jpg", "c.jpg", "d.jpg"],
)


def score(rubric: Rubric = RULES) -> SubmissionScore:
    return score_submission(prepare_truth(TRUTH, rubric), DRAWN)


def test_a_match_is_told_with_all_it_is_made_of() -> None:
    first = score().match(0)
    assert (first.number, first.image, first.truth, first.student) == (0, "a.jpg", 0, 1)
    assert (first.truth_id, first.student_id, first.truth_label, first.student_label) == ("1", "2", "car", "cat")
    assert (first.localisation, first.label, first.attributes) == pytest.approx((80, 200 / 3, 75))
    assert first.weights == pytest.approx((0.6, 0.3, 0.1))
    assert first.score == first.original_score == pytest.approx(0.6 * 80 + 0.3 * 200 / 3 + 0.1 * 75)
    assert not first.by_key
    assert first.comparisons == (
        AttributeComparison("color", "red", "red", 100.0, "exact", 3),
        AttributeComparison("doors", 4, 2, 0.0, "number", 1.0),
    )
    assert [one.similarity for one in score().match(1).comparisons] == [0, 100]
    assert score().match(2).comparisons == ()


def test_a_match_without_attributes_has_them_in_full_or_leaves_them_out() -> None:
    bus = score().match(2)
    assert np.isnan(bus.attributes)
    assert bus.score == pytest.approx(0.6 * 50 + 0.3 * 100 + 0.1 * 100)
    without = score(replace(RULES, no_attributes="renormalise"))
    assert without.match(2).weights == pytest.approx((2 / 3, 1 / 3, 0))
    assert without.match(2).score == pytest.approx(2 / 3 * 50 + 1 / 3 * 100)
    assert without.match(0).weights == pytest.approx((0.6, 0.3, 0.1))
    alone = score(replace(RULES, no_attributes="renormalise", weights=Weights(0, 0, 100)))
    assert alone.match(2).weights == (1, 0, 0)  # the place stands in for them


def test_misses_and_extras_are_told_with_their_reason() -> None:
    (miss,), (beside, elsewhere) = score().misses(), score().extras()
    assert (miss.image, miss.truth, miss.truth_id, miss.label) == ("b.jpg", 3, "4", "bus")
    assert (miss.why, miss.student_id, miss.excused) == (ErrorKind.NEAR_MISS, "4", False)
    assert miss.similarity == beside.similarity == pytest.approx(0.25)
    assert (beside.image, beside.student, beside.student_id, beside.label) == ("b.jpg", 3, "4", "bus")
    assert (beside.why, beside.truth_id, beside.accepted) == (ErrorKind.NEAR_MISS, "4", False)
    assert (elsewhere.image, elsewhere.why, elsewhere.truth_id) == ("d.jpg", ErrorKind.NOTHING_THERE, "")


def test_parts_are_those_of_one_image_when_asked() -> None:
    own = score()
    assert [[match.number for match in own.matches(image)] for image in (None, 0, 1, 2)] == [[0, 1, 2], [0], [1, 2], []]
    assert [len(list(own.misses(image))) for image in (None, 0, 1)] == [1, 0, 1]
    assert [len(list(own.extras(image))) for image in (None, 1, 2, 3)] == [2, 1, 0, 1]


def test_images_add_up_to_the_whole() -> None:
    own = score()
    points = own.match_scores
    expected = [[points[0], points[1] + points[2], 0, 0], [1, 2, 0, 0], [0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0]]
    np.testing.assert_allclose(own.image_sums, np.array([*expected, *expected[1:4]]), atol=1e-9)
    tally = own.tally
    assert (tally.matched, tally.missed, tally.extra, tally.vacuous) == (3, 1, 2, False)
    assert tally.quality == pytest.approx(points.mean())
    assert (tally.precision, tally.recall) == pytest.approx((60, 75))
    assert tally.completeness == pytest.approx(100 * 1.25 * 3 / (1.25 * 3 + 0.25 + 2))
    assert own.overall == tally.score == pytest.approx(0.8 * tally.quality + 0.2 * tally.completeness)
    assert own.rounded == round(own.overall)
    assert own.errors()[ErrorKind.NEAR_MISS] == 1


def test_images_are_told_with_their_tally_and_whether_they_are_listed() -> None:
    images = list(score().image_scores())
    assert [(one.index, one.name, one.listed) for one in images] == [
        (0, "a.jpg", True),
        (1, "b.jpg", True),
        (2, "c.jpg", True),
        (3, "d.jpg", True),
    ]
    assert images[2].tally.vacuous
    assert images[2].tally.score == 100
    ignoring = score(replace(RULES, extra_images="ignore"))
    assert [one.name for one in ignoring.image_scores()] == ["a.jpg", "b.jpg", "c.jpg"]


def test_images_rightly_left_empty_count_by_choice_if_the_truth_has_them() -> None:
    own = score(replace(RULES, count_empty_images=True))
    assert own.image_sums[4].tolist() == [0, 0, 1, 0]
    assert own.tally.matched == 3
    assert (own.tally.precision, own.tally.recall) == pytest.approx((400 / 6, 80))


def test_what_people_gave_replaces_what_the_rules_gave() -> None:
    own = score()
    changed = replace(
        own,
        match_override=np.array([np.nan, 5.0, np.nan]),
        excused=np.array([True]),
        accepted=np.array([False, True]),
        original=own,
    )
    assert changed.match_scores.tolist() == [own.match_scores[0], 5, own.match_scores[2]]
    assert changed.system_match_scores.tolist() == own.match_scores.tolist()
    assert (changed.match(1).score, changed.match(1).original_score) == (5, own.match(1).score)
    assert (changed.tally.missed, changed.tally.extra) == (0, 1)
    assert [miss.excused for miss in changed.misses()] == [True]
    assert [extra.accepted for extra in changed.extras()] == [False, True]


def test_nothing_matched_is_no_quality_and_nothing_at_all_is_whole() -> None:
    own = score()
    missed, nothing = own.tally_of(np.array([0.0, 0, 2, 0, 0, 0, 2, 0])), own.tally_of(np.zeros(8))
    assert (np.isnan(missed.quality), missed.score, missed.vacuous) == (True, 0, False)
    assert (np.isnan(nothing.quality), nothing.score, nothing.vacuous) == (True, 100, True)
    for counts in ((0, 0, 1), (0, 1, 1), (1, 1, 0), (1, 0, 1)):
        assert not own.tally_of(np.array([0.0, *counts, 0, *counts])).vacuous


def test_an_image_that_only_one_side_left_empty_is_not_rightly_left_empty() -> None:
    truth = annotation_set(box("a.jpg", "car", 0, 0, 9, 9), images=["a.jpg", "b.jpg"])
    drawn = annotation_set(box("b.jpg", "car", 0, 0, 9, 9), images=["a.jpg", "b.jpg"])
    own = score_submission(prepare_truth(truth, replace(RULES, count_empty_images=True)), drawn)
    assert own.image_sums[4].tolist() == [0, 0]


def test_an_empty_image_counts_if_both_sides_have_it() -> None:
    truth, drawn = annotation_set(images=["a.jpg", "b.jpg"]), annotation_set(images=["a.jpg", "x.jpg", "y.jpg"])
    own = score_submission(prepare_truth(truth, replace(RULES, count_empty_images=True)), drawn)
    assert own.image_sums[4].tolist() == [1, 0, 0, 0]


def test_an_attribute_is_told_for_the_matches_where_it_was_compared() -> None:
    truth = annotation_set(
        box("a.jpg", "car", 0, 0, 100, 100, color="red"),
        box("a.jpg", "car", 300, 0, 400, 100, color="red", doors=4),
        box("a.jpg", "car", 600, 0, 700, 100, color="red"),
    )
    own = score_submission(prepare_truth(truth, RULES), truth)
    names = [[one.name for one in match.comparisons] for match in own.matches()]
    assert names == [["color"], ["color", "doors"], ["color"]]
